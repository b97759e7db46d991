package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var races = map[string]test{
	"of many one wins each turn": func(t *testing.T, s, other history.Store) {
		const writers, turns = 4, 25
		me := join(t, s)
		start(t, s, me, "r")
		var won atomic.Int64
		var wg sync.WaitGroup
		for i := range writers {
			s := []history.Store{s, other}[i%2]
			wg.Go(func() {
				for seq := int64(1); seq <= turns; seq++ {
					written, err := s.Commit(ctx, me, []history.Step{turn(ref("r", 1), seq)})
					if err != nil {
						t.Error(err)
						return
					}
					if written[0].Err == nil {
						won.Add(1)
					}
					for _, err := range s.Turns(ctx, ref("r", 1), 0) {
						if err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		wg.Wait()
		require.Equal(t, turns, int(won.Load()))
		require.Len(t, collect(t, s.Turns(ctx, ref("r", 1), 0)), turns)
	},
	"owners that take each other for dead": func(t *testing.T, s, other history.Store) {
		const engines, runs, turns = 4, 8, 10
		for i := range runs {
			require.NoError(t, s.Create(ctx, newRun(fmt.Sprint(i))))
		}
		var clock atomic.Int64
		var written [runs]atomic.Int64
		left := func() (open int) {
			for _, err := range s.Runs(ctx, history.Filter{Status: history.Open}) {
				if err != nil {
					t.Error(err)
				}
				open++
			}
			return open
		}
		var wg sync.WaitGroup
		for i := range engines {
			s := []history.Store{s, other}[i%2]
			wg.Go(func() {
				for left() > 0 {
					now := after(time.Duration(clock.Add(1)))
					me, err := s.Join(ctx, history.Owner{Name: "e", Until: now.Add(5)})
					if err != nil {
						t.Error(err)
						return
					}
					for err == nil {
						var claimed []history.Run
						claimed, err = s.Claim(ctx, history.Claim{Owner: me, Now: after(time.Duration(clock.Add(1))), Limit: 3})
						if len(claimed) == 0 {
							break
						}
						for _, run := range claimed {
							var decisions []history.Event
							if run.Turns+1 == turns {
								decisions = append(decisions, decide(history.RunCompleted))
							}
							var w []history.Written
							w, err = s.Commit(ctx, me, []history.Step{turn(run.Ref, run.Turns+1, decisions...)})
							if err != nil {
								break
							}
							if w[0].Err != nil {
								t.Errorf("its own run: %v", w[0].Err)
							}
							n := 0
							fmt.Sscan(run.ID, &n)
							written[n].Add(1)
						}
					}
					if err == nil {
						err = s.Leave(ctx, me)
					}
					if err != nil && !errors.Is(err, history.ErrFenced) {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		for i := range runs {
			require.Equal(t, int64(turns), written[i].Load(), "what was acknowledged")
			require.Len(t, collect(t, s.Turns(ctx, ref(fmt.Sprint(i), 1), 0)), turns)
		}
	},
	"runs are started once": func(t *testing.T, s, other history.Store) {
		const starters, runs = 4, 20
		me := join(t, s)
		var begun atomic.Int64
		var wg sync.WaitGroup
		for i := range starters {
			s := []history.Store{s, other}[i%2]
			wg.Go(func() {
				for i := range runs {
					id := fmt.Sprint(i)
					w, err := s.Commit(ctx, me, []history.Step{{Start: []history.NewRun{newRun(id)}}})
					if err != nil {
						t.Error(err)
						return
					}
					if w[0].Err == nil {
						begun.Add(1)
					}
					if err := s.Send(ctx, history.Mail{To: id, Event: signal(id)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		require.Equal(t, runs, int(begun.Load()))
		require.Len(t, inbox(t, s, me, 0), starters*runs)
	},
}
