package flowtest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// run is a run under test: the latest of its ID.
type run struct {
	world  *World
	id     string
	looked bool
}

func (r *run) latest() *virtual.Run { return r.world.world.Find(r.id) }

// first is the one that was started.
func (r *run) first() *virtual.Run {
	for _, other := range r.world.world.All() {
		if other.Ref().ID == r.id {
			return other
		}
	}
	return nil
}

// Info implements stdlib.TestRun. Created is when the first run of the ID began.
func (r *run) Info() history.Run {
	info := r.latest().Info()
	if first := r.first().Info(); !first.Created.IsZero() {
		info.Created = first.Created
	} else {
		info.Created = r.world.world.Now()
	}
	return info
}

// Looked implements stdlib.TestRun.
func (r *run) Looked() { r.looked = true }

// happen does something now, or when the run is so old.
func (r *run) happen(after time.Duration, what string, do func(*virtual.Run)) error {
	act := func() error {
		latest := r.latest()
		if closing := latest.Closing(); closing.Kind != 0 {
			return fmt.Errorf("%s comes too late: run '%s' is %s; let something in it take time (stub:after), or do it earlier", what, r.id, r.Info().Status)
		}
		do(latest)
		return nil
	}
	if after == 0 {
		return act()
	}
	at := r.Info().Created.Add(after)
	if at.Before(r.world.world.Now()) {
		return fmt.Errorf("%s: run '%s' is older than %s already", what, r.id, stdlib.FormatDuration(after))
	}
	r.world.world.At(r.world.world.Elapsed()+at.Sub(r.world.world.Now()), func() {
		if err := act(); err != nil {
			r.world.world.Stop(err)
		}
	})
	return nil
}

// Signal implements stdlib.TestRun.
func (r *run) Signal(after time.Duration, name string, args json.RawMessage) error {
	return r.happen(after, fmt.Sprintf("signal '%s'", name), func(to *virtual.Run) {
		to.Happen(history.Event{Kind: history.SignalReceived, Name: name, Payload: args})
	})
}

// Cancel implements stdlib.TestRun.
func (r *run) Cancel(after time.Duration, reason json.RawMessage) error {
	return r.happen(after, "the request to cancel", func(to *virtual.Run) {
		to.Happen(history.Event{Kind: history.CancelRequested, Payload: reason})
	})
}

// Query implements stdlib.TestRun.
func (r *run) Query(name string, args json.RawMessage) (json.RawMessage, error) {
	return r.latest().Execution().Query(name, args)
}

// Tree implements stdlib.TestRun.
func (r *run) Tree() string { return r.latest().Execution().Tree() }

// Waits implements stdlib.TestRun.
func (r *run) Waits() []string { return workflow.Waits(r.latest().Execution().Dump()) }

// Children implements stdlib.TestRun.
func (r *run) Children() (list []stdlib.TestRun) {
	for _, other := range r.world.world.All() {
		info := other.Info()
		if info.Parent != nil && info.Parent.ID == r.id && info.Number == 1 {
			list = append(list, &run{world: r.world, id: info.ID})
		}
	}
	return list
}

// Activities implements stdlib.TestRun: those of all runs of the ID.
func (r *run) Activities() (list []stdlib.TestActivity) {
	for _, other := range r.world.world.All() {
		if other.Ref().ID == r.id {
			list = append(list, r.activitiesOf(other)...)
		}
	}
	return list
}

func (r *run) activitiesOf(other *virtual.Run) (list []stdlib.TestActivity) {
	at := map[string]int{}
	for _, t := range other.Turns() {
		for i := range t.Events {
			ev := &t.Events[i]
			n, known := at[ev.Op]
			if known && (ev.Kind == history.ActivityCompleted || ev.Kind == history.ActivityFailed) {
				list[n].Ended, list[n].Result, list[n].Failure = t.Time, ev.Payload, ev.Failure
			}
		}
		for i := range t.Decisions {
			if d := &t.Decisions[i]; d.Kind == history.ActivityScheduled {
				at[d.Op] = len(list)
				list = append(list, stdlib.TestActivity{Name: d.Name, Args: d.Payload, Began: t.Time, Attempts: r.world.tried[key(other.Ref())][d.Op]})
			}
		}
	}
	return list
}

func key(ref history.Ref) string { return fmt.Sprintf("%s#%d", ref.ID, ref.Number) }
