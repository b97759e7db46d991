package scheduler

import "fmt"

// start runs the block of b until it waits or ends, then from where it waited.
func (m *model) start(b *thing) {
	m.t("start %d", b.id)
	b.block = append([]instr(nil), b.block...)
	m.proceed(b, nil)
}

// proceed handles the outcome of the last instruction and executes the next ones.
func (m *model) proceed(b *thing, err error) {
	for {
		m.now = b
		if err != nil {
			if !b.block[b.pc-1].swallow {
				m.t("%d raises %s", b.id, text(err))
				m.over(b, nil, err)
				return
			}
			m.t("%d swallows %s", b.id, text(err))
			err = nil
		}
		if b.pc == len(b.block) {
			m.t("end %d", b.id)
			m.over(b, b.id, nil)
			return
		}
		i := b.block[b.pc]
		b.pc++
		if i.do == giveBack {
			m.t("%d gives back", b.id)
			m.giveBack(b, m.thing(i.n))
			return
		}
		var blocked bool
		if blocked, err = m.instr(b, i); blocked {
			return
		}
	}
}

func (m *model) over(b *thing, v any, err error) {
	m.now = nil
	b.dropped = true
	b.finish(v, err)
}

func (m *model) giveBack(b, p *thing) {
	m.await(b, p, func(err error) {
		if err != nil {
			m.over(b, nil, err)
			return
		}
		m.over(b, p.val, nil)
	})
}

// await calls then, at once if it need not wait.
func (m *model) await(b, p *thing, then func(error)) {
	switch {
	case b.cancelled != nil:
		then(b.cancelled)
		return
	case p == b:
		then(errOwnPromise)
		return
	}
	p.observers++
	if p.settled {
		then(p.err)
		return
	}
	m.park(b, []*thing{p}, func() {
		if b.cancelled != nil && !m.rescued(b) {
			then(b.cancelled)
			return
		}
		then(p.err)
	})
}

func (m *model) rescued(b *thing) bool {
	return b.woken != nil && b.woken.on.err != nil && AsCancelled(b.woken.on.err) == nil
}

func (m *model) park(b *thing, ps []*thing, then func()) {
	b.parked, b.woken, b.resumed, b.waits = true, nil, then, nil
	for i, p := range ps {
		b.waits = append(b.waits, wait1(p, i, func(w *waiting1) {
			if b.parked {
				b.parked, b.woken = false, w
				m.push(b.resumed)
			}
		}))
	}
}

func (m *model) instr(b *thing, i instr) (blocked bool, err error) {
	starts := func() error {
		if b.cancelled != nil {
			return b.cancelled
		}
		return nil
	}
	daemon := i.daemon || b.daemon
	switch i.do {
	case spawn, try, begin:
		if err := starts(); err != nil {
			return false, err
		}
		after := m.refs(i.after)
		var t *thing
		switch i.do {
		case spawn:
			t = m.newBranch(b.scope, i.body, daemon)
		case try:
			t = m.newScope(b.scope, i, daemon, false, len(m.things))
		case begin:
			t = m.newOperation(b.scope, i, daemon)
		}
		m.enter(m.add(t), after)
	case await:
		blocked = true
		p := m.thing(i.n)
		m.await(b, p, func(err error) {
			if err == nil {
				m.t("%d got %s", b.id, showValue(p.val, nil))
			}
			m.proceed(b, err)
		})
	case first:
		return m.first(b, m.refs([]int{i.n, i.m}))
	case yield:
		if err := starts(); err != nil {
			return false, err
		}
		m.push(func() { m.proceed(b, starts()) })
		return true, nil
	case raise:
		m.raised++
		if i.daemon {
			return false, cancelledFor(fmt.Sprint(m.raised))
		}
		return false, E(fmt.Sprint(m.raised))
	case cancel:
		m.cancelThing(i.n, "c")
	case set:
		if s := m.things[i.n%settables]; !s.settled {
			m.settle(s, len(m.things), nil)
		}
	case reject:
		if s := m.things[i.n%settables]; !s.settled {
			m.raised++
			m.settle(s, nil, E(fmt.Sprint("r", m.raised)))
		}
	case shield:
		m.shield(b, i)
		return true, nil
	case combineThem:
		ts := m.refs([]int{i.n, i.m})
		if i.how == outcome {
			ts = ts[:1]
		}
		m.add(m.combine(b.scope, i.how, ts))
	case observe:
		m.thing(i.n).observers++
	case link:
		m.link(m.things[i.n%settables], m.thing(i.m))
	}
	return blocked, err
}

func (m *model) first(b *thing, ps []*thing) (bool, error) {
	for _, p := range ps {
		switch {
		case b.cancelled != nil:
			return false, b.cancelled
		case p == b:
			return false, errOwnPromise
		}
	}
	found := -1
	for n, p := range ps {
		p.observers++
		if p.settled && found < 0 {
			found = n
		}
	}
	if found >= 0 {
		m.t("%d got first %d", b.id, found)
		return false, nil
	}
	m.park(b, ps, func() {
		unwait(b.waits, false)
		if b.cancelled != nil && !m.rescued(b) {
			m.proceed(b, b.cancelled)
			return
		}
		m.t("%d got first %d", b.id, b.woken.n)
		m.proceed(b, nil)
	})
	return true, nil
}

func (m *model) shield(b *thing, i instr) {
	before := b.cancelled
	s := m.newScope(b.scope, instr{body: i.body}, false, true, 1000+b.id)
	m.enter(s, nil)
	b.cancelled, b.shielding = nil, true
	s.observers++
	m.park(b, []*thing{s}, func() {
		b.shielding = false
		if before != nil {
			b.cancelled = before
		}
		m.proceed(b, s.err)
	})
}

func (m *model) link(s, src *thing) {
	if s.settled || s.chained || src.settable {
		return
	}
	s.chained = true
	src.observers++
	if src.settled {
		m.settle(s, src.val, src.err)
		return
	}
	w := wait1(src, 0, func(*waiting1) {
		if !s.settled {
			m.settle(s, src.val, src.err)
		}
	})
	s.byName = func(cause error) {
		unwait([]*waiting1{w}, true)
		m.settle(s, nil, cancelledBy(cause))
	}
}
