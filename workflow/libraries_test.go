package workflow_test

import "testing"

// The libraries are opened when a script first looks into them; no script can tell.
func TestLibrariesAreThere(t *testing.T) {
	for name, c := range map[string][2]string{
		"a field":              {`return math.floor(1.5), os.time() > 0, string.upper("x")`, `[1,true,"X"]`},
		"a method of a string": {`return ("x"):rep(3), #("x"):rep(2)`, `["xxx",2]`},
		"one table":            {`local m = math; local f = m.floor; return m == math, f == math.floor, rawequal(m.abs, math.abs)`, `[true,true,true]`},
		"an addition":          {`function string.double(s) return s .. s end; return ("x"):double(), string.len("abc")`, `["xx",3]`},
		"a replacement":        {`math.floor = function() return "mine" end; return math.floor(1), math.ceil(0.5)`, `["mine",1]`},
		"all of it":            {`local n = 0; for k, v in pairs(math) do n = n + 1 end; return n > 25, next(os) ~= nil`, `[true,true]`},
		"raw":                  {`return rawget(math, "pi") == math.pi, rawget(os, "nothing"), getmetatable(string)`, `[true,null,null]`},
		"raw set":              {`rawset(math, "pi", 3); return math.pi, math.huge > 1`, `[3,true]`},
		"a metatable":          {`setmetatable(math, { __index = function(_, k) return k end }); return math.nothing, math.max(1, 2)`, `["nothing",2]`},
		"gone":                 {`local m = math; math = nil; return m.max(1, 2), math`, `[2,null]`},
		"strict globals":       {`local m = math; math = nil; setmetatable(_G, { __newindex = function() error("strict") end }); return m.max(1, 2)`, `[2]`},
		"table":                {`unpack = nil; return table.unpack({ 1, 2 })`, `[1,2]`},
		"foreach":              {`local n = 0; table.foreach(string, function() n = n + 1 end); return n > 10`, `[true]`},
	} {
		t.Run(name, func(t *testing.T) { start(t, c[0], nil).completes(c[1]) })
	}
	start(t, `local n = 0; for name, v in pairs(flow) do n = n + 1; assert(v == flow[name], name) end; return n > 35, rawget(flow, "log") ~= nil`, nil).completes(`[true,true]`)
	start(t, `return math`, nil).fails("Error", "function cannot leave the run")
}
