package stdlib

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// stringPrograms work on a text s, of lines whose words repeat. What stands before `return function` is not measured.
var stringPrograms = []struct{ name, before, code string }{
	{"match", "", `s:match("(%w+)=(%w+)zzz")`},
	{"gmatch", "", `for w in s:gmatch("%a+") do n = n + 1 end`},
	{"gmatch-pairs", "", `for k, v in s:gmatch("(%w+)=(%w+)") do n = n + 1 end`},
	{"gmatch-numbers", "local d = numbers", `for w in d:gmatch("%d+") do n = n + 1 end`},
	{"gsub-text", "", `s:gsub("%w+", "<%0>")`},
	{"gsub-plain", "", `s:gsub("o", "00")`},
	{"gsub-function", "", `s:gsub("%a+", function(w) return w end)`},
	{"gsub-table", `local t = { quick = "slow" }`, `s:gsub("%a+", t)`},
	{"find-plain", "", `s:find("=valve", 1, true)`},
	{"find", "", `s:find("%d%d%d%d%d%d")`},
	{"rep", "", `line:rep(#s / #line)`},
	{"upper", "", `s:upper()`},
	{"lower", "", `s:lower()`},
	{"reverse", "", `s:reverse()`},
	{"format-s", "", `local t = ("%s: %d"):format(s, 7)`},
	{"format-q", "", `local t = ("%q"):format(s)`},
	{"format-number", "", `for i = 1, #s / 16 do local t = ("%5d %6.2f"):format(i, i / 3) end`},
	{"byte", "", `for i = 1, #s do n = n + s:byte(i) end`},
	{"char", `local char, codes, unpack = string.char, { s:byte(1, 64) }, unpack`, `for i = 1, #s / 64 do char(unpack(codes)) end`},
	{"sub", "", `for i = 1, #s / 8 do local t = s:sub(i * 8, i * 8 + 7) end`},
	{"sub-1", "", `for i = 1, #s do local t = s:sub(i, i) end`},
	{"concat", "", `local t = s .. line .. s`},
	{"table.concat", `local t = {} for w in s:gmatch("%S+") do t[#t + 1] = w end`, `table.concat(t, " ")`},
}

// BenchmarkStrings measures the string library on subjects of 1 KB to 1 MB, of which each op works through 1 MB. ns/KB shows
// whether a function is linear; x-lua5.1 is the time over that of lua5.1 in the same run, where it is installed. Both are
// the processor's time in the fastest of many calls, as a busy machine slows down some; ours has the garbage collector's in it.
func BenchmarkStrings(b *testing.B) {
	for _, p := range stringPrograms {
		for _, size := range []int{1 << 10, 1 << 15, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%d", p.name, size), func(b *testing.B) {
				source := stringProgram(p.before, p.code, size)
				s := luaState(b, vm.Limits{Instructions: 1e12, Turn: time.Hour, PatternSteps: 1e12}, &strings.Builder{})
				chunk, err := vm.Compile("bench.lua", source, vm.Limits{})
				require.NoError(b, err)
				made, err := s.Call(s.Load(chunk))
				require.NoError(b, err)
				best := time.Hour
				for b.Loop() {
					start := cpuTime()
					s.Refill()
					_, err := s.Call(made[0])
					require.NoError(b, err)
					best = min(best, cpuTime()-start)
				}
				b.ReportMetric(float64(best)/(1<<10), "ns/KB")
				if theirs, ok := lua51Seconds(b, source); ok {
					b.ReportMetric(best.Seconds()/theirs, "x-lua5.1")
				}
			})
		}
	}
}

func stringProgram(before, code string, size int) string {
	const line = "the quick brown fox jumps over the lazy dog, key=value; 12345 foo@bar.com"
	return fmt.Sprintf(`local line, size = %q .. "\n", %d
		local s, numbers = line:rep(size / #line + 1):sub(1, size), {}
		for i = 1, size / 8 do numbers[i] = i * 7 %% 1e7 end
		numbers = table.concat(numbers, " ")
		%s
		return function() local n = 0 for _ = 1, %d do %s end return n end`, line, size, before, 1<<20/size, code)
}

// lua51Seconds is how long one call of the function that a source gives takes under lua5.1, if that is installed.
func lua51Seconds(b *testing.B, source string) (float64, bool) {
	path, err := exec.LookPath("lua5.1")
	if err != nil {
		return 0, false
	}
	timed := "local f, clock = (function() " + source + ` end)(), os.clock local first, best = clock(), 1e9
		repeat local start = clock() f() best = math.min(best, clock() - start) until clock() - first > 0.3
		print(("%.9f"):format(best))`
	out, err := exec.Command(path, "-e", timed).Output()
	require.NoError(b, err)
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	require.NoError(b, err)
	return seconds, true
}
