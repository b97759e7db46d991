package vm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkLoop measures the time of one iteration.
func BenchmarkLoop(b *testing.B) {
	for _, p := range []struct{ name, body string }{
		{"empty", "for i = 1, 1e6 do end"},
		{"add", "local s = 0 for i = 1, 1e6 do s = s + i end"},
		{"jump", "local i = 1e6 while true do i = i - 1 if i == 0 then break end end"},
		{"call", "local function f() end for i = 1, 1e6 do f() end"},
	} {
		b.Run(p.name, func(b *testing.B) {
			s := New(Config{Limits: Limits{Instructions: 1e12, Turn: time.Hour}})
			defer s.Close()
			chunk, err := Compile("bench.lua", p.body, Limits{})
			require.NoError(b, err)
			fn := s.Load(chunk)
			for b.Loop() {
				_, err := s.Call(fn)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/iteration")
		})
	}
}
