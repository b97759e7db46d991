package stdlib

import (
	"fmt"
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
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size>>10), "ns/KB")
			})
		}
	}
}
