package operate

import (
	"context"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// Event is an event or a decision of a history with its place there.
type Event struct {
	Number int64     `json:"number"` // from 1, for replay --to
	Turn   int64     `json:"turn"`
	Time   time.Time `json:"time"`
	history.Event
}

// counter numbers the events of a run.
type counter struct {
	number int64
	start  time.Time // of the first turn
}

// turn numbers those of a turn.
func (n *counter) turn(t *history.Turn) []Event {
	if n.start.IsZero() {
		n.start = t.Time
	}
	list := make([]Event, 0, len(t.Events)+len(t.Decisions))
	for _, part := range [][]history.Event{t.Events, t.Decisions} {
		for i := range part {
			n.number++
			list = append(list, Event{n.number, t.Seq, t.Time, part[i]})
		}
	}
	return list
}

// events writes the history of a run, or adds it to a list.
func (c *Console) events(ctx context.Context, run history.Run, after int64, list *[]Event) error {
	var n counter
	return c.eventsAfter(ctx, run, after, &n, list)
}

// eventsAfter goes on with a history.
func (c *Console) eventsAfter(ctx context.Context, run history.Run, after int64, n *counter, list *[]Event) error {
	for t, err := range c.Store.Turns(ctx, run.Ref, after) {
		if err != nil {
			return err
		}
		for _, ev := range n.turn(&t) {
			if list != nil {
				*list = append(*list, ev)
			} else if err := c.event(&ev, n.start); err != nil {
				return err
			}
		}
	}
	return nil
}

// event writes one: its number, turn and time since the start, what happened (←) or what was decided (→).
func (c *Console) event(ev *Event, start time.Time) error {
	if c.Format == JSONL {
		return c.document(ev)
	}
	arrow := "←"
	if ev.Kind.Decision() {
		arrow = "→"
	}
	head := fmt.Sprintf("%4d %9s  ", ev.Number, since(ev.Time.Sub(start)))
	text := progress.Sentence(&ev.Event, ev.Time)
	if err := c.say("%s%s %s", c.paint(faint, head), arrow, c.fit(clean(text), len(head)+2)); err != nil {
		return err
	}
	for _, line := range progress.PastLines(ev.Attempts, start) {
		if err := c.say("%*s%s", len(head)+2, "", c.paint(faint, c.fit(clean(line), len(head)+2))); err != nil {
			return err
		}
	}
	return nil
}

// since is a time in a history: exact where that can matter.
func since(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.3fs", d.Seconds())
	}
	return stdlib.FormatDuration(d.Truncate(time.Second))
}
