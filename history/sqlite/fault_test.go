package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var errCrash = errors.New("the machine has lost its power")

// crash breaks a transaction at some of its points, drawn from a seed.
type crash struct {
	random *rand.Rand
	points []string // at which it has
}

func (c *crash) fault(point string) error {
	if c.random == nil || c.random.IntN(12) != 0 {
		return nil
	}
	c.points = append(c.points, point)
	return errCrash
}

func faulty(t *testing.T, c *crash) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "f.db"), Config{Synchronous: "normal", fault: c.fault})
	require.NoError(t, err)
	return s
}

var faultScript = history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return 1"}}

// Whatever fails, a commit is there whole or not at all, and reading tells which.
func TestNothingIsHalfWritten(t *testing.T) {
	const seeds, commits, runs = 8, 40, 4
	ctx := context.Background()
	at := map[string]int{}
	var lost, kept int
	for seed := range uint64(seeds) {
		c := new(crash)
		s := faulty(t, c)
		me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<32, 0)})
		require.NoError(t, err)
		turns, numbers := make([]int64, runs), make([]int, runs) // what is written, as reading says
		c.random = rand.New(rand.NewPCG(seed, 0))
		for n := range commits {
			var steps []history.Step
			var wantTurns []int64
			var wantNumbers []int
			wantTurns, wantNumbers = slices.Clone(turns), slices.Clone(numbers)
			for run := range runs {
				id := fmt.Sprint(run)
				begin := history.NewRun{Run: history.Run{Ref: history.Ref{ID: id}, Program: faultScript.Hash()}, Sources: faultScript}
				if numbers[run] == 0 {
					steps = append(steps, history.Step{Start: []history.NewRun{begin}})
					wantNumbers[run]++
					continue
				}
				step := history.Step{Ref: history.Ref{ID: id, Number: numbers[run]}, Turn: &history.Turn{Seq: turns[run] + 1, Time: time.Unix(int64(n), 0).UTC()},
					Attempts: []history.Attempt{{Op: "/1", Number: n}}, Send: []history.Mail{{To: id, Event: history.Event{Kind: history.SignalReceived, Payload: json.RawMessage(`[]`)}}}}
				wantTurns[run]++
				if turns[run] == 5 {
					step.Turn.Decisions = []history.Event{{Kind: history.RunContinued}}
					step.Start = []history.NewRun{begin}
					wantTurns[run], wantNumbers[run] = 0, numbers[run]+1
				}
				steps = append(steps, step)
			}
			written, err := s.Commit(ctx, me, steps)
			if err == nil {
				for _, w := range written {
					require.NoError(t, w.Err)
				}
				turns, numbers = wantTurns, wantNumbers
			} else {
				require.ErrorIs(t, err, errCrash)
				require.Nil(t, written)
				at[c.points[len(c.points)-1]]++
			}
			gotTurns, gotNumbers := make([]int64, runs), make([]int, runs)
			for run := range runs {
				found, err := s.Run(ctx, history.Ref{ID: fmt.Sprint(run)})
				if errors.Is(err, history.ErrNotFound) {
					continue
				}
				require.NoError(t, err)
				gotTurns[run], gotNumbers[run] = found.Turns, found.Number
			}
			switch {
			case err == nil:
				require.Equal(t, turns, gotTurns)
				require.Equal(t, numbers, gotNumbers)
			case slices.Equal(gotTurns, turns) && slices.Equal(gotNumbers, numbers):
				lost++
			default:
				require.Equal(t, wantTurns, gotTurns, "whole")
				require.Equal(t, wantNumbers, gotNumbers, "whole")
				require.Equal(t, "committed", c.points[len(c.points)-1])
				turns, numbers = gotTurns, gotNumbers
				kept++
			}
		}
		c.random = nil
		for finding, err := range s.Check(ctx) {
			require.NoError(t, err)
			require.Fail(t, finding)
		}
		require.NoError(t, s.Close())
	}
	for _, point := range []string{"begin", "change", "step", "commit", "committed"} {
		require.NotZero(t, at[point], "%s: %v", point, at)
	}
	require.NotZero(t, lost)
	require.NotZero(t, kept)
}

// Other writes are whole as well.
func TestOtherWritesAreWhole(t *testing.T) {
	ctx := context.Background()
	for _, point := range []string{"begin", "change", "commit"} {
		fail := false
		s, err := Open(filepath.Join(t.TempDir(), "f.db"), Config{Synchronous: "normal", fault: func(at string) error {
			if fail && at == point {
				return errCrash
			}
			return nil
		}})
		require.NoError(t, err)
		begin := history.NewRun{Run: history.Run{Ref: history.Ref{ID: "r"}, Program: faultScript.Hash()}, Sources: faultScript}
		fail = true
		_, err = s.Join(ctx, history.Owner{Name: "e"})
		require.ErrorIs(t, err, errCrash)
		require.ErrorIs(t, s.Create(ctx, begin), errCrash)
		require.ErrorIs(t, s.Import(ctx, history.Recording{Format: 1, Run: history.Run{Ref: history.Ref{ID: "i", Number: 1}, Program: faultScript.Hash()}, Sources: faultScript}), errCrash)
		fail = false
		_, err = s.Sources(ctx, faultScript.Hash())
		require.ErrorIs(t, err, history.ErrNotFound)
		owners, err := s.Owners(ctx)
		require.NoError(t, err)
		require.Empty(t, owners)
		require.NoError(t, s.Create(ctx, begin), "its sources are not known")
		_, err = s.Sources(ctx, faultScript.Hash())
		require.NoError(t, err)
		for finding, err := range s.Check(ctx) {
			require.NoError(t, err)
			require.Fail(t, finding)
		}
		require.NoError(t, s.Close())
	}
}

func TestDiskFull(t *testing.T) {
	ctx := context.Background()
	s := faulty(t, new(crash))
	defer func() { require.NoError(t, s.Close()) }()
	me, err := s.Join(ctx, history.Owner{Name: "e", Until: time.Unix(1<<32, 0)})
	require.NoError(t, err)
	begin := func(id string, size int) []history.Step {
		input, _ := json.Marshal([]string{string(make([]byte, size))})
		return []history.Step{{Start: []history.NewRun{{Run: history.Run{Ref: history.Ref{ID: id}, Program: faultScript.Hash(), Input: input}, Sources: faultScript}}}}
	}
	_, err = s.Commit(ctx, me, begin("before", 10))
	require.NoError(t, err)
	pages, err := s.writer.number("PRAGMA page_count")
	require.NoError(t, err)
	require.NoError(t, s.writer.script(fmt.Sprintf("PRAGMA max_page_count = %d", pages+2)))
	_, err = s.Commit(ctx, me, append(begin("small", 10), begin("large", 1<<16)...))
	require.ErrorContains(t, err, "the disk is full, nothing of this was written: make room and try again")
	for _, id := range []string{"small", "large"} {
		_, err = s.Run(ctx, history.Ref{ID: id})
		require.ErrorIs(t, err, history.ErrNotFound)
	}
	_, err = s.Commit(ctx, me, append(begin("small", 10), begin("large", 1<<16)...))
	require.NoError(t, err, "with room")
	for finding, err := range s.Check(ctx) {
		require.NoError(t, err)
		require.Fail(t, finding)
	}
}
