package world

import "time"

// Next is when something will happen by itself; false: never.
func (w *World) Next() (next time.Time, ok bool) {
	sooner := func(at time.Time) {
		if !at.IsZero() && (!ok || at.Before(next)) {
			next, ok = at, true
		}
	}
	for _, r := range w.runs {
		for _, t := range r.timers {
			sooner(t.at)
		}
	}
	for _, a := range w.Activities() {
		sooner(a.due())
	}
	return next, ok
}

// Tick goes on to the next thing that happens by itself, unless that is later than until (zero: no limit). It reports whether
// something has happened. What happens at one time is one step: an engine error leaves the world before it.
func (w *World) Tick(until time.Time) (bool, error) {
	next, ok := w.Next()
	if !ok || !until.IsZero() && next.After(until) {
		return false, nil
	}
	return true, w.Do(func() error {
		w.setNow(next)
		for _, r := range w.runs {
			r.fireTimers()
		}
		return nil
	})
}

// SkipTo sets the clock; what was to happen until then must have happened.
func (w *World) SkipTo(at time.Time) {
	if at.After(w.now) {
		w.setNow(at)
	}
}

func (w *World) setNow(at time.Time) {
	if at.After(w.now) {
		w.now = at
		w.clock = append(w.clock, tick{w.step(), at})
	}
}

// Due is when a timer fires.
func (w *World) Due(r *Run, op string) (time.Time, bool) {
	t, ok := r.timers[op]
	return t.at, ok
}
