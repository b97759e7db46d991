local flow = require "flow"

local charge = flow.activity("charge", function() end)
local refund = flow.activity("refund", function() end)
local other = flow.workflow("other", function() end)

flow.workflow("main", function(order)
  flow.try {
    function() charge(order) end,
    catch = function(err) refund(order) error(err) end, --> 27 'refund' is not awaited, and the error in line 10 ends catch before it begins: refund(…):await()
    finally = function()
      refund(order):await()
      other(order) --> 7 'other' is not awaited, and the error in line 14 ends finally before it begins: other(…):await()
      error("no")
    end,
  }
  flow.try {
    function() charge(order) error("this is the body") end,
    catch = function(err)
      local p = refund(order)
      refund(order)
      p:await()
      error(err)
    end,
    finally = function() refund(order) end,
  }
end)
