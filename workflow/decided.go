package workflow

import (
	"reflect"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
)

// decided is what a run has decided in the turn that is being made. In replay, what follows the log is only counted, and the rest
// is kept to be compared.
type decided struct {
	events []history.Event
	sites  []scheduler.Site // where the script asked for each; nil if unknown
	gone   int              // how many were taken back in the same turn; these have Kind 0

	logged   []history.Event // of the turn that is replayed
	followed int             // so many were decided again, in this order
	strayed  []int           // of these, what was taken back
	strict   bool            // order and options count too
}

func (d *decided) begin(logged []history.Event) {
	clear(d.sites)
	d.events, d.sites, d.gone = d.events[:0], d.sites[:0], 0
	d.logged, d.followed, d.strayed = logged, 0, d.strayed[:0]
}

// add takes a decision; the handle is for drop, in the same turn.
func (d *decided) add(ev history.Event, site scheduler.Site) (handle int32) {
	if d.followed < len(d.logged) && d.same(&d.logged[d.followed], &ev) {
		d.followed++
		return int32(-d.followed)
	}
	d.events = append(d.events, ev)
	d.sites = append(d.sites, site)
	return int32(len(d.events) - 1)
}

// drop takes a decision back.
func (d *decided) drop(handle int32) {
	if handle < 0 {
		d.strayed = append(d.strayed, int(-handle)-1)
		return
	}
	d.events[handle] = history.Event{}
	d.gone++
}

// settle closes the gaps.
func (d *decided) settle() {
	if d.gone == 0 {
		return
	}
	n := 0
	for i := range d.events {
		if d.events[i].Kind != 0 {
			d.events[n], d.sites[n] = d.events[i], d.sites[i]
			n++
		}
	}
	d.events, d.sites, d.gone = d.events[:n], d.sites[:n], 0
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
