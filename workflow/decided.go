package workflow

import (
	"reflect"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
)

// decided is what a run has decided in the turn that is being made. In replay, what follows the log is only counted, and the rest
// is kept to be compared.
type decided struct {
	buffer history.Buffer
	events []history.Event  // what was in the buffer, once the turn is made
	sites  []scheduler.Site // in replay, where the script asked for each; nil if unknown
	gone   int              // how many were taken back in the same turn; these have Kind 0

	replay   bool
	logged   []history.Event // of the turn that is replayed
	followed int             // so many were decided again, in this order
	strayed  []int           // of these, what was taken back
	strict   bool            // order and options count too
}

// begin begins a turn: one of the log, unless that is nil.
func (d *decided) begin(log *history.Turn) {
	clear(d.sites)
	d.events, d.sites, d.gone = nil, d.sites[:0], 0
	d.replay, d.logged, d.followed, d.strayed = log != nil, nil, 0, d.strayed[:0]
	if log != nil {
		d.logged = log.Decisions
	}
}

// add takes a decision; the handle is for drop, in the same turn.
func (d *decided) add(ev history.Event, site scheduler.Site) (handle int32) {
	if d.followed < len(d.logged) && d.same(&d.logged[d.followed], &ev) {
		d.followed++
		return int32(-d.followed)
	}
	d.buffer.Add(&ev)
	if d.replay {
		d.sites = append(d.sites, site)
	}
	return int32(d.buffer.Len() - 1)
}

// drop takes a decision back.
func (d *decided) drop(handle int32) {
	if handle < 0 {
		d.strayed = append(d.strayed, int(-handle)-1)
		return
	}
	*d.buffer.At(int(handle)) = history.Event{}
	d.gone++
}

// settle makes the list of what was decided, without gaps.
func (d *decided) settle() {
	d.events = d.buffer.Take()
	if d.gone == 0 {
		return
	}
	n := 0
	for i := range d.events {
		if d.events[i].Kind == 0 {
			continue
		}
		d.events[n] = d.events[i]
		if d.replay {
			d.sites[n] = d.sites[i]
		}
		n++
	}
	clear(d.events[n:])
	d.events, d.gone = d.events[:n], 0
	if d.replay {
		d.sites = d.sites[:n]
	}
}

// recorded finds a decision of the log.
func (d *decided) recorded(match func(*history.Event) bool) *history.Event {
	for _, part := range [][]history.Event{d.logged[d.followed:], d.logged[:d.followed]} { // it is the next, as a rule
		for i := range part {
			if match(&part[i]) {
				return &part[i]
			}
		}
	}
	return nil
}

func (d *decided) same(logged, asked *history.Event) bool {
	return same(logged, asked) && (!d.strict || reflect.DeepEqual(*logged, *asked))
}
