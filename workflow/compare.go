package workflow

import (
	"fmt"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// decided is what a run has decided in the turn that is being made.
type decided struct {
	events []history.Event
	sites  []scheduler.Site // where the script asked for each; nil if unknown
	gone   int              // how many were taken back in the same turn; these have Kind 0
}

func (d *decided) add(ev history.Event, site scheduler.Site) (index int) {
	d.events = append(d.events, ev)
	d.sites = append(d.sites, site)
	return len(d.events) - 1
}

func (d *decided) drop(index int) {
	d.events[index] = history.Event{}
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

func (d *decided) reset() {
	clear(d.sites)
	d.events, d.sites, d.gone = d.events[:0], d.sites[:0], 0
}

// place identifies a decision within a turn: the same operation may be begun in one turn and cancelled in a later one.
type place struct {
	kind history.Kind
	op   string
	name string // of what has no place in the tree
}

func placeOf(ev *history.Event) place {
	switch {
	case ev.Kind.Closes():
		return place{kind: history.RunCompleted} // a run ends once
	case ev.Op == "" && ev.Kind == history.VersionRecorded:
		return place{kind: ev.Kind, name: ev.Name}
	case ev.Op == "":
		return place{kind: ev.Kind}
	}
	switch ev.Kind {
	case history.ActivityCancelRequested, history.TimerCancelled, history.ChildCancelRequested:
		return place{kind: history.ActivityCancelRequested, op: ev.Op}
	}
	return place{op: ev.Op}
}

// compare checks the decisions of a turn against its log. Their order within the turn is of no consequence outside, so a
// script that merely reorders them fits; what each operation is, is compared in full.
func (e *Execution) compare(logged []history.Event) error {
	asked, sites := e.decided.events, e.decided.sites
	i := 0
	for i < len(logged) && i < len(asked) && same(&logged[i], &asked[i]) {
		i++
	}
	if i == len(logged) && i == len(asked) {
		return nil
	}
	rest := make(map[place]int, len(asked)-i)
	for j := i; j < len(asked); j++ {
		rest[placeOf(&asked[j])] = j
	}
	for j := i; j < len(logged); j++ {
		p := placeOf(&logged[j])
		k, found := rest[p]
		if !found {
			return e.mismatch(logged[j].Op, describe(&logged[j]), nothing+e.instead(asked, sites, i), "")
		}
		if !same(&logged[j], &asked[k]) {
			return e.mismatch(logged[j].Op, describe(&logged[j]), describe(&asked[k]), where(sites[k]))
		}
		delete(rest, p)
	}
	for j := i; j < len(asked); j++ {
		if _, extra := rest[placeOf(&asked[j])]; extra {
			return e.mismatch(asked[j].Op, nothing, describe(&asked[j]), where(sites[j]))
		}
	}
	return nil
}

// instead says what the script asked for in place of what it did not ask for.
func (e *Execution) instead(asked []history.Event, sites []scheduler.Site, i int) string {
	if i >= len(asked) {
		return " there"
	}
	text := " there, but for " + describe(&asked[i])
	if asked[i].Op != "" {
		text += " as operation " + asked[i].Op
	}
	if w := where(sites[i]); w != "" {
		text += " at " + w
	}
	return text
}

func (e *Execution) mismatch(op, logged, asked, where string) error {
	return &NonDeterminismError{Run: e.config.Run, Turn: e.turn, Op: op, Logged: logged, Asked: asked, Where: where}
}

// where is the innermost line of the script at a site.
func where(site scheduler.Site) string {
	if site == nil {
		return ""
	}
	return firstLine(site.Frames())
}

func firstLine[F scheduler.Frame | vm.Frame](frames []F) string {
	for _, f := range frames {
		if f := scheduler.Frame(f); f.Line > 0 {
			return fmt.Sprintf("%s:%d", f.Source, f.Line)
		}
	}
	return ""
}
