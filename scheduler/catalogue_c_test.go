package scheduler

import "testing"

// C. Explicit cancellation.
func TestCatalogueC(t *testing.T) {
	perform(t, []catalogued{
		{"P-060/1", func(p *play) {
			s := p.settable()
			var c *Scope
			p.root(func(x *do) {
				waits := p.std("", p.say("try"))
				waits.waits = []*Promise{s}
				c = x.scope(waits)
				x.task(p.say("t"))
			})
			p.t("%s", c.State())
			c.Cancel(E("why"))
			p.t("%s cr=%v", c.State(), c.CancelRequested())
			p.loop()
			p.set(s, 1)
			p.t("set ok")
		}, "t, loop=false, CREATED, CLOSED cr=false, loop=true, set ok"},

		{"P-060/2", func(p *play) {
			p.root(func(x *do) {
				c := x.scope(p.std("", p.say("try")))
				c.Cancel(E("why"))
				x.t("%s", c.State())
				x.task(p.say("t"))
			})
		}, "CLOSED, t, loop=true"},

		{"P-061", func(p *play) {
			var inner *Scope
			var ie, oe *ext
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					inner = x.scope(p.std("i", func(x *do) {
						x.t("itry")
						ie = x.ext("ie", wait_)
						x.task(p.say("never"), ie.result())
					}))
					oe = x.ext("oe", wait_)
					x.task(p.say("outer continues"), oe.result())
				}))
			})
			inner.Cancel(E("why"))
			p.t("cancelled %s %v", inner.State(), inner.CancelRequested())
			p.loop()
			ie.ok(1)
			p.loop()
			oe.ok(1)
			p.loop()
		}, "itry, oe:start, ie:start, loop=false, cancelled TRYING true, ie:cancel(Cancelled<-E(why)), loop=false, " +
			"icatch Cancelled<-E(why), ifin, loop=false, outer continues, ofin, loop=true"},

		{"P-062", func(p *play) {
			var c *Scope
			p.start(func(x *do) {
				c = x.scope(sc{try: func(x *do) { x.ext("ie", obey) }, finally: p.say("ifin"), catch: func(x *do, err error) {
					cancelled := err.(*Cancelled)
					x.t("icatch %s cause=%s reason=%v", text(err), text(cancelled.Cause), cancelled.Reason)
				}})
			})
			requireRun(p)
			c.Cancel(nil)
			p.loop()
		}, "ie:start, ie:cancel(Cancelled), icatch Cancelled cause=null reason=<nil>, ifin, loop=true"},

		{"P-063", func(p *play) { rethrownCancellation(p, p.rethrow("icatch")) },
			"sib:start, ie:start, loop=false, ie:cancel(Cancelled<-E(why)), icatch, ifin, sib:cancel(Cancelled<-E(why)), " +
				"ocatch Cancelled<-E(why), ofin, loop=true"},

		{"P-064", func(p *play) {
			var c *Scope
			var ie *ext
			p.root(func(x *do) { c = x.scope(p.std("", func(x *do) { ie = x.ext("ie", wait_) })) })
			c.Cancel(E("one"))
			c.Cancel(E("two"))
			p.loop()
			ie.ok(1)
			p.loop()
		}, "ie:start, loop=false, ie:cancel(Cancelled<-E(one)), loop=false, catch Cancelled<-E(one), fin, loop=true"},

		{"P-065/1", func(p *play) {
			var c *Scope
			var ce *ext
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					c = x.scope(sc{try: p.throwing(E("x")), finally: p.say("fin"), catch: func(x *do, _ error) {
						x.t("catch")
						ce = x.ext("ce", wait_)
					}})
				}))
			})
			c.Cancel(E("why"))
			p.t("%s cr=%v", c.State(), c.CancelRequested())
			p.loop()
			ce.ok(1)
			p.loop()
		}, "catch, ce:start, loop=false, CATCHING cr=false, loop=false, fin, ofin, loop=true"},

		{"P-065/2", func(p *play) {
			var c *Scope
			var fe *ext
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					c = x.scope(sc{try: p.say("try"), finally: func(x *do) { x.t("fin"); fe = x.ext("fe", wait_) }})
				}))
			})
			c.Cancel(E("why"))
			p.t("%s cr=%v", c.State(), c.CancelRequested())
			p.loop()
			fe.ok(1)
			p.loop()
		}, "try, fin, fe:start, loop=false, FINALIZING cr=false, loop=false, ofin, loop=true"},

		{"P-065/3", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					c = x.scope(p.std("", p.say("try")))
					x.ext("x", wait_)
				}))
			})
			c.Cancel(E("why"))
			p.t("%s cr=%v", c.State(), c.CancelRequested())
			p.loop()
		}, "try, x:start, fin, loop=false, CLOSED cr=false, loop=false"},

		{"P-066", func(p *play) {
			var c *Scope
			var a, b *ext
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) { a, b = x.ext("a", wait_), x.ext("b", wait_) }))
			})
			a.fail(E("real"))
			p.loop()
			c.Cancel(E("why"))
			p.t("cr=%v", c.CancelRequested())
			b.ok(1)
			p.loop()
		}, "a:start, b:start, loop=false, b:cancel(E(real)), loop=false, cr=false, catch E(real), fin, loop=true"},

		// Rule 9: a fatal error is an engine error. It is never a cause: who has one aborts, and nothing else runs.
		{"P-067", func(p *play) {
			p.root(func(x *do) {
				c := x.scope(p.std("", func(x *do) { x.ext("a", obey) }))
				x.task(p.nothing)
				x.task(func(x *do) { Abort(named("Fatal", "boom")); c.Cancel(nil) })
			})
			p.loop()
		}, "loop!Fatal(boom), loop!Fatal(boom)"},

		// Rule 6: starting a-child raises Cancelled, so a3 is not reached; the original drops it silently.
		{"P-068/1", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) {
					x.task(func(x *do) {
						x.t("a1")
						c.Cancel(E("self"))
						x.t("a2")
						x.task(p.say("a-child"))
						x.t("a3")
					})
					x.task(p.say("b"))
				}))
			})
		}, "a1, a2, catch Cancelled<-E(self), fin, loop=true"},

		{"P-068/2", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) {
					x.task(func(x *do) { c.Cancel(E("self")); x.throw(E("after")) })
				}))
			})
		}, "catch E(after), fin, loop=true"},

		{"P-069/1", func(p *play) { cancelThenFail(p, E("actfail")) },
			"act:start, loop=false, act:cancel(Cancelled<-Cancelled<-E(why)), loop=false, catch E(actfail), fin, loop=true"},
		{"P-069/2", func(p *play) { cancelThenFail(p, &Cancelled{}) },
			"act:start, loop=false, act:cancel(Cancelled<-Cancelled<-E(why)), loop=false, catch Cancelled<-E(why), fin, " +
				"loop=true"},

		{"P-070/1", func(p *play) {
			var a *ext
			p.root(func(x *do) { x.scope(p.std("", func(x *do) { a = x.act("a", wait_) })) })
			a.fail(detailed{&Cancelled{}, "details"})
			p.loop()
		}, "a:start, loop=false, catch CE:details, fin, loop=true"},
		{"P-070/2", func(p *play) { cancelThenFail(p, detailed{&Cancelled{}, "details"}) },
			"act:start, loop=false, act:cancel(Cancelled<-Cancelled<-E(why)), loop=false, catch Cancelled<-E(why), fin, " +
				"loop=true"},
	})
}

// detailed is a kind of cancellation with something more.
type detailed struct {
	*Cancelled
	details string
}

func (d detailed) Error() string { return "CE:" + d.details }

func requireRun(p *play) {
	if err := p.tree.Run(); err != nil {
		p.Fatal(err)
	}
}

func cancelThenFail(p *play, err error) {
	var c *Scope
	var a *ext
	p.root(func(x *do) { c = x.scope(p.std("", func(x *do) { a = x.act("act", wait_) })) })
	c.Cancel(E("why"))
	p.loop()
	a.fail(err)
	p.loop()
}

func rethrownCancellation(p *play, catch func(*do, error)) {
	var inner *Scope
	p.root(func(x *do) {
		x.scope(p.std("o", func(x *do) {
			inner = x.scope(sc{try: func(x *do) { x.ext("ie", obey) }, catch: catch, finally: p.say("ifin")})
			x.ext("sib", obey)
		}))
	})
	inner.Cancel(E("why"))
	p.loop()
}
