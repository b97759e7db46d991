package workflow

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Verified is an execution that after every turn is replayed from nothing and compared, decision by decision and branch by
// branch. It costs the square of the run's length: it is for tests.
type Verified struct {
	*Execution
	// Each is how many turns are each verified; of later ones only the last, and one whenever the run has become a tenth longer.
	// 0: all turns are.
	Each int

	config   Config
	turns    []history.Turn
	verified int // turns at the last verification
}

// NewVerified is New.
func NewVerified(config Config) (*Verified, error) {
	e, err := New(config)
	if err != nil {
		return nil, err
	}
	return &Verified{Execution: e, config: config}, nil
}

// ReplayVerified is Replay.
func ReplayVerified(config Config, turns iter.Seq2[history.Turn, error]) (*Verified, error) {
	v := &Verified{config: config}
	e, err := Replay(config, func(yield func(history.Turn, error) bool) {
		for t, err := range turns {
			v.turns = append(v.turns, t)
			if !yield(t, err) {
				return
			}
		}
	})
	v.Execution = e
	return v, err
}

// Turns is the history so far.
func (v *Verified) Turns() []history.Turn { return v.turns }

// Turn is Execution.Turn; a replay that differs is an error.
func (v *Verified) Turn(now time.Time, events []history.Event) ([]history.Event, error) {
	decisions, err := v.Execution.Turn(now, events)
	if err != nil {
		return nil, err
	}
	v.turns = append(v.turns, history.Turn{Seq: int64(len(v.turns) + 1), Time: now, Events: slices.Clone(events), Decisions: decisions})
	if n := len(v.turns); v.Each > 0 && n > v.Each && n < v.verified+v.verified/10 && v.Closing().Kind == 0 {
		return decisions, nil
	}
	return decisions, v.Verify()
}

// Verify replays the run as it is now, unless that was done already.
func (v *Verified) Verify() error {
	if v.verified == len(v.turns) {
		return nil
	}
	v.verified = len(v.turns)
	config := v.config
	config.Print = func(line string) { panic("print in replay: " + line) }
	config.Log, config.Cover = nil, nil
	again, err := replay(config, Turns(v.turns), true)
	if err != nil {
		return fmt.Errorf("workflow: replay of %d turns: %w", len(v.turns), err)
	}
	defer again.Close()
	if a, b := v.tree.String(), again.tree.String(); a != b {
		return fmt.Errorf("workflow: replay of %d turns leaves the tree\n%s\nthe run left it\n%s", len(v.turns), b, a)
	}
	return nil
}

// Turns is a log for Replay.
func Turns(turns []history.Turn) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for _, t := range turns {
			if !yield(t, nil) {
				return
			}
		}
	}
}
