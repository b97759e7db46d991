-- A transfer that is asked for again with the same reference (the fourth argument) is made once by the bank.
return {
  ["a wage is paid once"] = function(path)
    local paid = {}
    for _, call in ipairs(path:calls("transfer")) do
      local to, times = call.args[2], call.worked
      if call.args[4] then
        times = math.min(times, 1)
      end
      paid[to] = (paid[to] or 0) + times
      assert(paid[to] <= 1, "account " .. to .. " has got its wage " .. paid[to] .. " times")
    end
  end,
}
