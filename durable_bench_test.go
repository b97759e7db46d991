package flowlua_test

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

// counted is a store that counts what goes through it.
type counted struct {
	*sqlite.Store
	commits, steps atomic.Int64
	inside         atomic.Int64 // ns in Commit
	turns          []*history.Turn
	runs           []*history.Run // as they began
}

func (c *counted) Commit(ctx context.Context, owner int64, steps []history.Step) ([]history.Written, error) {
	begun := time.Now()
	written, err := c.Store.Commit(ctx, owner, steps)
	c.inside.Add(int64(time.Since(begun)))
	c.commits.Add(1)
	c.steps.Add(int64(len(steps)))
	for i := range steps { // one goroutine commits; bytes are counted when nobody counts the time
		if steps[i].Turn != nil {
			c.turns = append(c.turns, steps[i].Turn)
		}
		for j := range steps[i].Start {
			c.runs = append(c.runs, &steps[i].Start[j].Run)
		}
	}
	return written, err
}

// rows are those that the store had to write, each once: the turns as they are encoded, and the texts of the runs.
func (c *counted) rows(t require.TestingT) (rows [][]byte) {
	for _, turn := range c.turns {
		text, err := history.EncodeTurn(turn)
		require.NoError(t, err)
		rows = append(rows, text)
	}
	for _, run := range c.runs {
		rows = append(rows, slices.Concat([]byte(run.ID), []byte(run.Workflow), []byte(run.Program), run.Input))
	}
	return rows
}

// BenchmarkDurable measures runs that are kept in a file, each commit synced to the disk. x-raw is the ratio of the time to that of
// writing the same bytes, in as many rows and as many commits, with SQLite alone, measured right after in the same place.
func BenchmarkDurable(b *testing.B) {
	for _, c := range []struct {
		name, script        string
		runs, atOnce, calls int // in each iteration; activities of each run
	}{
		{"single", `return flow.activity("work")(...):await()`, 2000, 64, 1},
		{"chain", `local work, v = flow.activity("work"), ... for i = 1, 10 do v = work(v):await() end return v`, 500, 64, 10},
		{"fanout", `
			local work, calls = flow.activity("work"), {}
			for i = 1, 100 do calls[i] = work(i) end
			for i = 1, 100 do calls[i]:await() end`, 100, 8, 100},
		{"alone", `local work, v = flow.activity("work"), ... for i = 1, 10 do v = work(v):await() end return v`, 20, 1, 10},
	} {
		b.Run(c.name, func(b *testing.B) {
			folder := b.TempDir()
			file, err := sqlite.Open(filepath.Join(folder, "runs.db"), sqlite.Config{})
			require.NoError(b, err)
			store := &counted{Store: file}
			e, err := flowlua.Open("", flowlua.Config{Store: store, Scripts: fstest.MapFS{"bench.lua": {Data: []byte(prelude + c.script)}}, Print: io.Discard})
			require.NoError(b, err)
			require.NoError(b, e.RegisterActivity("work", func(n int) (int, error) { return n + 1, nil }))
			for b.Loop() {
				var left atomic.Int64
				left.Store(int64(c.runs))
				var wg sync.WaitGroup
				for range c.atOnce {
					wg.Go(func() {
						for left.Add(-1) >= 0 {
							run, err := e.Start(b.Context(), "bench", 1, flowlua.StartOptions{})
							if err == nil {
								err = run.Result(b.Context())
							}
							if err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				wg.Wait()
			}
			took := b.Elapsed()
			runs := float64(b.N * c.runs)
			require.NoError(b, e.Close(context.Background()))
			b.ReportMetric(runs/took.Seconds(), "runs/s")
			b.ReportMetric(runs*float64(c.calls)/took.Seconds(), "activities/s")
			b.ReportMetric(float64(store.steps.Load())/float64(store.commits.Load()), "steps/commit")
			b.ReportMetric(float64(store.commits.Load())/runs, "commits/run")
			b.ReportMetric(float64(store.inside.Load())/float64(took), "in-store")
			b.ReportMetric(float64(took)/float64(raw(b, store)), "x-raw")
		})
	}
}
