package scheduler

import (
	"fmt"
	"slices"
)

// model interprets a program naively: closures in a slice for the queue, slices for heirs and waiters, everything
// recomputed by scanning. It shares nothing with the scheduler but the error values.
type model struct {
	queue  []func()
	trace  []string
	things []*thing
	root   *thing
	now    *thing // running branch
	raised int
}

type thing struct {
	id      int
	scope   *thing
	daemon  bool
	in      bool // in its scope
	after   []*thing
	begun   bool // started, or about to fail
	dropped bool
	step    func()
	cancel  func(failure error) // by the scope
	byName  func(cause error)

	settled   bool
	val       any
	err       error
	observers int
	waiters   []*waiting1

	settable, chained bool

	// branch
	block     []instr
	pc        int
	finish    func(v any, err error)
	cancelled *Cancelled
	named     bool
	waits     []*waiting1
	parked    bool
	shielding bool
	woken     *waiting1
	resumed   func()

	// scope
	isScope    bool
	asked      *Cancelled // by name
	state      State
	heirs      []*thing
	body       *thing
	failure    error
	value      any
	done       bool
	daemonsEnd bool

	// operation
	isOp                          bool
	opDone, opCancelled, handling bool
	answer                        func()
	opErr                         error
	silent                        bool
}

type waiting1 struct {
	on *thing
	n  int
	f  func(w *waiting1)
}

func (m *model) t(format string, args ...any) {
	m.trace = append(m.trace, fmt.Sprintf(format, args...))
}

func (m *model) push(f func()) { m.queue = append(m.queue, f) }

func (m *model) thing(n int) *thing { return m.things[n%len(m.things)] }

func (m *model) refs(ns []int) (ts []*thing) {
	for _, n := range ns {
		ts = append(ts, m.thing(n))
	}
	return ts
}

func (m *model) add(t *thing) *thing {
	t.id = len(m.things)
	m.things = append(m.things, t)
	return t
}

func (m *model) run() {
	m.t("run")
	for len(m.queue) > 0 {
		f := m.queue[0]
		m.queue = m.queue[1:]
		f()
		m.now = nil
	}
	m.t("done=%v", m.root.state == Closed)
}

// settle tells the waiters in order.
func (m *model) settle(t *thing, v any, err error) {
	t.settled, t.val, t.err = true, v, err
	for len(t.waiters) > 0 {
		w := t.waiters[0]
		t.waiters = t.waiters[1:]
		w.f(w)
	}
}

func wait1(t *thing, n int, f func(w *waiting1)) *waiting1 {
	w := &waiting1{t, n, f}
	t.waiters = append(t.waiters, w)
	return w
}

// unwait gives the waits up; torn ones do not count as observations.
func unwait(ws []*waiting1, torn bool) {
	for _, w := range ws {
		if i := slices.Index(w.on.waiters, w); i >= 0 {
			w.on.waiters = slices.Delete(slices.Clone(w.on.waiters), i, i+1)
			if torn {
				w.on.observers--
			}
		}
	}
}

// enter puts a new thing into its scope and waits for after.
func (m *model) enter(t *thing, after []*thing) {
	t.after, t.in = after, true
	if t.scope != nil {
		t.scope.heirs = append(t.scope.heirs, t)
	}
	bad, open := false, false
	for _, a := range after {
		a.observers++
		bad = bad || a.err != nil
		open = open || !a.settled
	}
	if bad || !open {
		t.begun = bad
		m.push(t.step)
		return
	}
	told := 0
	for _, a := range after {
		if a.settled {
			continue
		}
		t.waits = append(t.waits, wait1(a, 0, func(w *waiting1) {
			if t.begun || t.dropped || len(t.waits) == 0 {
				return
			}
			told++
			if w.on.err != nil {
				t.begun = true
			} else if told < len(t.waits) {
				return
			}
			unwait(t.waits, false)
			t.waits = nil
			m.push(t.step)
		}))
	}
}

func afterError(t *thing) error {
	for _, a := range t.after {
		if a.err != nil {
			return a.err
		}
	}
	return nil
}

func (m *model) drop(t *thing, c *Cancelled) {
	unwait(t.waits, true)
	t.waits, t.dropped = nil, true
	m.out(t)
	m.settle(t, nil, c)
}

func (m *model) out(t *thing) {
	t.in = false
	if s := t.scope; s != nil {
		s.heirs = slices.DeleteFunc(slices.Clone(s.heirs), func(h *thing) bool { return h == t })
	}
}

// end settles a producer and takes it out of its scope: rule 4.
func (m *model) end(t *thing, v any, err error, silent bool) {
	silent = silent || t.observers > 0
	m.settle(t, v, err)
	m.leave(t, err, silent)
}

func (m *model) leave(t *thing, err error, silent bool) {
	m.out(t)
	if t.scope == nil {
		return
	}
	if err != nil && !silent {
		m.failed(t.scope, err)
	} else {
		m.advance(t.scope)
	}
}

func (m *model) failed(s *thing, err error) {
	if AsCancelled(err) == nil || s.failure == nil && !s.daemonsEnd {
		s.failure = err
	}
	m.cancelAll(s)
	m.advance(s)
}

func (m *model) cancelAll(s *thing) {
	if s.body != nil {
		s.body.cancel(s.failure)
	}
	for _, h := range slices.Clone(s.heirs) {
		if h.in {
			h.cancel(s.failure)
		}
	}
}

func (m *model) advance(s *thing) {
	if !s.done || slices.ContainsFunc(s.heirs, func(h *thing) bool { return !h.daemon }) {
		return
	}
	if len(s.heirs) > 0 {
		s.daemonsEnd = s.daemonsEnd || s.failure == nil
		m.cancelAll(s)
		if len(s.heirs) > 0 {
			return
		}
	}
	s.done, s.daemonsEnd = false, false
	switch {
	case s.state == Trying && s.failure != nil:
		s.state = Catching
	case s.state == Finalizing:
		s.state = Closed
		if s.failure != nil {
			s.value = nil
		}
		m.end(s, s.value, s.failure, false)
		return
	default:
		s.state = Finalizing
	}
	m.push(s.step)
}
