package explore

import (
	"encoding/json"

	"github.com/flowlua/flowlua/history"
)

// option is one thing that may happen next.
type option struct {
	kind    optionKind
	fault   bool
	number  int
	call    *activity
	run     *run
	name    string // of a signal
	payload json.RawMessage
	failure *history.Failure
	forGood bool
	worked  bool
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
		add(option{kind: cancels, run: main, fault: true}, 9)
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
	case a.cancelled:
		add(option{kind: stops, call: a}, 0)
	}
	for i := range a.outcomes.Returns {
		rank := 9
		if i == 0 && !a.cancelled {
			rank = 0
		}
		add(option{kind: succeeds, call: a, payload: a.outcomes.Returns[i]}, rank)
	}
	o := &a.call.Options
	retries := o.Retry != nil && !a.cancelled
	for _, f := range a.outcomes.Errors {
		add(option{kind: fails, call: a, failure: f, fault: true}, 9)
		if retries {
			doom := f
			if !a.ends() {
				doom = unretryable(f)
			}
			add(option{kind: fails, call: a, failure: doom, fault: true, forGood: true}, 9)
		}
	}
	if !a.outcomes.NoTimeout && a.mayHang() {
		for _, worked := range [2]bool{false, true} {
			add(option{kind: hangs, call: a, fault: true, worked: worked}, 9)
			if retries && a.ends() {
				add(option{kind: hangs, call: a, fault: true, worked: worked, forGood: true}, 9)
			}
		}
	}
	if s.crash {
		add(option{kind: crashes, call: a, fault: true, worked: true}, 9)
	}
}

// listSignals adds the signals that may come: those that the script has asked for, and to the run that is explored those of the options.
func (r *run) listSignals(add func(option, int)) {
	w := r.world
	offer := func(name string, rank int) {
		plan := w.setup.plausible.signal(name)
		if w.sent[sent{r.ref.ID, name}] >= plan.Times {
			return
		}
		for i, args := range plan.Args {
			if i > 0 {
				rank = 9
			}
			add(option{kind: arrives, run: r, name: name, payload: args}, rank)
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
