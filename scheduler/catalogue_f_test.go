package scheduler

import (
	"testing"
)

// F. Promises.
func TestCatalogueF(t *testing.T) {
	perform(t, []catalogued{
		{"P-130", func(p *play) {
			s := p.settable()
			_, err := s.Get()
			p.attempt(err)
			p.set(s, 1)
			p.attempt(s.Set(2))
			p.t("%v", s.value)
			n := p.settable()
			p.set(n, nil)
			v, err := n.Get()
			p.t("%v %v %s", v, n.Ready(), text(err))
		}, "!not ready: the promise has neither a value nor a failure yet; await it first, !already set to 1, 1, <nil> " +
			"true null"},

		{"P-131/1", func(p *play) {
			s, r := p.settable(), p.settable()
			p.must(r.Chain(s))
			p.t("%v", r.Ready())
			p.set(s, 7)
			p.t("%v %v", r.Ready(), r.value)
		}, "false, true 7"},
		{"P-131/2", func(p *play) {
			s, r := p.settable(), p.settable()
			p.set(s, 3)
			p.must(r.Chain(s))
			p.t("%v %v", r.Ready(), r.value)
			p.attempt(r.Unchain())
			p.attempt(r.Chain(s))
		}, "true 3, !cannot unchain from a promise which is ready, !already ready: a promise that has settled cannot be " +
			"chained"},
		{"P-131/3", func(p *play) {
			r := p.settable()
			p.must(r.Chain(nil))
			p.t("%v %v", r.Ready(), r.value)
		}, "true <nil>"},

		{"P-132/1", func(p *play) {
			r, s, s2 := p.settable(), p.settable(), p.settable()
			p.must(r.Chain(s))
			p.attempt(r.Chain(s2))
			p.must(r.Unchain())
			p.attempt(r.Chain(s2))
			p.set(s, 1)
			p.t("%v", r.Ready())
			p.set(s2, 2)
			p.t("%v", r.value)
		}, "!already chained: call unchain() to get rid of the previous chaining, ok, false, 2"},
		{"P-132/2", func(p *play) {
			r := p.settable()
			p.attempt(r.Unchain())
			p.attempt(r.Set(1))
		}, "ok, ok"},

		{"P-133", func(p *play) {
			r, s := p.settable(), p.settable()
			p.must(r.Chain(s))
			p.attempt(r.Set(1))
			p.attempt(s.Set(2))
			p.t("s=%v/%v r=%v", s.Ready(), s.value, r.value)
		}, "ok, !already set to 1, s=true/2 r=1"},

		// And is All, Or is Race; a list that is nil is a list of nothing in Go.
		{"P-134", func(p *play) {
			p.root(func(x *do) {
				for _, c := range []*Promise{
					All(x.b, nil), Race(x.b, nil), All(x.b, []*Promise{nil, nil}), Race(x.b, []*Promise{p.settable(), nil}),
					Any(x.b, []*Promise{p.settable(), nil}),
				} {
					x.t("%v", c.Ready())
				}
			})
		}, "true, true, true, true, true, loop=true"},

		// All has the values of its members; And has none.
		{"P-135", func(p *play) {
			s1, s2 := p.settable(), p.settable()
			p.root(func(x *do) {
				and := All(x.b, []*Promise{s1, s2, nil, s1})
				or := Race(x.b, []*Promise{s1, s2})
				x.t("%v", and.Ready())
				p.set(s2, 2)
				x.t("%v", and.Ready())
				x.t("%v", or.Ready())
				x.attempt(s1.Set(1))
				x.t("%v %v", and.Ready(), and.value)
				x.t("%v", or.value)
			})
		}, "false, false, true, ok, true [1 2 <nil> 1], {1 2}, loop=true"},

		{"P-136/1", func(p *play) {
			var null, fails *Promise
			p.root(func(x *do) {
				null = x.task(func(x *do) { x.result = (*Promise)(nil) })
				x.scope(sc{try: func(x *do) { fails = x.task(p.throwing(E("f"))) }, catch: p.catch("catch")})
			})
			p.t("%v %v %v", null.Ready(), null.value, fails.Ready())
		}, "catch E(f), loop=true, true <nil> false"},

		// The branch awaits the promise that it returned, so its scope stays open until then.
		{"P-136/2", func(p *play) {
			s := p.settable()
			var f *Promise
			p.root(func(x *do) { f = x.task(func(x *do) { x.t("exec"); x.result = s }, nil) })
			p.t("%v", f.Ready())
			p.set(s, 9)
			p.loop()
			p.t("%v", f.value)
		}, "exec, loop=false, false, loop=true, 9"},

		{"P-137", func(p *play) {
			s := p.tree.Promise(nil, "src")
			r, own := p.settable(), p.tree.Promise(nil, "own")
			p.must(r.Chain(s))
			p.must(own.Chain(s))
			p.root(func(x *do) {
				x.t("%s, %s, %q", r.Description(), own.Description(), All(x.b, []*Promise{s}).Description())
			})
		}, `src, own, "", loop=true`},

		// All is ready at once, there is no task between it and its last member.
		{"P-138", func(p *play) {
			s1, s2 := p.settable(), p.settable()
			var list *Promise
			p.root(func(x *do) {
				list = All(x.b, []*Promise{s1, s2})
				x.ext("hold", wait_, list)
			})
			p.set(s2, 2)
			p.loop()
			p.set(s1, 1)
			p.t("ready=%v", list.Ready())
			p.t("%v", list.value)
		}, "loop=false, loop=false, ready=true, [1 2]"},

		{"P-139/1", func(p *play) {
			s, r := p.settable(), p.settable()
			p.root(func(x *do) {
				x.task(p.say("ws1"), s)
				x.must(r.Chain(s))
				x.task(p.say("wr"), r)
				x.task(p.say("ws2"), s)
			})
			p.set(s, 1)
			p.loop()
		}, "loop=false, ws1, wr, ws2, loop=true"},
		{"P-139/2", func(p *play) {
			s, r, u := p.settable(), p.settable(), p.settable()
			p.must(u.Chain(r))
			p.must(r.Chain(s))
			p.set(s, 1)
			p.t("%v %v", u.Ready(), u.value)
		}, "true 1"},

		// The words for the arguments are the original's; the layout is a tree with paths.
		{"P-140/1", func(p *play) {
			s1, s2 := p.tree.Promise(nil, "first"), p.settable()
			p.root(func(x *do) {
				_, err := x.b.Spawn(Spec{Name: "T1", After: []*Promise{s1, s2, All(x.b, []*Promise{s1, nil, s2})}})
				x.must(err)
				x.daemon(p.nothing, s2)
				x.b.Await(s1)
			})
			p.t("\n%s", p.tree)
		}, "loop=false, \n" + `scope TRYING
  branch waiting for "first"
  branch /1 "T1" waiting on arguments (starting from 1) 1:"first" 2 3:all[0:"first" 2]
  branch /2 daemon waiting on argument (starting from 1) 1
`},
		{"P-140/2", func(p *play) {
			never := p.tree.Promise(nil, "never")
			p.root(func(x *do) {
				x.scope(sc{name: "scopeA", try: func(x *do) {
					x.task(p.nothing, never)
					x.daemon(p.nothing, never)
					_, err := x.b.Begin(OperationSpec{Kind: "ext", Note: func() string { return "for the outside" },
						Start: func(*Operation, []any) error { p.t("e:start"); return nil }})
					x.must(err)
				}})
			})
			p.t("\n%s", p.tree)
		}, "e:start, loop=false, \n" + `scope TRYING
  scope /1 "scopeA" TRYING
    branch /1t/1 "scopeA" waiting on argument (starting from 1) 1:"never"
    branch /1t/2 "scopeA" daemon waiting on argument (starting from 1) 1:"never"
    ext /1t/3 "scopeA" started for the outside
`},

		{"P-141", func(p *play) {
			var names []string
			p.root(func(x *do) {
				x.scope(sc{name: "N1", try: func(x *do) {
					names = append(names, x.b.Name())
					x.task(func(x *do) { names = append(names, x.b.Name()) })
				}})
			})
			p.t("%s %s", names[0], names[1])
		}, "loop=true, N1 N1"},

		{"P-142", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					c = x.scope(p.std("i", func(x *do) { x.act("a", failc) }))
					x.task(p.say("never"), p.settable())
				}))
			})
			c.Cancel(nil)
			p.loop()
		}, "a:start, loop=false, a:cancel(Cancelled<-Cancelled), icatch Cancelled, ifin, loop=false"},

		// What a call waits for is what the caller lists in After: arguments that are promises, not those passed as they are.
		{"P-143", func(p *play) {
			a, w1, w2, out := p.settable(), p.settable(), p.settable(), p.settable()
			p.root(func(x *do) {
				x.task(func(x *do) { x.t("%v out=%v", x.in[0], out.Settled()); p.set(out, x.in[1]) },
					a, All(x.b, []*Promise{w1, w2}))
			})
			p.set(a, 1)
			p.set(w1, 2)
			p.loop()
			p.set(w2, 3)
			p.loop()
			p.t("%v", out.value)
		}, "loop=false, loop=false, 1 out=false, loop=true, [2 3]"},

		// A result that is no promise is a value: Lua functions return either. The original fails the task.
		{"P-144", func(p *play) {
			var f *Promise
			p.root(func(x *do) { f = x.task(func(x *do) { x.result = 5 }) })
			p.t("%v", f.value)
		}, "loop=true, 5"},
	})
}
