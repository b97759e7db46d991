package sqlite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

var benchScript = history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return 1"}}

// benchTurn is one of a workflow that calls an activity after the other: about 300 bytes.
func benchTurn(seq int64) *history.Turn {
	at := time.Unix(1_790_000_000, seq).UTC()
	return &history.Turn{Seq: seq, Time: at,
		Events: []history.Event{{Kind: history.ActivityCompleted, Op: "@4/17", Payload: json.RawMessage(`[{"receipt":"8c7dd922ad47494f","amount":4950,"currency":"EUR","at":"2026-09-01T12:00:00Z","lines":[1,2,3]}]`)}},
		Decisions: []history.Event{{Kind: history.ActivityScheduled, Op: "@4/18", Name: "deliver", Payload: json.RawMessage(`[{"receipt":"8c7dd922ad47494f","to":{"street":"Lindenallee 5","city":"Halle"}}]`),
			Activity: &history.ActivityOptions{StartToClose: time.Minute, Retry: &history.RetryOptions{Initial: time.Second, MaxAttempts: 5}}}}}
}

// BenchmarkCommit commits turns of many open runs, and x-raw is how much longer that takes than what SQLite needs to store the
// same bytes in one table in as many transactions.
func BenchmarkCommit(b *testing.B) {
	const runs = 1000
	ctx := context.Background()
	for _, size := range []int{1, 32, 64} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s, err := sqlite.Open(filepath.Join(b.TempDir(), "f.db"), sqlite.Config{})
			require.NoError(b, err)
			defer s.Close()
			me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<40, 0)})
			require.NoError(b, err)
			var start history.Step
			for i := range runs {
				start.Start = append(start.Start, history.NewRun{Sources: benchScript,
					Run: history.Run{Ref: history.Ref{ID: fmt.Sprintf("order-%d", i)}, Workflow: "order", Program: benchScript.Hash(), Input: json.RawMessage(`[{"id":7}]`), Created: time.Unix(1_790_000_000, 0)}})
			}
			commit(b, s, me, start)
			at := make([]int64, runs)
			steps := make([]history.Step, size)
			next := 0
			prepare := func() {
				for i := range steps {
					run := next * 7919 % runs
					next++
					at[run]++
					steps[i] = history.Step{Ref: history.Ref{ID: start.Start[run].Run.ID, Number: 1}, Turn: benchTurn(at[run]), Wake: time.Unix(1_790_000_060, 0)}
				}
			}
			data, err := history.EncodeTurn(benchTurn(1))
			require.NoError(b, err)
			bytes := len(data)
			raw, rawTime := rawCommit(b, size, bytes), time.Duration(0)
			for b.Loop() {
				prepare()
				commit(b, s, me, steps...)
				b.StopTimer() // the machine is as busy for the one as for the other
				begun := time.Now()
				raw()
				rawTime += time.Since(begun)
				b.StartTimer()
			}
			ours := b.Elapsed()
			b.ReportMetric(float64(b.N*size)/ours.Seconds(), "turns/s")
			b.ReportMetric(float64(b.N)/ours.Seconds(), "commits/s")
			b.ReportMetric(float64(bytes), "B/turn")
			b.ReportMetric(ours.Seconds()/rawTime.Seconds(), "x-raw")
		})
	}
}

func commit(t require.TestingT, s history.Store, owner int64, steps ...history.Step) {
	written, err := s.Commit(context.Background(), owner, steps)
	require.NoError(t, err)
	for i := range written {
		require.NoError(t, written[i].Err)
	}
}

// BenchmarkShortRuns starts runs, has them make two turns and end, in commits of 64 of them.
func BenchmarkShortRuns(b *testing.B) {
	ctx := context.Background()
	s, err := sqlite.Open(filepath.Join(b.TempDir(), "f.db"), sqlite.Config{})
	require.NoError(b, err)
	defer s.Close()
	me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<40, 0)})
	require.NoError(b, err)
	n := 0
	for b.Loop() {
		var begin, end []history.Step
		for range 64 {
			n++
			r := history.Ref{ID: fmt.Sprintf("order-%d", n), Number: 1}
			begin = append(begin, history.Step{Start: []history.NewRun{{Sources: benchScript, Run: history.Run{Ref: history.Ref{ID: r.ID}, Workflow: "order",
				Program: benchScript.Hash(), Input: json.RawMessage(`[{"id":7}]`), Created: time.Unix(1_790_000_000, 0)}}}}, history.Step{Ref: r, Turn: benchTurn(1)})
			last := benchTurn(2)
			last.Decisions = []history.Event{{Kind: history.RunCompleted, Payload: json.RawMessage(`["done"]`)}}
			end = append(end, history.Step{Ref: r, Turn: last})
		}
		commit(b, s, me, begin...)
		commit(b, s, me, end...)
	}
	b.ReportMetric(float64(b.N*64)/b.Elapsed().Seconds(), "runs/s")
}

// BenchmarkTurns reads a history of 1000 turns that lie among those of other runs.
func BenchmarkTurns(b *testing.B) {
	ctx := context.Background()
	s, err := sqlite.Open(filepath.Join(b.TempDir(), "f.db"), sqlite.Config{Synchronous: "normal"})
	require.NoError(b, err)
	defer s.Close()
	me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<40, 0)})
	require.NoError(b, err)
	const runs, turns = 20, 1000
	for i := range runs {
		commit(b, s, me, history.Step{Start: []history.NewRun{{Sources: benchScript, Run: history.Run{Ref: history.Ref{ID: fmt.Sprint(i)}, Program: benchScript.Hash()}}}})
	}
	for seq := range int64(turns) {
		var steps []history.Step
		for i := range runs {
			steps = append(steps, history.Step{Ref: history.Ref{ID: fmt.Sprint(i), Number: 1}, Turn: benchTurn(seq + 1)})
		}
		commit(b, s, me, steps...)
	}
	for b.Loop() {
		n := 0
		for _, err := range s.Turns(ctx, history.Ref{ID: "7", Number: 1}, 0) {
			require.NoError(b, err)
			n++
		}
		require.Equal(b, turns, n)
	}
	b.ReportMetric(float64(b.N*turns)/b.Elapsed().Seconds(), "turns/s")
}
