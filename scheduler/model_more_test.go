package scheduler

import "fmt"

// newScope is a scope of the model; i has its blocks.
func (m *model) newScope(parent *thing, i instr, daemon, shielded bool, label int) *thing {
	s := &thing{scope: parent, daemon: daemon, isScope: true}
	phase := func(block []instr) {
		b := &thing{scope: s, block: block, begun: true, id: label}
		b.cancel = func(f error) { m.cancelBranch(b, f, asOrBy(f), false) }
		b.finish = func(v any, err error) {
			s.body, s.done = nil, true
			switch {
			case err == nil && s.state != Finalizing:
				s.value = v
			case err == nil:
			case b.cancelled != nil && AsCancelled(err) == b.cancelled:
				if s.failure == nil {
					s.failure = err
				}
				m.cancelAll(s)
			default:
				s.failure = err
				m.cancelAll(s)
			}
			m.advance(s)
		}
		s.body = b
		m.start(b)
	}
	s.step = func() {
		switch {
		case s.dropped:
		case s.state == Created && s.begun:
			s.state = Closed
			m.end(s, nil, afterError(s), false)
		case s.state == Created:
			s.state, s.begun = Trying, true
			phase(i.body)
		case s.state == Catching && !i.caught, s.state == Finalizing && !i.final:
			s.done = true
			m.advance(s)
		case s.state == Catching:
			m.t("catch %d %s", label, text(s.failure))
			s.failure = nil
			phase(i.catch)
		case s.state == Finalizing:
			m.t("finally %d", label)
			phase(i.finally)
		}
	}
	cancelTry := func(c *Cancelled) {
		if s.state == Trying {
			if s.failure == nil {
				s.failure = c
			}
			m.cancelAll(s)
			m.advance(s)
		}
	}
	s.cancel = func(f error) {
		switch {
		case shielded:
		case s.state == Created && !s.begun:
			s.state = Closed
			m.drop(s, asOrBy(f))
		default:
			cancelTry(cancelledBy(f))
		}
	}
	s.byName = func(cause error) {
		if s.state == Created && !s.begun {
			m.cancelAll(s)
			s.state = Closed
			m.drop(s, cancelledBy(cause))
			if s.scope != nil {
				m.advance(s.scope)
			}
			return
		}
		c := cancelledBy(cause)
		if s.state == Trying && s.failure == nil {
			s.asked = c
		}
		cancelTry(c)
	}
	return s
}

func asOrBy(f error) *Cancelled {
	if c := AsCancelled(f); c != nil {
		return c
	}
	return cancelledBy(f)
}

// newBranch is an ordinary branch of the model.
func (m *model) newBranch(scope *thing, block []instr, daemon bool) *thing {
	b := &thing{scope: scope, block: block, daemon: daemon}
	running := false
	b.step = func() {
		switch {
		case b.dropped:
		case b.begun && !running:
			m.end(b, nil, afterError(b), false)
			b.dropped = true
		default:
			running, b.begun = true, true
			m.start(b)
		}
	}
	b.finish = func(v any, err error) {
		b.dropped = true
		m.end(b, v, err, err != nil && b.named && AsCancelled(err) != nil)
	}
	b.cancel = func(f error) {
		if !b.begun && !b.dropped {
			m.drop(b, asOrBy(f))
			return
		}
		if running {
			m.cancelBranch(b, f, asOrBy(f), false)
		}
	}
	b.byName = func(cause error) {
		switch {
		case !b.begun && !b.dropped:
			m.drop(b, cancelledBy(cause))
			m.advance(scope)
		case running:
			m.cancelBranch(b, cause, cancelledBy(cause), true)
		}
	}
	return b
}

func (m *model) cancelBranch(b *thing, _ error, c *Cancelled, named bool) {
	if b.dropped || b.cancelled != nil {
		return
	}
	b.cancelled, b.named = c, named
	if b.parked && !b.shielding {
		unwait(b.waits, true)
		b.parked = false
		m.push(b.resumed)
	}
}

func (m *model) newOperation(scope *thing, i instr, daemon bool) *thing {
	op := &thing{scope: scope, daemon: daemon, isOp: true}
	started := false
	op.step = func() {
		switch {
		case op.dropped || op.opDone:
		case op.begun:
			op.opDone = true
			m.end(op, nil, afterError(op), false)
		default:
			started, op.begun = true, true
			m.t("begin %d", op.id)
		}
	}
	request := func(cause error) {
		if op.opDone || op.opCancelled || !started {
			return
		}
		op.opCancelled = true
		if i.mode == none {
			op.opDone = true
			m.push(func() { m.settle(op, nil, asOrBy(cause)); m.leave(op, nil, true) })
			return
		}
		m.push(func() {
			if op.opDone {
				return
			}
			m.t("cancel %d %s", op.id, text(cause))
			switch i.mode {
			case obey:
				m.complete(op, nil)
			case failc:
				m.fail(op, cancelledFor("ack"))
			case throws:
				m.fail(op, E("handler"))
			case ct:
				m.fail(op, E("handler2"))
			}
		})
	}
	op.cancel = func(f error) {
		if !op.begun && !op.opDone {
			op.opDone = true
			m.drop(op, asOrBy(f))
			return
		}
		request(f)
	}
	op.byName = func(cause error) {
		if !op.begun && !op.opDone {
			op.opDone = true
			m.drop(op, cancelledBy(cause))
			m.advance(scope)
			return
		}
		op.named = op.named || !op.opCancelled
		request(cancelledBy(cause))
	}
	return op
}

