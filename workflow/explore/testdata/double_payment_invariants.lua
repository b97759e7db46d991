return {
  ["an order is paid once"] = function(path)
    local keys, payments = {}, 0
    for _, call in ipairs(path:calls("charge")) do
      local key = call.args[3]
      if call.worked > 0 and not keys[key] then
        keys[key] = true
        payments = payments + 1
      end
    end
    assert(payments <= 1, "the card was charged " .. payments .. " times, under different keys")
  end,
}
