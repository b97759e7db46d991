package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMadeUpValues: scripts complete on the usual path, and do their work, with values that nobody has given.
func TestMadeUpValues(t *testing.T) {
	for _, one := range []struct{ what, script, invariant string }{
		{"fields of the input", `flow.workflow("w", function(order) return order.price * order.quantity + #order.items .. order.customer.name:upper() end)`,
			`path.status == "completed"`},
		{"a list", `flow.workflow("w", function() for _, item in ipairs(a():await()) do b(item.sku, item.price * 2):await() end end)`,
			`path:count("b") == 2`},
		{"a list of texts", `flow.workflow("w", function(names) for _, name in ipairs(names) do a("to " .. name):await() end end)`,
			`path:count("a") == 2`},
		{"a number", `flow.workflow("w", function() local n = a():await() for i = 1, n do b(i):await() end end)`,
			`path:count("b") == 2`},
		{"a text", `flow.workflow("w", function() local url = a():await() return url:sub(1, 1) end)`,
			`path.status == "completed"`},
		{"what its own implementation returns", `local own = flow.activity("own", function() return "text" end)
flow.workflow("w", function() local x = own():await() return string.rep(x, 2) end)`,
			`path.result == "own-1own-1"`},
		{"a text that is compared", `flow.workflow("w", function() local p = a():await() if p.state == "paid" then b():await() end end)`,
			`path:count("b") == 1`},
		{"calls that differ", `flow.workflow("w", function() return a():await().id .. a():await().id end)`,
			`path.result == "a-1a-2"`},
		{"a signal", `flow.workflow("w", function() local s = flow.signal("go"):await() return s.amount + 1 end)`,
			`path.result == 3`},
		{"a list of numbers", `flow.workflow("w", function(order) local best = 0 for _, x in ipairs(order.items) do if x > best then best = x end end return best end)`,
			`path.result == 3`},
		{"a list of texts that are compared", `flow.workflow("w", function() local names = a():await() for _, n in ipairs(names) do if n < "m" then b(n:upper()):await() end end end)`,
			`path:count("b") == 2`},
		{"several parameters", `flow.workflow("w", function(symbol, limit) if a(symbol):await() <= limit then return limit end end)`,
			`path.result == 2`},
		{"several arguments of a signal", `flow.workflow("w", function() local who, most = flow.signal("raise"):await() return most + 1 .. who:lower() end)`,
			`path.result == "3raise-1"`},
		{"through functions", `local function sum(list) local n = 0 for _, x in ipairs(list) do n = n + x.amount end return n end
flow.workflow("w", function(order) local lines = a(order):await() return sum(lines) end)`,
			`path.result == 4`},
	} {
		t.Run(one.what, func(t *testing.T) {
			c := with(t, calm(t, one.script), `invariant = function(path) if tostring(path) == "default" then assert(`+one.invariant+`) end end`)
			for _, f := range run(t, c).Failures {
				require.Fail(t, f.Message, f.Text)
			}
		})
	}
}

// TestOtherValues: what makes a script decide otherwise is tried.
func TestOtherValues(t *testing.T) {
	for script, invariant := range map[string]string{
		`local ok = a():await() if not ok then b():await() end`:                                                     `path:count("b") == 0`,
		`local p = a():await() if p.state == "paid" then b():await() elseif p.state == "late" then c():await() end`: `path:count("c") == 0`,
		`local p = a():await() if not p.approved then b():await() end`:                                              `path:count("b") == 0`,
		`if flow.signal("decision"):await() then b():await() else c():await() end`:                                  `path:count("c") == 0`,
	} {
		breaks(t, with(t, calm(t, script), `invariant = function(path) assert(`+invariant+`) end`), "invariant")
	}
}

// TestErrorsOfTheScript: what it handles by name is what activities fail with.
// TestGuessesAreTheLastReason: what is shown is a fault that may really come, and only if there is none a value that was guessed.
func TestGuessesAreTheLastReason(t *testing.T) {
	script := `flow.workflow("w", function()
  local ticket = a():await()
  local ok = pcall(function() b():await() end)
  if ticket and ok then c():await() end
end)`
	invariant := `["c is done"] = function(path) assert(path:completed("c") > 0) end`
	c := wild(t, script)
	c.NoCancel, c.NoCrash = true, true
	require.Contains(t, breaks(t, with(t, c, invariant+`, activities = { a = { errors = false } }`), "c is done").Text, "* 3  0s  b fails: ServiceError")
	f := breaks(t, with(t, c, invariant+`, activities = { a = { errors = false }, b = { errors = false }, c = { errors = false } }`), "c is done")
	require.Contains(t, f.Text, "* 2  0s  a succeeds: false (a guess)")
	f = breaks(t, with(t, c, invariant+`, activities = { a = { outcomes = { 1, false }, errors = false }, b = { errors = false }, c = { errors = false } }`), "c is done")
	require.Contains(t, f.Text, "* 2  0s  a succeeds: false\n")
}

func TestErrorsOfTheScript(t *testing.T) {
	c := wild(t, `return flow.try { function() a():await() end, catch = { CardDeclined = function() b():await() end } }`)
	breaks(t, with(t, c, `invariant = function(path) assert(path:count("b") == 0) end`), "invariant")

	c = wild(t, `local own = flow.activity("own", function() error(flow.error("SoldOut", "none left")) end)
flow.workflow("w", function()
  local ok, err = pcall(function() own():await() end)
  if not ok and err:is("SoldOut") then b():await() end
  a():await()
end)`)
	f := breaks(t, with(t, c, `invariant = function(path) assert(path:count("b") == 0) end`), "invariant")
	require.Equal(t, "SoldOut", f.Path.Calls[0].Failure.Name)
	holds(t, with(t, c, `invariant = function(path)
  for _, call in ipairs(path:calls("a")) do assert(not call.error or call.error.name ~= "SoldOut") end
end`))
}
