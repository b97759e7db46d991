package scheduler

import "testing"

// C. Explicit cancellation: promises, order, clean-up and the root.
func TestCatalogueCMore(t *testing.T) {
	perform(t, []catalogued{
		// Rules 4 and 7: the promise fails, so the waiter outside is not stuck but fails with it.
		{"P-071", func(p *play) {
			inner, a := outsideWaiter(p, func(x *do, a *ext) { x.task(p.say("never"), a.res()) })
			inner.Cancel(nil)
			p.loop()
			p.t("ready=%v", a.res().Ready())
		}, "a:start, loop=false, a:cancel(Cancelled<-Cancelled), catch Cancelled, fin, loop!Cancelled<-Cancelled, ready=false"},

		// Rule 4: only a waiter of something that nobody settles is stuck.
		{"P-072", func(p *play) {
			inner, _ := outsideWaiter(p, func(x *do, _ *ext) { x.task(p.say("never"), p.settable()) })
			inner.Cancel(nil)
			p.loop()
			p.tree.Cancel(nil)
			p.loop()
		}, "a:start, loop=false, a:cancel(Cancelled<-Cancelled), catch Cancelled, fin, loop=false, loop!Cancelled"},

		{"P-073", func(p *play) {
			var inner *Scope
			var b *ext
			var and, or *Promise
			p.root(func(x *do) {
				b = x.ext("b", wait_)
				inner = x.scope(sc{catch: func(*do, error) {}, try: func(x *do) {
					a := x.act("a", failc)
					and = All(x.b, []*Promise{a.res(), b.result()})
					or = Any(x.b, []*Promise{a.res(), b.result()})
				}})
			})
			inner.Cancel(nil)
			p.loop()
			b.ok(1)
			p.loop()
			p.t("and=%v or=%v", and.Ready(), or.Ready())
		}, "b:start, a:start, loop=false, a:cancel(Cancelled<-Cancelled), loop=false, loop=true, and=false or=true"},

		{"P-074", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) {
					x.ext("a", obey)
					x.task(p.say("never"), p.settable())
					x.ext("b", obey)
					x.scope(sc{
						try:     func(x *do) { x.ext("n", obey) },
						catch:   func(x *do, _ error) { x.t("ncatch") },
						finally: p.say("nfin"),
					})
					x.ext("c", obey)
				}))
			})
			c.Cancel(nil)
			p.t("--")
			p.loop()
		}, "a:start, b:start, c:start, n:start, loop=false, --, a:cancel(Cancelled), b:cancel(Cancelled), " +
			"n:cancel(Cancelled<-Cancelled), c:cancel(Cancelled), ncatch, nfin, catch Cancelled, fin, loop=true"},

		{"P-075", func(p *play) {
			var mid *Scope
			p.root(func(x *do) {
				x.scope(sc{catch: p.catch("root catch"), finally: p.say("rootfin"), try: func(x *do) {
					mid = x.scope(sc{finally: p.say("midfin"), try: func(x *do) {
						x.scope(sc{finally: p.say("leaffin"), try: func(x *do) { x.ext("leaf", obey) }})
					}})
				}})
			})
			mid.Cancel(E("why"))
			p.loop()
		}, "leaf:start, loop=false, leaf:cancel(Cancelled<-Cancelled<-E(why)), leaffin, midfin, " +
			"root catch Cancelled<-E(why), rootfin, loop=true"},

		{"P-076", func(p *play) {
			var outer *Scope
			var act2 *ext
			p.root(func(x *do) {
				outer = x.scope(p.std("o", func(x *do) {
					x.scope(sc{try: p.throwing(E("x")), finally: p.say("ifin"), catch: func(x *do, _ error) {
						x.t("retry in catch")
						act2 = x.ext("act2", obey)
					}})
				}))
			})
			outer.Cancel(E("stop"))
			p.loop()
			p.t("state=%s", outer.State())
			act2.ok(1)
			p.loop()
		}, "retry in catch, act2:start, loop=false, loop=false, state=TRYING, ifin, ocatch Cancelled<-E(stop), ofin, " +
			"loop=true"},

		{"P-077", func(p *play) {
			var c *Scope
			var cleanup *ext
			p.root(func(x *do) {
				c = x.scope(sc{
					try:     func(x *do) { x.ext("a", obey) },
					catch:   func(x *do, _ error) { x.t("catch") },
					finally: func(x *do) { x.t("fin"); cleanup = x.ext("cleanup", wait_) },
				})
			})
			c.Cancel(nil)
			p.loop()
			p.t("state=%s", c.State())
			cleanup.ok(1)
			p.loop()
		}, "a:start, loop=false, a:cancel(Cancelled), catch, fin, cleanup:start, loop=false, state=FINALIZING, loop=true"},

		{"P-078", func(p *play) {
			var inner *Scope
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					inner = x.scope(sc{waits: []*Promise{p.settable()}, try: p.nothing, finally: p.throwing(E("no"))})
				}))
			})
			inner.Cancel(nil)
			p.loop()
		}, "loop=false, ofin, loop=true"},

		{"P-079", func(p *play) {
			processing := true
			var payment *Scope
			p.root(func(x *do) {
				x.ext("keep", wait_)
				payment = x.scope(sc{
					try:     func(x *do) { x.act("pay", failc) },
					catch:   func(x *do, _ error) { x.t("Payment canceled.") },
					finally: func(x *do) { processing = false },
				})
			})
			_, err := p.tree.Attach("signal", nil, p.body(func(x *do) {
				x.t("signal handled")
				if processing {
					payment.Cancel(nil)
				}
			}))
			p.must(err)
			p.loop()
			p.t("processing=%v", processing)
		}, "keep:start, pay:start, loop=false, signal handled, pay:cancel(Cancelled<-Cancelled), Payment canceled., " +
			"loop=false, processing=false"},

		{"P-080", func(p *play) {
			var s [2]*ext
			r := [2]*Promise{p.settable(), p.settable()}
			p.root(func(x *do) {
				var branches [2]*Scope
				for i := range 2 {
					n := string(rune('0' + i))
					branches[i] = x.scope(sc{catch: p.catch("bcatch" + n), try: func(x *do) {
						s[i] = x.act("s"+n, failc)
						p.must(r[i].Chain(s[i].res()))
					}})
				}
				x.task(func(x *do) {
					x.t("first r0=%v r1=%v", r[0].Ready(), r[1].Ready())
					for i := range 2 {
						if !r[i].Ready() {
							branches[i].Cancel(nil)
						}
					}
				}, Race(x.b, r[:]))
			})
			s[1].ok(1)
			p.loop()
			p.t("r0 ready=%v", r[0].Ready())
		}, "s0:start, s1:start, loop=false, first r0=false r1=true, s0:cancel(Cancelled<-Cancelled), bcatch0 Cancelled, " +
			"loop=true, r0 ready=false"},

		// Running a tree that is complete does nothing; the original raises "already complete".
		{"P-081/1", func(p *play) {
			p.root(func(x *do) {
				x.scope(sc{try: func(x *do) { x.ext("a", obey) }, catch: p.catchRethrow("catch"), finally: p.say("fin")})
			})
			p.tree.Cancel(E("stop"))
			p.t("cr=%v complete=%v", p.tree.Root().CancelRequested(), p.tree.Done())
			p.loop()
			_, err := p.tree.Result()
			p.t("complete=%v failure=%s", p.tree.Done(), text(err))
			requireRun(p)
		}, "a:start, loop=false, cr=true complete=false, a:cancel(Cancelled<-Cancelled<-E(stop)), " +
			"catch Cancelled<-Cancelled<-E(stop), fin, loop!Cancelled<-E(stop), complete=true failure=Cancelled<-E(stop)"},

		{"P-081/2", func(p *play) {
			p.root(func(x *do) { x.scope(p.std("", func(x *do) { x.ext("a", obey) })) })
			p.tree.Cancel(E("stop"))
			p.loop()
		}, "a:start, loop=false, a:cancel(Cancelled<-Cancelled<-E(stop)), catch Cancelled<-Cancelled<-E(stop), fin, " +
			"loop!Cancelled<-E(stop)"},

		// Rule 5: the promise of what was dropped fails with Cancelled; the original has no failure here.
		{"P-081/3", func(p *play) {
			p.start(p.say("never"))
			p.tree.Cancel(E("stop"))
			_, err := p.tree.Result()
			p.t("complete=%v failure=%s", p.tree.Done(), text(err))
			requireRun(p)
		}, "complete=true failure=Cancelled<-E(stop)"},

		{"P-082", func(p *play) { rethrownCancellation(p, nil) },
			"sib:start, ie:start, loop=false, ie:cancel(Cancelled<-E(why)), ifin, sib:cancel(Cancelled<-E(why)), " +
				"ocatch Cancelled<-E(why), ofin, loop=true"},
	})
}

// outsideWaiter is an act in an inner scope and a waiter beside that scope.
func outsideWaiter(p *play, wait func(x *do, a *ext)) (inner *Scope, a *ext) {
	p.root(func(x *do) {
		inner = x.scope(p.std("", func(x *do) { a = x.act("a", failc) }))
		x.task(p.nothing)
		x.task(func(x *do) { wait(x, a) })
	})
	return inner, a
}
