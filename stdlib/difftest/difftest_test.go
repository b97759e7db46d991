// Package difftest compares generated programs with Lua 5.1.
package difftest

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

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// TestDifferential compares random programs with lua5.1, where it is installed. Each run takes another seed; to repeat one or
// to run longer:
//
//	FLOWLUA_FUZZ_SEED=1 FLOWLUA_FUZZ_PROGRAMS=100000 go test -run Differential ./stdlib/difftest
func TestDifferential(t *testing.T) {
	compare(t, 600, generateProgram)
}

// compare runs programs, of which generate makes one of each seed, in flowlua and in lua5.1.
func compare(t *testing.T, programs uint64, generate func(seed uint64) string) {
	path, err := exec.LookPath("lua5.1")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "lua5.1 is not installed: apt-get install lua5.1")
		t.Log("lua5.1 is not installed: nothing to compare with")
		return
	}
	seed := number("FLOWLUA_FUZZ_SEED", uint64(time.Now().UnixNano()))
	programs = number("FLOWLUA_FUZZ_PROGRAMS", programs)
	t.Logf("seed %d", seed)
	file := filepath.Join(t.TempDir(), "test.lua")
	const batch = 200
	for first := uint64(0); first < programs; first += batch {
		bodies := make([]string, batch)
		source := generatedPrelude
		plain := source
		for i := range bodies {
			bodies[i] = generate(seed + first + uint64(i))
			source += fmt.Sprintf("case(%d, function(a, b)\n%s end)\n", i, dialect(bodies[i], true))
			plain += fmt.Sprintf("case(%d, function(a, b)\n%s end)\n", i, dialect(bodies[i], false))
		}
		require.NoError(t, os.WriteFile(file, []byte(plain), 0o600))
		want, err := lua51(path, file)
		require.NoError(t, err, "seed %d: %s", seed+first, want[max(0, len(want)-300):])
		got, err := run(t, source)
		require.NoError(t, err, "seed %d", seed+first)
		if got == string(want) {
			continue
		}
		a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
		last := 0 // the case whose line it is: some texts go over several
		for i := range min(len(a), len(b)) {
			if n := 0; strings.HasPrefix(a[i], fmt.Sprintf("%d", last+1)) {
				if _, err := fmt.Sscanf(a[i], "%d", &n); err == nil && n == last+1 {
					last = n
				}
			}
			if a[i] != b[i] {
				t.Fatalf("seed %d:\n%s\nlua5.1:  %s\nflowlua: %s", seed+first+uint64(last), dialect(bodies[last], true), a[i], b[i])
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

// lua51 runs a file from its own folder, so that messages name it as it is.
func lua51(path, file string) ([]byte, error) {
	command := exec.Command(path, filepath.Base(file))
	command.Dir = filepath.Dir(file)
	command.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
	return command.CombinedOutput()
}

func run(t *testing.T, source string) (string, error) {
	limits := vm.Limits{Instructions: 1e10, Turn: time.Minute, Output: 1 << 30}
	var out strings.Builder
	s := vm.New(vm.Config{Limits: limits, Print: func(line string) { out.WriteString(line + "\n") }})
	defer s.Close()
	stdlib.OpenString(s)
	stdlib.OpenTable(s)
	stdlib.OpenMath(s, nil)
	stdlib.OpenOS(s, time.Unix(0, 0), time.Now)
	chunk, err := vm.Compile("test.lua", source, limits)
	if err != nil {
		return "", err
	}
	_, err = s.Call(s.Load(chunk))
	return out.String(), err
}

// The prelude bounds what a program does and prints, and leaves out what may differ: addresses, the sign of nan, and that
// of zero, which gopher-lua loses.
const generatedPrelude = `
local out, steps, longest = {}, 0, 1e9
function show(v)
	local t = type(v)
	if t == "number" then
		if v ~= v then return "nan" elseif v == 0 then return "0" end
		return tostring(v)
	elseif t == "table" or t == "function" or t == "thread" then return t end
	return (tostring(v):gsub("0x%x+", "0x"):gsub("%-?nan", "nan"):gsub("%z", "\\0"))
end
function P(...)
	if #out > longest then error("long", 0) end
	local n, s = select("#", ...), ""
	for i = 1, n do s = s .. "," .. show((select(i, ...))) end
	out[#out + 1] = s
end
function S() steps = steps + 1 if steps > 400 then error("steps", 0) end return true end
Z = 0
function N(x) x = tonumber(x) if x == 0 then return 0 end if x and x > -1e6 and x < 1e6 then return x end return 3 end
function W(s) if type(s) == "string" then return string.sub(s, 1, 200) end return s end -- or they would grow without end
function Q(x) if x == 0 or x ~= x then return 0 end return x end
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
