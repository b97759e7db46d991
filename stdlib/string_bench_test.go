package stdlib

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// BenchmarkStrings measures the string library on subjects of 1 KB to 1 MB. ns/KB shows whether a function is linear.
func BenchmarkStrings(b *testing.B) {
	const line = "the quick brown fox jumps over the lazy dog, key=value; 12345 foo@bar.com\n"
	for _, c := range []struct{ name, code string }{
		{"match", `s:match("(%w+)=(%w+)zzz")`},
		{"gmatch", `for w in s:gmatch("%a+") do n = n + 1 end`},
		{"gmatch-pairs", `for k, v in s:gmatch("(%w+)=(%w+)") do n = n + 1 end`},
		{"gsub-text", `s:gsub("%w+", "<%0>")`},
		{"gsub-function", `s:gsub("%a+", function(w) return w end)`},
		{"gsub-table", `s:gsub("%a+", { quick = "slow" })`},
		{"upper", `s:upper()`},
	} {
		for _, size := range []int{1 << 10, 1 << 15, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				var out strings.Builder
				s := luaState(b, vm.Limits{}, &out)
				source := fmt.Sprintf("local s = ([[\n%s]]):rep(%d):sub(1, %d) return function() local n = 0 %s end", line, size/len(line)+1, size, c.code)
				chunk, err := vm.Compile("bench.lua", source, vm.Limits{})
				require.NoError(b, err)
				made, err := s.Call(s.Load(chunk))
				require.NoError(b, err)
				for b.Loop() {
					s.Refill()
					_, err := s.Call(made[0])
					require.NoError(b, err)
				}
				perCall := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(perCall*1e9/float64(size>>10), "ns/KB")
				if theirs, ok := lua51Seconds(b, source); ok {
					b.ReportMetric(perCall/theirs, "x-lua5.1")
				}
			})
		}
	}
}

// lua51Seconds is how long one call of the function that a source gives takes under lua5.1, if that is installed.
func lua51Seconds(b *testing.B, source string) (float64, bool) {
	path, err := exec.LookPath("lua5.1")
	if err != nil {
		return 0, false
	}
	timed := "local f = (function() " + source + ` end)() local n, start = 0, os.clock()
		repeat f() n = n + 1 until os.clock() - start > 0.2 print((os.clock() - start) / n)`
	out, err := exec.Command(path, "-e", timed).Output()
	require.NoError(b, err)
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	require.NoError(b, err)
	return seconds, true
}
