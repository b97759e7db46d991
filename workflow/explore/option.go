package explore

import (
	"encoding/json"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// option is one thing that may happen next.
type option struct {
	kind    optionKind
	faults  int  // how many it counts for
	final   bool // the call, or the run, fails by it
	always  bool // and so do later calls of the activity
	number  int
	call    *activity
	run     *run
	name    string // of a signal
	payload json.RawMessage
	failure *history.Failure
	forGood bool
	worked  bool
	guess   bool // payload is a further value that nobody has given
}

type optionKind uint8

const (
	nothing  optionKind = iota // the path ends
	succeeds                   // the attempt returns payload
	fails                      // with failure
	stops                      // as it was asked to cancel
	hangs                      // until it times out
	crashes                    // the process, after the attempt's work was done
	passes                     // time, up to the first item of the agenda
	arrives                    // a signal
	cancels                    // the run
)

// list finds everything that may happen next. The default comes first: the oldest attempt ends as it should, a signal comes that is
// waited for, time passes, a signal comes that has a handler.
func (w *world) list(main *run) {
	w.options = w.options[:0]
	best, rank := -1, 9
	add := func(o option, r int) {
		if r < rank {
			best, rank = len(w.options), r
		}
		w.options = append(w.options, o)
	}
	for _, a := range w.running {
		a.list(add)
	}
	for _, r := range w.runs {
		if !r.closed {
			r.listSignals(add)
		}
	}
	if len(w.agenda) > 0 && !w.agenda[0].kills() {
		add(option{kind: passes}, 2)
	}
	if best < 0 {
		add(option{kind: nothing}, 4)
	}
	if main = w.main(); w.setup.cancel && !w.path.Cancelled && !main.closed {
		add(option{kind: cancels, run: main, faults: w.second(), final: true}, 9)
	}
	w.options[0], w.options[best] = w.options[best], w.options[0]
}

// kills says whether it would end an attempt that is still heard of: that is another option of the attempt.
func (it *item) kills() bool {
	return it.call != nil && it.what != pause && !it.call.hangs && len(it.call.call.Attempts) > 0 && it.call.attempt().Outcome == "open"
}

// list adds what may become of an attempt.
func (a *activity) list(add func(option, int)) {
	s := a.run.world.setup
	switch {
	case a.doom != nil:
		add(option{kind: fails, call: a, failure: a.doom}, 0)
		return
	case a.run.world.doomed[a.call.Name] != nil && !a.cancelled:
		add(option{kind: fails, call: a, failure: a.run.world.doomed[a.call.Name]}, 0)
		return
	case a.cancelled:
		add(option{kind: stops, call: a}, 0)
	}
	guesses := len(a.run.world.setup.plausible.given.Activities[a.call.Name].Returns) == 0
	for i := range a.outcomes.Returns {
		rank := 9
		if i == 0 && !a.cancelled {
			rank = 0
		}
		add(option{kind: succeeds, call: a, payload: a.outcomes.Returns[i], guess: guesses && i > 0}, rank)
	}
	o := &a.call.Options
	again := a.run.world.failed[a.call.Name]
	for _, f := range a.outcomes.Errors {
		retries := o.Retry != nil && !a.cancelled && stdlib.Retryable(o.Retry, f)
		add(option{kind: fails, call: a, failure: f, faults: a.cost(!retries), final: !retries}, 9)
		switch {
		case retries:
			doom := f
			if !a.ends() {
				doom = unretryable(f)
			}
			add(option{kind: fails, call: a, failure: doom, faults: a.cost(true), final: true, forGood: true}, 9)
		case again:
			add(option{kind: fails, call: a, failure: f, faults: a.cost(true), final: true, always: true}, 9)
		}
	}
	if !a.outcomes.NoTimeout && a.mayHang() {
		retries := o.Retry != nil && !a.cancelled && stdlib.Retryable(o.Retry, a.timeout(timeoutNames[startToClose]))
		for _, worked := range [2]bool{false, true} {
			add(option{kind: hangs, call: a, faults: a.cost(!retries), final: !retries, worked: worked}, 9)
			if retries && a.ends() {
				add(option{kind: hangs, call: a, faults: a.cost(true), final: true, worked: worked, forGood: true}, 9)
			}
		}
	}
	if s.crash {
		add(option{kind: crashes, call: a, faults: 1, worked: true}, 9)
	}
}

// What a fault counts for. Where two things fail at once, or what was to clean up, hardly any invariant can hold: such paths are made
// only if more faults are allowed.
const (
	secondFaults  = 2 // a failure of another activity, or a cancellation, when something has failed before
	cleanUpFaults = 3 // a failure in a catch or a finally
)

// cost is what it counts for that the call fails; an attempt that is retried and a crash count for 1.
func (a *activity) cost(final bool) int {
	w := a.run.world
	switch {
	case !final:
		return 1
	case cleansUp(a.call.Op):
		return cleanUpFaults
	case w.failed[a.call.Name]:
		return 1
	}
	return w.second()
}

// second is what one more failure counts for.
func (w *world) second() int {
	if w.finals > 0 {
		return secondFaults
	}
	return 1
}

// cleansUp says whether an operation is in a catch or a finally: these are c and f in its path, as in /3/1c/2.
func cleansUp(op string) bool {
	for i := 1; i < len(op); i++ {
		if (op[i] == 'c' || op[i] == 'f') && op[i-1] >= '0' && op[i-1] <= '9' && op[0] != '~' {
			return true
		}
	}
	return false
}

// listSignals adds the signals that may come: those that the script has asked for, and to the run that is explored those of the options.
func (r *run) listSignals(add func(option, int)) {
	w := r.world
	offer := func(name string, rank int) {
		plan := w.setup.plausible.signal(name)
		if w.sent[sent{r.ref.ID, name}] >= plan.Times {
			return
		}
		guesses := len(w.setup.plausible.given.Signals[name].Args) == 0
		for i, args := range plan.Args {
			if i > 0 {
				rank = 9
			}
			add(option{kind: arrives, run: r, name: name, payload: args, guess: guesses && i > 0}, rank)
		}
	}
	for _, e := range r.cursor.at.expected {
		switch {
		case e.Awaited:
			offer(e.Name, 1)
		case e.Handled:
			offer(e.Name, 3)
		default:
			offer(e.Name, 9)
		}
	}
	if r.ref.ID != mainID {
		return
	}
	for _, name := range w.setup.signalNames {
		if !expects(r.cursor.at, name) {
			offer(name, 9)
		}
	}
}

func expects(t *turn, name string) bool {
	for _, e := range t.expected {
		if e.Name == name {
			return true
		}
	}
	return false
}
