package stdlib

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// inventory prints all that a script can reach: names, kinds and plain values.
const inventory = `
	local seen, lines = {}, {}
	local function visit(path, v)
		local text = type(v)
		if text ~= "table" and text ~= "function" and text ~= "userdata" and text ~= "thread" then text = text .. " " .. tostring(v) end
		lines[#lines + 1] = path .. " " .. text
		if seen[v] then return end
		if text == "table" then
			seen[v] = true
			for k, x in next, v do visit(path .. "." .. tostring(k), x) end
		end
		if text == "table" or text == "userdata" or type(v) == "string" then visit(path .. "<meta>", getmetatable(v)) end
	end
	local names = {}
	for k in next, _G do names[#names + 1] = tostring(k) end
	table.sort(names)
	for _, k in ipairs(names) do visit(k, rawget(_G, k)) end
	visit("flow", require "flow") visit("json", require "json") visit("text", ("").upper and "x")
	for _, f in ipairs { "upper", "rep", "find" } do lines[#lines + 1] = f .. " " .. tostring(("x")[f] == string[f]) end
	table.sort(lines)
	return table.concat(lines, "\n"), ("x"):upper(), #("x"):rep(3), tostring(nil), require("json").encode({1}), 1 .. 2, ("3") + 4`

// vandalism is what a script may do to all that it can reach.
const vandalism = `
	local flow, json = require "flow", require "json"
	local function spoil(t)
		pcall(function() getmetatable(t).__index = function() return "stolen" end end)
		pcall(function() getmetatable(t).__tostring = function() return "stolen" end end)
		pcall(setmetatable, t, { __index = function() return "stolen" end, __tostring = function() return "stolen" end })
		local keys = {}
		pcall(function() for k in next, t do keys[#keys + 1] = k end end)
		for _, k in ipairs(keys) do if t ~= _G then pcall(rawset, t, k, "stolen") pcall(function() t[k] = "stolen" end) end end
		pcall(rawset, t, "planted", "stolen") pcall(rawset, t, 1, "stolen")
	end
	local pairs, type, pcall, rawset, ipairs, setmetatable, getmetatable, next = pairs, type, pcall, rawset, ipairs, setmetatable, getmetatable, next
	local reach = {}
	for _, v in next, _G do reach[#reach + 1] = v end
	for _, f in ipairs { "setmetatable", "setuservalue" } do
		local lib = rawget(_G, "debug")
		local ok, set = pcall(function() return lib[f] end)
		if ok then for _, v in ipairs { "", 1, true, print, coroutine.create(print) } do pcall(set, v, { __index = function() return "stolen" end, __add = function() return "stolen" end }) end pcall(set, nil, {}) end
	end
	local ok, meta = pcall(getmetatable, "")
	if type(meta) == "table" then spoil(meta) end
	pcall(spoil, flow) pcall(spoil, json) pcall(spoil, json.null)
	for _, v in ipairs(reach) do if type(v) == "table" and v ~= _G then spoil(v) end end
	pcall(function() for k in next, package.loaded do package.loaded[k] = "stolen" end end)
	local g = _G
	for k in next, g do rawset(g, k, nil) end
	pcall(setmetatable, g, { __index = function() return "stolen" end, __newindex = function() end })`

// TestRunsShareNothing: whatever one script does, another one finds the world as it was, be its state older or newer.
func TestRunsShareNothing(t *testing.T) {
	look := func(s *vm.State) []string {
		chunk, err := vm.Compile("inventory.lua", inventory, vm.Limits{})
		require.NoError(t, err)
		out, err := s.Call(s.Load(chunk))
		require.NoError(t, err)
		var texts []string
		for _, v := range out {
			texts = append(texts, textIn(t, s, v))
		}
		return texts
	}
	fresh := func() *run {
		r := newRun(newWorld())
		t.Cleanup(r.close)
		return r
	}
	want := look(fresh().state)
	require.Equal(t, []string{"X", "3", "nil", "[1]", "12", "7"}, want[1:])
	require.Greater(t, strings.Count(want[0], "\n"), 150)

	older, vandal := fresh(), fresh()
	chunk, err := vm.Compile("vandalism.lua", vandalism, vm.Limits{})
	require.NoError(t, err)
	_, err = vandal.state.Call(vandal.state.Load(chunk))
	require.NoError(t, err)
	require.Equal(t, want, look(older.state))
	require.Equal(t, want, look(fresh().state))

	// A chunk is shared; what one state has made of it is not.
	_, err = older.state.Call(older.state.Load(chunk))
	require.NoError(t, err)
	require.Equal(t, want, look(fresh().state))
}

// leaks are texts that tell something about the host or about how this is made.
var leaks = regexp.MustCompile(`0x[0-9a-f]*[1-9a-f][0-9a-f]{5,}|\*?\blua\.L|interface ?\{|\bmap\[|%!|\.go\b|goroutine|runtime error|nil pointer|out of range \[|github\.com|reflect\.|strconv\.|<nil>|0xc0`)

