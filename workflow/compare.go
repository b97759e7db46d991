package workflow

import (
	"fmt"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

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

// compare checks the turn that was replayed against its log. The order of decisions within a turn is of no consequence outside,
// so a script that merely reorders them fits; what each operation is, is compared in full.
func (e *Execution) compare() error {
	d := &e.decided
	if d.followed == len(d.logged) && len(d.strayed) == 0 && len(d.events) == 0 {
		return nil
	}
	rest := make(map[place]int, len(d.events))
	for i := range d.events {
		rest[placeOf(&d.events[i])] = i
	}
	missing := d.strayed
	for i := d.followed; i < len(d.logged); i++ {
		missing = append(missing, i)
	}
	for _, i := range missing {
		logged := &d.logged[i]
		p := placeOf(logged)
		k, found := rest[p]
		if !found {
			return e.mismatch(logged.Op, describe(logged), nothing+d.instead(), "")
		}
		if !d.same(logged, &d.events[k]) {
			return e.mismatch(logged.Op, describe(logged), describe(&d.events[k]), where(d.sites[k]))
		}
		delete(rest, p)
	}
	for i := range d.events {
		ev := &d.events[i]
		if _, extra := rest[placeOf(ev)]; extra || d.strict {
			return e.mismatch(ev.Op, nothing, describe(ev), where(d.sites[i]))
		}
	}
	return nil
}

// instead says what the script asked for in place of what it did not ask for.
func (d *decided) instead() string {
	if len(d.events) == 0 {
		return " there"
	}
	text := " there, but for " + describe(&d.events[0])
	if d.events[0].Op != "" {
		text += " as operation " + d.events[0].Op
	}
	if w := where(d.sites[0]); w != "" {
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
