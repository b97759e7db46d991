package scheduler

import (
	"fmt"
)

// driver interprets a program with the scheduler.
type driver struct {
	tree   *Tree
	trace  []string
	things []driven
	raised int
}

type driven struct {
	id      int
	promise *Promise
	op      *Operation
	settle  bool
	chained *bool
}

func newDriver(p program) *driver {
	d := &driver{tree: New(Config{})}
	for range settables {
		d.add(driven{promise: d.tree.Promise(nil, ""), settle: true, chained: new(bool)})
	}
	id := len(d.things)
	d.add(driven{promise: d.tree.Start("", nil, d.body(id, p.root))})
	return d
}

func (d *driver) t(format string, args ...any) {
	d.trace = append(d.trace, fmt.Sprintf(format, args...))
}

func (d *driver) add(t driven) int {
	t.id = len(d.things)
	d.things = append(d.things, t)
	return t.id
}

func (d *driver) thing(n int) driven { return d.things[n%len(d.things)] }

func (d *driver) promises(ns []int) (ps []*Promise) {
	for _, n := range ns {
		ps = append(ps, d.thing(n).promise)
	}
	return ps
}

func (d *driver) body(id int, block []instr) Func {
	return func(b *Branch, in []any) (v any, err error) {
		d.t("start %d", id)
		for _, i := range block {
			if i.do == giveBack {
				d.t("%d gives back", id)
				return d.thing(i.n).promise, nil
			}
			if err = d.instr(id, b, i); err != nil {
				if !i.swallow {
					d.t("%d raises %s", id, text(err))
					return nil, err
				}
				d.t("%d swallows %s", id, text(err))
			}
		}
		d.t("end %d", id)
		return id, nil
	}
}

func (d *driver) instr(id int, b *Branch, i instr) error {
	next := len(d.things)
	switch i.do {
	case spawn:
		p, err := b.Spawn(Spec{After: d.promises(i.after), Daemon: i.daemon, Body: d.body(next, i.body)})
		if err == nil {
			d.add(driven{promise: p})
		}
		return err
	case try:
		s, err := b.Try(d.scope(next, i))
		if err == nil {
			d.add(driven{promise: s.Promise()})
		}
		return err
	case begin:
		op, err := b.Begin(d.operation(next, i))
		if err == nil {
			d.add(driven{promise: op.Promise(), op: op})
		}
		return err
	case await:
		v, err := b.Await(d.thing(i.n).promise)
		if err == nil {
			d.t("%d got %s", id, showValue(v, nil))
		}
		return err
	case first:
		n, err := b.AwaitFirst(d.promises([]int{i.n, i.m})...)
		if err == nil {
			d.t("%d got first %d", id, n)
		}
		return err
	case yield:
		return b.Yield()
	case raise:
		d.raised++
		if i.daemon {
			return cancelledFor(fmt.Sprint(d.raised))
		}
		return E(fmt.Sprint(d.raised))
	case cancel:
		d.raised++
		d.thing(i.n).promise.Cancel(E(fmt.Sprint("c", d.raised)))
	case set:
		d.set(i.n, next)
	case reject:
		if s := d.things[i.n%settables]; !s.promise.Settled() {
			d.raised++
			must(s.promise.Fail(E(fmt.Sprint("r", d.raised))))
		}
	case shield:
		_, err := b.Shield(Spec{Body: d.body(1000+id, i.body)})
		return err
	case combineThem:
		ps := d.promises([]int{i.n, i.m})
		d.add(driven{promise: [...]func() *Promise{
			func() *Promise { return All(b, ps) }, func() *Promise { return Any(b, ps) },
			func() *Promise { return Race(b, ps) }, func() *Promise { return Outcome(b, ps[0]) },
		}[i.how]()})
	case observe:
		d.thing(i.n).promise.Observe()
	case link:
		s, src := d.things[i.n%settables], d.thing(i.m)
		if !s.settle || s.promise.Settled() || *s.chained || src.settle {
			return nil
		}
		*s.chained = true
		must(s.promise.Chain(src.promise))
	}
	return nil
}

func (d *driver) set(n, v int) {
	if s := d.things[n%settables]; !s.promise.Settled() {
		must(s.promise.Set(v))
	}
}

func (d *driver) scope(id int, i instr) ScopeSpec {
	spec := ScopeSpec{After: d.promises(i.after), Daemon: i.daemon, Try: d.body(id, i.body)}
	if i.caught {
		spec.Catch = func(b *Branch, err error) (any, error) {
			d.t("catch %d %s", id, text(err))
			return d.body(id, i.catch)(b, nil)
		}
	}
	if i.final {
		spec.Finally = func(b *Branch) error {
			d.t("finally %d", id)
			v, err := d.body(id, i.finally)(b, nil)
			if p, ok := v.(*Promise); ok && err == nil {
				_, err = b.Await(p)
			}
			return err
		}
	}
	return spec
}

func (d *driver) operation(id int, i instr) OperationSpec {
	spec := OperationSpec{After: d.promises(i.after), Daemon: i.daemon}
	spec.Start = func(*Operation, []any) error { d.t("begin %d", id); return nil }
	if i.mode == none {
		return spec
	}
	spec.Cancel = func(op *Operation, cause error) error {
		d.t("cancel %d %s", id, text(cause))
		switch i.mode {
		case obey:
			op.Complete(nil)
		case failc:
			op.Fail(cancelledFor("ack"))
		case throws:
			return E("handler")
		case ct:
			op.Complete(nil)
			return E("handler2")
		}
		return nil
	}
	return spec
}

func (d *driver) happen(h happening) {
	switch h.what {
	case runs:
		d.run()
	case completes:
		if t := d.thing(h.n); t.op != nil {
			t.op.Complete(-t.id)
		}
	case fails:
		if t := d.thing(h.n); t.op != nil {
			d.raised++
			t.op.Fail(E(fmt.Sprint("o", d.raised)))
		}
	case sets:
		d.set(h.n, -1)
	case cancels:
		d.raised++
		d.thing(h.n).promise.Cancel(E(fmt.Sprint("x", d.raised)))
	case attaches:
		id := len(d.things)
		if p, err := d.tree.Attach("", nil, d.body(id, h.body)); err == nil {
			d.add(driven{promise: p})
		} else {
			d.t("refused")
		}
	}
}

func (d *driver) run() {
	d.t("run")
	must(d.tree.Run())
	d.t("done=%v", d.tree.Done())
}

// results are all promises.
func (d *driver) results() (out []string) {
	for _, t := range d.things {
		if t.promise.Settled() {
			out = append(out, fmt.Sprintf("%d=%s", t.id, showValue(t.promise.Get())))
		} else {
			out = append(out, fmt.Sprintf("%d open", t.id))
		}
	}
	return out
}

// endings bring a calm program to its end.
func (d *driver) endings() []happening {
	var hs []happening
	for range 4 {
		hs = append(hs, happening{what: cancels, n: settables}, happening{what: runs})
		for n := range len(d.things) {
			hs = append(hs, happening{what: completes, n: n}, happening{what: sets, n: n})
		}
		hs = append(hs, happening{what: runs})
	}
	return hs
}
