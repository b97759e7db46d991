package scheduler

import "testing"

// A. Event loop and ordering.
func TestCatalogueA(t *testing.T) {
	perform(t, []catalogued{
		{"P-001", func(p *play) {
			p.root(func(x *do) {
				x.task(p.say("1"))
				x.task(p.say("2"))
				x.task(p.say("3"))
				x.t("body")
			})
		}, "body, 1, 2, 3, loop=true"},

		{"P-002", func(p *play) {
			p.root(func(x *do) {
				x.task(func(x *do) { x.t("1"); x.task(p.say("1a")); x.t("1end") })
				x.task(p.say("2"))
			})
		}, "1, 1end, 2, 1a, loop=true"},

		{"P-003", func(p *play) {
			ready := p.settable()
			p.set(ready, 1)
			p.root(func(x *do) {
				x.task(p.say("1"), ready)
				x.task(p.say("2"))
				x.task(p.say("3"), nil)
			})
		}, "1, 2, 3, loop=true"},

		{"P-004", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				x.task(p.say("w1"), s)
				x.task(p.say("w2"), s)
				x.task(func(x *do) { x.t("set"); p.set(s, 1); x.t("afterset"); x.task(p.say("new")) })
				x.task(p.say("other"))
			})
		}, "set, afterset, other, w1, w2, new, loop=true"},

		{"P-005", func(p *play) {
			p.root(func(x *do) {
				x.scope(sc{try: p.say("try"), finally: p.say("fin")})
				x.task(p.say("task"))
				x.t("body")
			})
		}, "body, try, task, fin, loop=true"},

		{"P-006", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { x.t("try"); x.throw(E("x")) }))
				x.task(p.say("t1"))
				x.task(func(x *do) { x.t("t2"); x.task(p.say("t3")) })
			})
		}, "try, t1, t2, catch E(x), t3, fin, loop=true"},

		{"P-007", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				x.scope(sc{try: p.say("try"), finally: p.say("fin"), waits: []*Promise{s}})
				x.task(p.say("task"))
			})
			p.set(s, 1)
			p.t("set")
			p.loop()
		}, "task, loop=false, set, try, fin, loop=true"},

		{"P-008", func(p *play) {
			s1, s2 := p.settable(), p.settable()
			p.root(func(x *do) {
				x.scope(sc{try: p.say("try"), finally: p.say("fin"), waits: []*Promise{s1, nil, s2}})
			})
			p.set(s2, 1)
			p.loop()
			p.set(s1, 1)
			p.loop()
		}, "loop=false, loop=false, try, fin, loop=true"},

		{"P-009", func(p *play) {
			n := 0
			var rec func(x *do, i int)
			rec = func(x *do, i int) {
				x.task(func(x *do) {
					if i > 1 {
						rec(x, i-1)
					}
					n++
				})
			}
			p.root(func(x *do) { rec(x, 100) })
			p.t("n=%d", n)
		}, "loop=true, n=100"},

		{"P-010", func(p *play) {
			f := p.settable()
			p.root(func(x *do) {
				x.task(func(x *do) { x.t("first"); x.await(f); x.t("fourth") })
				x.task(func(x *do) { x.t("second"); p.set(f, 1); x.t("third") })
			})
		}, "first, second, third, fourth, loop=true"},

		{"P-011", func(p *play) {
			f := p.settable()
			p.root(func(x *do) {
				x.task(func(x *do) { x.t("first"); x.await(f); x.t("fifth") })
				x.task(func(x *do) { x.t("second"); x.await(f); x.t("sixth") })
				x.task(func(x *do) { x.t("third"); p.set(f, 1); x.t("fourth") })
			})
		}, "first, second, third, fourth, fifth, sixth, loop=true"},

		// AwaitFirst answers with the index of the first to settle instead of the list of those that have.
		{"P-012", func(p *play) {
			f1, f2, f3 := p.settable(), p.settable(), p.settable()
			p.root(func(x *do) {
				x.task(func(x *do) {
					x.t("before_set")
					p.set(f2, 2)
					p.set(f1, 1)
					p.set(f3, 3)
					x.t("after_set")
				})
				x.t("before_wait")
				i, err := x.b.AwaitFirst(f1, f2)
				x.must(err)
				x.t("after_wait")
				x.t("r=%d", i)
			})
		}, "before_wait, before_set, after_set, after_wait, r=1, loop=true"},

		{"P-013", func(p *play) {
			p.root(func(x *do) {
				x.task(func(x *do) { x.await(All(x.b, nil)) })
				x.task(func(x *do) { x.await(Any(x.b, nil)) })
				x.task(func(x *do) { _, err := x.b.AwaitFirst(); x.must(err) })
			})
		}, "loop=true"},

		{"P-014", func(p *play) {
			var child func(d int) func(x *do)
			child = func(d int) func(x *do) {
				return func(x *do) {
					x.t("%d started", d)
					if d < 10 {
						x.await(x.task(child(d + 1)))
					}
					x.t("%d done", d)
				}
			}
			p.root(child(0))
		}, "0 started, 1 started, 2 started, 3 started, 4 started, 5 started, 6 started, 7 started, 8 started, " +
			"9 started, 10 started, 10 done, 9 done, 8 done, 7 done, 6 done, 5 done, 4 done, 3 done, 2 done, 1 done, " +
			"0 done, loop=true"},
	})
}