func (m *model) complete(op *thing, v any) {
	if op.opDone {
		return
	}
	op.opDone = true
	unwait(op.waits, true)
	op.waits = nil
	m.settle(op, v, nil)
	m.push(func() { m.leave(op, nil, true) })
}

func (m *model) fail(op *thing, err error) {
	if op.opDone {
		return
	}
	op.opDone = true
	unwait(op.waits, true)
	op.waits = nil
	silent := op.observers > 0 || op.named && AsCancelled(err) != nil
	m.settle(op, nil, err)
	m.push(func() { m.leave(op, err, silent) })
}

// combine is one of the combinators, by looking at all members again whenever one settles.
func (m *model) combine(scope *thing, how combination, members []*thing) *thing {
	c := &thing{scope: scope}
	var failing error
	order := 0
	look := func(i int) {
		if c.settled || failing != nil {
			return
		}
		p := members[i]
		order++
		switch how {
		case outcome:
			m.settle(c, Settled{p.val, p.err}, nil)
		case race:
			if failing = p.err; p.err == nil {
				m.settle(c, Winner{i, p.val}, nil)
			}
		case anyOf:
			if p.err == nil {
				m.settle(c, Winner{i, p.val}, nil)
			} else if order == len(members) {
				failing = p.err
				all := &AllFailed{}
				for _, q := range members {
					all.Errors = append(all.Errors, q.err)
					if AsCancelled(q.err) == nil {
						failing = all
					}
				}
			}
		case all:
			if p.err != nil {
				failing = p.err
			} else if order == len(members) {
				var vs []any
				for _, q := range members {
					vs = append(vs, q.val)
				}
				m.settle(c, vs, nil)
			}
		}
	}
	lost := func() {
		s := scope
		for s != nil && s.state == Closed {
			s = s.scope
		}
		if s != nil {
			m.failed(s, failing)
		}
	}
	for _, p := range members {
		p.observers++
	}
	var waits []*waiting1
	for i, p := range members {
		if p.settled {
			look(i)
			continue
		}
		if c.settled || failing != nil {
			break
		}
		waits = append(waits, wait1(p, i, func(w *waiting1) {
			if failing != nil {
				return
			}
			look(w.n)
			if failing != nil && !c.settled {
				observed := c.observers > 0
				m.settle(c, nil, failing)
				if !observed {
					m.push(lost)
				}
			}
		}))
	}
	if failing != nil {
		m.push(func() {
			observed := c.observers > 0
			already := c.settled
			if !already {
				m.settle(c, nil, failing)
			}
			if !observed && !already {
				lost()
			}
		})
	}
	c.byName = func(cause error) {
		if failing == nil {
			unwait(waits, true)
			m.settle(c, nil, cancelledBy(cause))
		}
	}
	return c
}

func newModel(p program) *model {
	m := &model{}
	for range settables {
		s := &thing{settable: true}
		s.byName = func(cause error) { m.settle(s, nil, cancelledBy(cause)) }
		m.add(s)
	}
	m.root = m.newScope(nil, instr{body: p.root}, false, false, settables)
	m.add(m.root)
	m.root.observers++
	m.enter(m.root, nil)
	return m
}

func (m *model) cancelThing(n int, label string) {
	m.raised++
	if t := m.thing(n); !t.settled {
		t.byName(E(fmt.Sprint(label, m.raised)))
	}
}

func (m *model) happen(h happening) {
	switch h.what {
	case runs:
		m.run()
	case completes:
		if t := m.thing(h.n); t.isOp {
			m.complete(t, -t.id)
		}
	case fails:
		if t := m.thing(h.n); t.isOp {
			m.raised++
			m.fail(t, E(fmt.Sprint("o", m.raised)))
		}
	case sets:
		if s := m.things[h.n%settables]; !s.settled {
			m.settle(s, -1, nil)
		}
	case cancels:
		m.cancelThing(h.n, "x")
	case attaches:
		if m.root.state > Trying || m.root.requested() {
			m.t("refused")
			return
		}
		m.enter(m.add(m.newBranch(m.root, h.body, false)), nil)
	}
}

func (s *thing) requested() bool {
	return s.state == Trying && s.asked != nil
}

func (m *model) results() (out []string) {
	for _, t := range m.things {
		if t.settled {
			out = append(out, fmt.Sprintf("%d=%s", t.id, showValue(t.val, t.err)))
		} else {
			out = append(out, fmt.Sprintf("%d open", t.id))
		}
	}
	return out
}
