package flowlua_test

import (
	"io"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/vm"
)

func benchEngine(b *testing.B, source string) *flowlua.Engine {
	e, err := flowlua.Open(":memory:", flowlua.Config{
		Scripts: fstest.MapFS{"bench.lua": {Data: []byte(prelude + source)}},
		Print:   io.Discard,
		Limits:  vm.Limits{Memory: 1 << 30}, // 100,000 open activities hold more than the 64 MB of an ordinary run
	})
	require.NoError(b, err)
	require.NoError(b, e.RegisterActivity("work", func(n int) (int, error) { return n + 1, nil }))
	return e
}

// BenchmarkActivity measures activities per second in memory: as many in one run, and runs of one.
func BenchmarkActivity(b *testing.B) {
	b.Run("fanout", func(b *testing.B) {
		const n = 100_000
		for b.Loop() {
			e := benchEngine(b, `
				local work, n = flow.activity("work"), ...
				local calls = {}
				for i = 1, n do calls[i] = work(i) end
				local sum = 0
				for i = 1, n do sum = sum + calls[i]:await() end
				return sum`)
			run, err := e.Start(b.Context(), "bench", n, flowlua.StartOptions{})
			require.NoError(b, err)
			var sum int
			require.NoError(b, run.Result(b.Context(), &sum))
			require.Equal(b, n*(n+3)/2, sum)
			require.NoError(b, e.Close(b.Context()))
		}
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "activities/s")
	})
	b.Run("runs", func(b *testing.B) {
		const n = 10_000
		for b.Loop() {
			e := benchEngine(b, `return flow.activity("work")(...):await()`)
			runs := make([]*flowlua.Run, n)
			for i := range runs {
				var err error
				runs[i], err = e.Start(b.Context(), "bench", i, flowlua.StartOptions{ID: strconv.Itoa(i)})
				require.NoError(b, err)
			}
			for _, run := range runs {
				require.NoError(b, run.Result(b.Context()))
			}
			require.NoError(b, e.Close(b.Context()))
		}
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "activities/s")
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "runs/s")
	})
	b.Run("chain", func(b *testing.B) {
		const n = 10_000
		for b.Loop() {
			e := benchEngine(b, `
				local work, n = flow.activity("work"), ...
				local v = 0
				for i = 1, n do v = work(v):await() end
				return v`)
			run, err := e.Start(b.Context(), "bench", n, flowlua.StartOptions{})
			require.NoError(b, err)
			require.NoError(b, run.Result(b.Context()))
			require.NoError(b, e.Close(b.Context()))
		}
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "activities/s")
	})
}
