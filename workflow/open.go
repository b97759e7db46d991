package workflow

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
)

// OpenOperation is something outside of the run that it has begun and that is not over: an activity, a timer, a child, a signal
// on its way.
type OpenOperation struct {
	Event           history.Event // the decision that began it
	Turn            int64         // in which that was
	Began           time.Time     // and when
	CancelRequested bool
}

// Log follows the turns of a run and knows what is open. The zero value has seen none.
type Log struct {
	Turns  int64 // how many it has seen
	Last   time.Time
	Events int // what happened and what was decided
	open   map[string]*OpenOperation
}

// Follow takes in the next turn.
func (l *Log) Follow(t *history.Turn) {
	l.Turns, l.Last = t.Seq, t.Time
	l.Events += len(t.Events) + len(t.Decisions)
	for i := range t.Events {
		switch ev := &t.Events[i]; ev.Kind {
		case history.ActivityCompleted, history.ActivityFailed, history.TimerFired, history.ChildCompleted, history.ChildFailed,
			history.SignalDelivered, history.SignalFailed:
			delete(l.open, ev.Op)
		}
	}
	for i := range t.Decisions {
		switch d := &t.Decisions[i]; d.Kind {
		case history.ActivityScheduled, history.TimerStarted, history.ChildStarted, history.SignalSent:
			if l.open == nil {
				l.open = map[string]*OpenOperation{}
			}
			l.open[d.Op] = &OpenOperation{Event: *d, Turn: t.Seq, Began: t.Time}
		case history.ActivityCancelRequested, history.ChildCancelRequested:
			if o := l.open[d.Op]; o != nil {
				o.CancelRequested = true
			}
		case history.TimerCancelled:
			delete(l.open, d.Op)
		}
	}
}

// Following gives the turns on, and follows them.
func (l *Log) Following(turns iter.Seq2[history.Turn, error]) iter.Seq2[history.Turn, error] {
	return func(yield func(history.Turn, error) bool) {
		for t, err := range turns {
			if err == nil {
				l.Follow(&t)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// Open lists what is open, in the order in which it began.
func (l *Log) Open() []OpenOperation {
	all := make([]OpenOperation, 0, len(l.open))
	for _, o := range l.open {
		all = append(all, *o)
	}
	slices.SortFunc(all, func(a, b OpenOperation) int {
		return cmp.Or(cmp.Compare(a.Turn, b.Turn), cmp.Compare(a.Event.Op, b.Event.Op))
	})
	return all
}