// TestNothingOfTheHostShows: what the functions of all libraries return and say when they are called with whatever there is
// holds no address, no path, no variable of the environment and nothing of Go.
func TestNothingOfTheHostShows(t *testing.T) {
	r := newRun(newWorld())
	t.Cleanup(r.close)
	s := r.state
	OpenOS(s, r.now, r.world.Now)
	limits := vm.Limits{}
	chunk, err := vm.Compile("caller.lua", `local f = ... return function(...) return f(...) end`, limits)
	require.NoError(t, err)

	type callee struct {
		path string
		fn   lua.LValue
	}
	var callees []callee
	seen := map[lua.LValue]bool{}
	var walk func(path string, v lua.LValue)
	walk = func(path string, v lua.LValue) {
		switch v := v.(type) {
		case *lua.LFunction:
			if !seen[v] {
				seen[v] = true
				callees = append(callees, callee{path, v})
			}
		case *lua.LTable:
			if seen[v] {
				return
			}
			seen[v] = true
			s.Complete(v)
			for k, x := v.Next(lua.LNil); k != lua.LNil; k, x = v.Next(k) {
				walk(path+"."+k.String(), x)
			}
			walk(path+"<meta>", v.Metatable)
		}
	}
	walk("_G", s.Globals())
	out, err := s.Call(s.Globals().RawGetString("require"), lua.LString("flow"))
	require.NoError(t, err)
	walk("flow", out[0])
	out, err = s.Call(s.Globals().RawGetString("require"), lua.LString("json"))
	require.NoError(t, err)
	walk("json", out[0])
	require.Greater(t, len(callees), 120)

	odd := []func() lua.LValue{
		func() lua.LValue { return lua.LNil },
		func() lua.LValue { return lua.LTrue },
		func() lua.LValue { return lua.LNumber(0) },
		func() lua.LValue { return lua.LNumber(-1) },
		func() lua.LValue { return lua.LNumber(2.5) },
		func() lua.LValue { return lua.LNumber(math.Inf(1)) },
		func() lua.LValue { return lua.LNumber(math.NaN()) },
		func() lua.LValue { return lua.LNumber(1 << 53) },
		func() lua.LValue { return lua.LString("") },
		func() lua.LValue { return lua.LString("%") },
		func() lua.LValue { return lua.LString("*t%p%v%T\x00[") },
		func() lua.LValue { return lua.LString("../etc/passwd") },
		func() lua.LValue { return s.Main().CreateTable(0, 0) },
		func() lua.LValue {
			list := s.Main().CreateTable(0, 0)
			list.Append(s.Main().CreateTable(0, 0))
			list.Append(lua.LTrue)
			return list
		},
		func() lua.LValue { return s.Func("odd", func(*lua.LState) int { return 0 }) },
		func() lua.LValue { return &lua.LUserData{Metatable: lua.LNil} },
		func() lua.LValue { return s.Null() },
	}
	host, err := os.Hostname()
	require.NoError(t, err)
	directory, err := os.Getwd()
	require.NoError(t, err)
	secrets := []string{host, directory, os.TempDir(), "hostile-secret"}
	t.Setenv("FLOWLUA_SECRET", "hostile-secret")

	check := func(c callee, args []lua.LValue, text string) {
		t.Helper()
		shown := func() string { return fmt.Sprintf("%s%v says %q", c.path, args, text) }
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				require.Failf(t, "the host shows", "%s", shown())
			}
		}
		if leak := leaks.FindString(text); leak != "" {
			require.Failf(t, "the host shows", "%q in %s", leak, shown())
		}
	}
	skip := []string{"_G.print", "_G.setfenv"}
	for _, c := range callees {
		if slices.Contains(skip, c.path) {
			continue
		}
		made, err := s.Call(s.Load(chunk), c.fn)
		require.NoError(t, err)
		try := func(args ...lua.LValue) {
			t.Helper()
			defer func() {
				switch r := recover().(type) {
				case nil, *vm.LimitError:
				default:
					require.Failf(t, "panic", "%s%v: %v", c.path, args, r)
				}
			}()
			s.Refill()
			results, err := s.Call(made[0], args...)
			if err != nil {
				check(c, args, err.Error())
			}
			for _, v := range results {
				if v.Type() != lua.LTTable || v.(*lua.LTable).Metatable == lua.LNil {
					check(c, args, textIn(t, s, v))
				}
			}
		}
		try()
		for _, a := range odd {
			try(a())
			for _, b := range odd {
				try(a(), b())
				try(a(), b(), a())
			}
		}
	}
}

// textIn is tostring(v).
func textIn(t *testing.T, s *vm.State, v lua.LValue) string {
	t.Helper()
	text, err := s.Call(s.Globals().RawGetString("tostring"), v)
	require.NoError(t, err)
	return text[0].String()
}
