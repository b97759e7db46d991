package flowlua_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

// BenchmarkRestart opens an engine on a file with 100,000 runs that wait for a signal or a timer: how long it takes until it drives
// them, how much memory is held then, and how long a signal takes until it is in the history of a run that is not in memory.
func BenchmarkRestart(b *testing.B) {
	const open = 100_000
	file := filepath.Join(b.TempDir(), "runs.db")
	fill(b, file, open)
	var restart, signal time.Duration
	var held uint64
	for b.Loop() {
		before := heap()
		begun := time.Now()
		e := openOn(b, file)
		require.NoError(b, e.Recover(b.Context()))
		restart += time.Since(begun)
		const signals = 100
		for i := range signals {
			begun := time.Now()
			require.NoError(b, e.Signal(b.Context(), fmt.Sprint("run-", i*997%open), "go", i))
			signal += time.Since(begun) / signals
		}
		held = heap() - before
		require.NoError(b, e.Close(context.Background()))
	}
	n := float64(b.N)
	b.ReportMetric(restart.Seconds()/n, "restart-s")
	b.ReportMetric(float64(held)/(1<<20), "held-MB")
	b.ReportMetric(signal.Seconds()*1000/n, "signal-ms")
}

func openOn(b *testing.B, file string) *flowlua.Engine {
	e, err := flowlua.Open(file, flowlua.Config{Print: io.Discard, Scripts: fstest.MapFS{"wait.lua": {Data: []byte(prelude + `
		local n = ...
		local timer = flow.spawn(function() flow.sleep(3600 + n) end)
		for value in flow.signal("go"):each() do flow.status(value) end`)}}})
	require.NoError(b, err)
	return e
}

func fill(b *testing.B, file string, n int) {
	e := openOn(b, file)
	var wg sync.WaitGroup
	next := make(chan int)
	for range 256 {
		wg.Go(func() {
			for i := range next {
				if _, err := e.Start(context.Background(), "wait", i, flowlua.StartOptions{ID: fmt.Sprint("run-", i)}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	require.NoError(b, e.Close(context.Background()))
}

// heap is how much memory is in use.
func heap() uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// BenchmarkLongHistory appends to one run until its history has a million events, and replays it: the last turns must take no
// longer than the first, and the replay the same time for each event.
func BenchmarkLongHistory(b *testing.B) {
	const turns = 500_000 // an activity completes, the next is scheduled
	for b.Loop() {
		store, err := sqlite.Open(filepath.Join(b.TempDir(), fmt.Sprint("runs", time.Now().UnixNano(), ".db")), sqlite.Config{Synchronous: "normal"})
		require.NoError(b, err)
		var marks []time.Time
		e, err := flowlua.Open("", flowlua.Config{
			Store: store, Print: io.Discard,
			Scripts: fstest.MapFS{"long.lua": {Data: []byte(prelude + `local work = flow.activity("work") for i = 1, ... do work(i):await() end return "done"`)}},
			Observer: flowlua.Observer{Turn: func(_ history.Ref, turn history.Turn) {
				if turn.Seq%(turns/10) == 0 {
					marks = append(marks, time.Now())
				}
			}},
		})
		require.NoError(b, err)
		require.NoError(b, e.RegisterActivity("work", func(n int) int { return n }))
		run, err := e.Start(b.Context(), "long", turns-1, flowlua.StartOptions{ID: "long"})
		require.NoError(b, err)
		require.NoError(b, run.Result(b.Context()))
		first, last := marks[1].Sub(marks[0]), marks[9].Sub(marks[8])
		b.ReportMetric(float64(last)/float64(first), "x-first")
		b.ReportMetric(float64(turns/10)/last.Seconds(), "appends/s")
		begun := time.Now()
		_, err = e.Dump(b.Context(), "long")
		require.NoError(b, err)
		b.ReportMetric(float64(2*turns)/time.Since(begun).Seconds(), "replayed/s")
		require.NoError(b, e.Close(context.Background()))
	}
}
