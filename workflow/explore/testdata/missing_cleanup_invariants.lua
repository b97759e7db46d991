local function given_back(rent, release)
  return function(path)
    assert(path:completed(rent) <= path:completed(release), rent .. " without " .. release)
  end
end

return {
  ["the address is given back"] = given_back("rent_address", "release_address"),
  ["the disk is given back"] = given_back("rent_disk", "release_disk"),
  ["the machine is given back"] = given_back("start_machine", "stop_machine"),
}
