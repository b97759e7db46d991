package explore

import (
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
)

// epoch is when every path begins.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// world is one path while it is made.
type world struct {
	setup     *setup
	histories *histories
	choices   Choices // those that are still to be made
	fresh     bool    // the runs are to be observed: see cursor

	path    *Path
	now     time.Time
	agenda  []*item // by time, then by order
	runs    []*run
	running []*activity // attempts of which something will be heard, oldest first
	ready   []*run      // with an inbox
	sent    map[sent]int
	guesses int                         // deviations that are values which nobody has given
	finals  int                         // failures of calls and cancellations that were chosen
	failed  map[string]bool             // activities of which a call has failed so
	doomed  map[string]*history.Failure // activities of which every call fails from now on
	options []option
	wild    Choices // deviations that were possible after the last choice
	lost    bool    // a choice could not be made: there is no such path

	made    int  // turns
	patient bool // it is made to its end even if the time is over
	halted  bool // it was not: nothing of it counts

	seen      func(*run, *turn) // is told of each turn
	variantAt int               // the point at which the second value is the one that comes
}

// sent counts the signals of one name.
type sent struct{ run, name string }

// item is something that will happen when its time has come.
type item struct {
	at   time.Time
	what itemKind
	run  *run
	op   string    // of a timer
	call *activity // else
}

type itemKind uint8

const (
	timerItem itemKind = iota
	startToClose
	scheduleToClose
	scheduleToStart
	heartbeat
	pause
)

// timeoutNames are those of the error.
var timeoutNames = [...]string{startToClose: "start_to_close", scheduleToClose: "schedule_to_close", scheduleToStart: "schedule_to_start", heartbeat: "heartbeat"}

// again readies the world for another path. That of the path before is not to be used any more.
func (w *world) again(choices Choices) {
	p := w.path
	*p = Path{Steps: p.Steps[:0], Calls: p.Calls[:0], Signals: p.Signals[:0], Statuses: p.Statuses[:0]}
	clear(w.sent)
	clear(w.failed)
	clear(w.doomed)
	*w = world{setup: w.setup, histories: w.histories, choices: choices, path: p, agenda: w.agenda[:0], runs: w.runs[:0], running: w.running[:0],
		ready: w.ready[:0], sent: w.sent, failed: w.failed, doomed: w.doomed, options: w.options, wild: w.wild[:0]}
}

// play makes the path.
func (w *world) play() *Path {
	s := w.setup
	if w.path == nil {
		w.path = new(Path)
	}
	w.path.Workflow, w.path.Input, w.path.Choices, w.path.Status = s.workflow, s.input, w.choices, history.Open
	w.now = epoch
	if w.sent == nil {
		w.sent = map[sent]int{}
	}
	main := w.begin(history.Ref{ID: mainID, Number: 1}, s.workflow, s.input, nil)
	w.step(Step{What: Starts, Run: mainID, Payload: s.input})
	w.turns()
	for point := 1; w.path.Err == nil && w.path.Closing.Kind == 0 && !w.path.Cut && !w.halted; point++ {
		if point > s.steps {
			w.path.Cut = true
			break
		}
		w.list(main)
		chosen := w.choose(point)
		if w.lost || chosen.kind == nothing {
			break
		}
		w.happen(point, chosen)
		w.turns()
	}
	w.conclude()
	return w.path
}

// choose takes the option that the path says, the default where it says nothing.
func (w *world) choose(point int) option {
	if point == w.variantAt {
		for i, o := range w.options {
			usual := w.options[0]
			if i > 0 && o.kind == usual.kind && o.call == usual.call && o.run == usual.run && o.name == usual.name {
				return o
			}
		}
	}
	if len(w.choices) > 0 {
		if next := w.choices[0]; next.Point == point {
			w.choices = w.choices[1:]
			if next.Option < len(w.options) {
				chosen := w.options[next.Option]
				chosen.number = next.Option
				return chosen
			}
			w.lost = true
		}
		return w.options[0]
	}
	for i := 1; i < len(w.options); i++ {
		if n := w.options[i].faults; n == 0 || w.path.Faults+n <= w.setup.faults {
			w.wild = append(w.wild, Choice{point, i})
		}
	}
	return w.options[0]
}

// A path may also go on and on without anything from outside: a run that is continued at once, children that begin children.
const (
	runsPerStep  = 3
	turnsPerStep = 100
)

// goesOn says whether the path may make another turn.
func (w *world) goesOn() bool {
	w.halted = w.halted || !w.patient && w.setup.over()
	w.made++
	w.path.Cut = w.path.Cut || w.made > turnsPerStep*w.setup.steps || len(w.runs) > runsPerStep*w.setup.steps
	return !w.halted && !w.path.Cut
}

// turns lets the runs react until none has anything to react to.
func (w *world) turns() {
	for len(w.ready) > 0 && w.path.Err == nil && w.goesOn() {
		r := w.ready[0]
		w.ready = w.ready[1:]
		r.turn()
	}
}

// conclude says how the path has ended.
func (w *world) conclude() {
	p := w.path
	p.Elapsed = w.now.Sub(epoch)
	main := w.main()
	p.Finallies = main.cursor.at.finallies
	if p.Err == nil && len(p.Choices) <= 1 { // longer ones are replayed where others branch off
		for _, r := range w.runs {
			if err := r.cursor.verify(); err != nil && p.Err == nil {
				p.Err = err
			}
		}
	}
	for _, r := range w.runs {
		r.cursor.close()
	}
	if len(w.choices) > 0 {
		w.lost = true
	}
	if p.Closing.Kind != 0 || p.Cut || p.Err != nil {
		return
	}
	for _, e := range main.cursor.at.expected {
		if e.Awaited {
			p.Awaits = append(p.Awaits, e.Name)
		}
	}
	p.Stuck = len(p.Awaits) == 0
}

// main is the run that is explored, or what it was continued as.
func (w *world) main() *run { return w.latest(mainID) }

func (w *world) after(d time.Duration, it item) {
	w.at(w.now.Add(d), it)
}

func (w *world) at(when time.Time, it item) {
	if when.Before(w.now) {
		when = w.now
	}
	it.at = when
	i := len(w.agenda)
	for i > 0 && w.agenda[i-1].at.After(when) {
		i--
	}
	w.agenda = slices.Insert(w.agenda, i, &it)
}

// forget drops what will not happen any more.
func (w *world) forget(which func(*item) bool) { w.agenda = slices.DeleteFunc(w.agenda, which) }

func (w *world) step(s Step) *Step {
	s.At = w.now.Sub(epoch)
	w.path.Steps = append(w.path.Steps, s)
	return &w.path.Steps[len(w.path.Steps)-1]
}
