package explore

import (
	"encoding/json"
	"slices"

	"github.com/flowlua/flowlua/history"
)

// happen lets the chosen option happen.
func (w *world) happen(point int, o option) {
	w.path.Faults += o.faults
	if o.guess {
		w.guesses++
	}
	w.count(o)
	s := Step{Point: point, Option: o.number, Worked: o.worked, ForGood: o.forGood, Always: o.always, Guess: o.guess, Payload: o.payload, Failure: o.failure, Name: o.name, Again: -1}
	if o.run != nil {
		s.Run = o.run.ref.ID
	}
	a := o.call
	if a != nil {
		s.Run, s.Op, s.Name, s.Call, s.Attempt = a.run.ref.ID, a.call.Op, a.call.Name, a.call, len(a.call.Attempts)
	}
	switch o.kind {
	case succeeds:
		s.What = Succeeds
		a.complete(o.payload)
	case fails:
		s.What = Fails
		if o.forGood {
			a.doom = o.failure
		}
		s.Again = a.fail(o.failure, "failed")
	case stops:
		s.What, s.Failure = Stops, cancelledFailure
		a.finish(cancelledFailure)
	case hangs:
		s.What = Hangs
		a.hung, a.works = o.forGood, o.worked
		a.hang(o.worked)
	case crashes:
		s.What = Crashes
		w.path.Crashes++
		a.attempt().Worked = true
		for _, r := range w.runs {
			for _, open := range slices.Clone(r.calls) {
				open.crash()
			}
		}
	case passes:
		w.pass(s)
		return
	case arrives:
		s.What = Arrives
		w.sent[sent{s.Run, o.name}]++
		if s.Run == mainID {
			w.path.Signals = append(w.path.Signals, Signal{len(w.path.Steps) + 1, w.now.Sub(epoch), o.name, o.payload})
		}
		o.run.happen(history.Event{Kind: history.SignalReceived, Name: o.name, Payload: o.payload})
	case cancels:
		s.What = Cancels
		w.path.Cancelled = true
		o.run.happen(history.Event{Kind: history.CancelRequested, Payload: json.RawMessage(`["explored"]`)})
	}
	w.step(s)
}

// count remembers what has failed.
func (w *world) count(o option) {
	if !o.final {
		return
	}
	w.finals++
	if o.call == nil {
		return
	}
	if w.failed == nil {
		w.failed, w.doomed = map[string]bool{}, map[string]*history.Failure{}
	}
	w.failed[o.call.call.Name] = true
	if o.always {
		w.doomed[o.call.call.Name] = o.failure
	}
}

// pass lets time pass up to what comes next.
func (w *world) pass(s Step) {
	it := w.agenda[0]
	w.agenda = w.agenda[1:]
	if it.at.After(w.now) {
		w.now = it.at
	}
	s.Run, s.Op = it.run.ref.ID, it.op
	if a := it.call; a != nil {
		s.Op, s.Name, s.Call, s.Attempt = a.call.Op, a.call.Name, a.call, len(a.call.Attempts)
	}
	switch a := it.call; it.what {
	case timerItem:
		s.What = Passes
		it.run.happen(history.Event{Kind: history.TimerFired, Op: it.op})
	case pause:
		s.What = Resumes
		s.Attempt++
		a.try()
	case scheduleToClose:
		s.What, s.Failure = TimesOut, a.timeout(timeoutNames[it.what])
		if last := a.attempt(); last.Outcome == "open" {
			last.Outcome = "timed out"
		}
		a.finish(s.Failure)
	default:
		s.What, s.Failure = TimesOut, a.timeout(timeoutNames[it.what])
		s.Again = a.fail(s.Failure, "timed out")
	}
	w.step(s)
}
