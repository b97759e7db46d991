package vm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDifferential compares random programs with lua5.1, where it is installed. Each run takes another seed; to repeat one or
// to run longer:
//
//	FLOWLUA_FUZZ_SEED=1 FLOWLUA_FUZZ_PROGRAMS=100000 go test -run Differential ./vm
func TestDifferential(t *testing.T) {
	path, err := exec.LookPath("lua5.1")
	if err != nil {
		t.Log("lua5.1 is not installed: nothing to compare with")
		return
	}
	seed := number("FLOWLUA_FUZZ_SEED", uint64(time.Now().UnixNano()))
	programs := number("FLOWLUA_FUZZ_PROGRAMS", 600)
	t.Logf("seed %d", seed)
	const batch = 200
	for first := uint64(0); first < programs; first += batch {
		bodies := make([]string, batch)
		source := generatedPrelude
		for i := range bodies {
			bodies[i] = generateProgram(seed + first + uint64(i))
			source += fmt.Sprintf("case(%d, function(a, b)\n%s end)\n", i, bodies[i])
		}
		file := filepath.Join(t.TempDir(), "test.lua")
		require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
		want, err := exec.Command(path, file).CombinedOutput()
		require.NoError(t, err, "seed %d: %s", seed+first, want[max(0, len(want)-300):])
		got, err := run(t, source, Limits{Instructions: 1e10, Turn: time.Minute})
		require.NoError(t, err, "seed %d", seed+first)
		if got == string(want) {
			continue
		}
		a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
		for i := range min(len(a), len(b)) {
			if i < batch && a[i] != b[i] {
				t.Fatalf("seed %d:\n%s\nlua5.1:  %s\nflowlua: %s", seed+first+uint64(i), bodies[i], a[i], b[i])
			}
		}
		t.Fatalf("seed %d: %d lines instead of %d", seed+first, len(b), len(a))
	}
}

func number(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

// The prelude bounds what a program does and prints, and leaves out what may differ: addresses, the sign
// of zero and nan, positions, and names of variables in messages, of which some are lost.
const generatedPrelude = `
local out, steps, longest
local function show(v)
	local t = type(v)
	if t == "number" then
		if v ~= v then return "nan" elseif v == 0 then return "0" end
		return tostring(v)
	elseif t == "table" or t == "function" or t == "thread" then return t end
	v = tostring(v):gsub("[%w_/.]+%.lua:%d+: ", ""):gsub("%a+ '[^']*' %((a %a+ value)%)", "%1")
	return v
end
function P(...)
	if #out > longest then error("long", 0) end
	local n, s = select("#", ...), ""
	for i = 1, n do s = s .. "," .. show((select(i, ...))) end
	out[#out + 1] = s
end
function S() steps = steps + 1 if steps > 400 then error("steps", 0) end return true end
function N(x) x = tonumber(x) if x and x > -1e6 and x < 1e6 then return x end return 3 end
function T(...) S() return ... end
function M(a, b) S() return a, b, nil, a end
O = {v = 1} function O:m(...) S() return self.v, ... end
MT = setmetatable({}, {__index = function(t, k) S() return k end, __call = function(self, ...) S() return ... end,
	__add = function(a, b) return "add" end, __concat = function(a, b) return "cat" end, __eq = function() return true end})
function IT(s, c) S() c = (c or 0) + 1 if c <= 3 then return c, s end end
function case(i, f)
	out, steps, longest, X, Y = {}, 0, 300, {1, 2, k = 3}, 5
	local ok, e = pcall(function() P(f(1, "q")) end)
	longest = 1e9
	P(ok, ok or show(e), Y)
	print(i .. table.concat(out, ";"))
end
`
