-- Nested scopes: an error goes up only as far as the first scope that handles it.
--
-- b fails. The inner catch reports it and returns, so the outer scope never hears of it, and a and c go on. With "rethrow" the
-- inner catch raises it again: a and c are cancelled, and the outer catch gets it.
--
--   flowlua run scripts/nested.lua
--   flowlua run scripts/nested.lua --input '{"rethrow": true}'
local flow = require "flow"

local a = flow.activity("a", { start_to_close = "10s" }, function()
  flow.sleep("100ms")
  return "a is done"
end)
local b = flow.activity("b", { start_to_close = "10s" }, function() error(flow.error("Trouble", "b does not work")) end)
local c = flow.activity("c", { start_to_close = "10s" }, function()
  flow.sleep("100ms")
  return "c is done"
end)

flow.workflow("nested", function(options)
  local rethrow = options and options.rethrow

  return flow.try {
    function()
      local first = a()

      flow.try {
        function() b() end,
        catch = function(err)
          print("inner scope: " .. tostring(err))
          if rethrow then error(err) end
        end,
        finally = function() print("inner scope: closed") end,
      }

      local second = c()
      return flow.all { first, second }
    end,

    catch = function(err)
      print("outer scope: " .. tostring(err))
      return { "stopped" }
    end,
  }
end)
