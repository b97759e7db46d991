-- A trip is booked as a whole or not at all.
return {
  ["nothing stays booked of a trip that is not made"] = function(path)
    if path.status == "completed" then return end
    for _, what in ipairs { "flight", "hotel", "car" } do
      assert(path:completed("book_" .. what) == path:completed("cancel_" .. what), "the " .. what .. " stays booked")
    end
  end,
}
