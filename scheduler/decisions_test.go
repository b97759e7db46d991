package scheduler

import "testing"

// The decisions that design.md section 3 and the package documentation take where the catalogue has no answer.
func TestObservedFailures(t *testing.T) {
	perform(t, []catalogued{
		{"an observed failure goes to the observer, and the scope goes on", func(p *play) {
			p.root(func(x *do) {
				_, err := x.b.Await(x.task(p.throwing(E("x"))))
				x.t("got %s", text(err))
			})
		}, "got E(x), loop=true"},

		{"an unobserved one fails the scope", func(p *play) {
			p.root(func(x *do) { x.scope(p.std("", func(x *do) { x.task(p.throwing(E("x"))) })) })
		}, "catch E(x), fin, loop=true"},

		{"looking is not observing", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					f := x.task(p.throwing(E("x")))
					_, _ = f.Get()
					f.OnSettle(func() { p.t("settled") })
				}))
			})
		}, "settled, catch E(x), fin, loop=true"},

		{"Observe, AwaitFirst, Chain and Outcome are observing", func(p *play) {
			p.root(func(x *do) {
				f := [4]*Promise{}
				for i := range f {
					f[i] = x.task(p.throwing(E("x")))
				}
				f[0].Observe()
				x.must(x.settable().Chain(f[1]))
				o := Outcome(x.b, f[2])
				i, err := x.b.AwaitFirst(x.settable(), f[3])
				x.must(err)
				x.t("%d %v", i, o.value)
			})
		}, "1 {<nil> E(x)}, loop=true"},

		{"a scope, a branch and an operation obey the same rule", func(p *play) {
			var e *ext
			p.root(func(x *do) {
				_, err := x.b.Await(x.scope(sc{try: p.throwing(E("s"))}).Promise())
				x.t("%s", text(err))
				_, err = x.b.Await(x.task(p.throwing(E("b"))))
				x.t("%s", text(err))
				e = x.ext("e", wait_)
				_, err = x.b.Await(e.result())
				x.t("%s", text(err))
			})
			e.fail(E("o"))
			p.loop()
		}, "E(s), E(b), e:start, loop=false, E(o), loop=true"},

		{"an observation that cancellation tore away does not count", func(p *play) {
			var c *Scope
			var e *ext
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) { e = x.ext("e", wait_); x.await(e.result()) }))
			})
			c.Cancel(nil)
			p.loop()
			e.fail(E("real"))
			p.loop()
		}, "e:start, loop=false, e:cancel(Cancelled), loop=false, catch E(real), fin, loop=true"},

		{"nor that of a dropped branch", func(p *play) {
			var c *Scope
			var e *ext
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) { e = x.ext("e", wait_); x.task(p.say("never"), e.result()) }))
			})
			c.Cancel(nil)
			p.loop()
			e.fail(E("real"))
			p.loop()
		}, "e:start, loop=false, e:cancel(Cancelled), loop=false, catch E(real), fin, loop=true"},

		{"a failure on its way is delivered in spite of a cancellation, a value is not", func(p *play) {
			var bad, good *ext
			var c *Scope
			p.root(func(x *do) {
				bad, good = x.ext("bad", wait_), x.ext("good", wait_)
				c = x.scope(sc{catch: p.catch("catch"), try: func(x *do) {
					for _, e := range []*ext{bad, good} {
						x.task(func(x *do) {
							_, err := x.b.Await(e.result())
							x.t("%s %s", e.Name(), text(err))
						})
					}
				}})
			})
			bad.fail(E("real"))
			good.ok(1)
			c.Cancel(E("why"))
			p.loop()
		}, "bad:start, good:start, loop=false, bad E(real), good Cancelled<-E(why), catch Cancelled<-E(why), loop=true"},

		{"a failing After promise fails what waits for it", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				x.scope(p.std("b", func(x *do) { x.task(p.say("never"), x.settable(), s) }))
				inner := p.std("i", p.say("never"))
				inner.waits = []*Promise{s}
				x.scope(p.std("s", func(x *do) { x.scope(inner) }))
				x.scope(p.std("o", func(x *do) { x.ext("never", obey, s) }))
			})
			p.must(s.Fail(E("x")))
			p.loop()
		}, "loop=false, bcatch E(x), scatch E(x), ocatch E(x), bfin, sfin, ofin, loop=true"},

		{"a second After promise that fails has been observed like the first", func(p *play) {
			p.root(func(x *do) {
				bad, worse := x.task(p.throwing(E("bad"))), x.task(p.throwing(E("worse")))
				_, err := x.b.Await(x.task(p.say("never"), bad, worse))
				x.t("%s", text(err))
				x.must(x.b.Yield())
				x.t("%s, undisturbed", text(worse.Err()))
			})
		}, "E(bad), E(worse), undisturbed, loop=true"},

		{"a failure is not for a combinator that was cancelled before", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					gate := x.settable()
					bad := x.task(func(x *do) { x.await(gate); x.throw(E("real")) })
					all := All(x.b, []*Promise{bad})
					x.must(x.b.Yield())
					all.Cancel(nil)
					x.set(gate, 1)
				}))
			})
		}, "catch E(real), fin, loop=true"},

		{"a combinator fails the scope of its maker, or the nearest one that is open", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{try: func(x *do) { All(x.b, []*Promise{s}) }, catch: p.catch("icatch")})
					x.ext("hold", obey)
				}))
			})
			p.must(s.Fail(E("x")))
			p.loop()
		}, "hold:start, loop=false, hold:cancel(E(x)), ocatch E(x), ofin, loop=true"},

		{"a combinator that is born failed can still be observed", func(p *play) {
			p.root(func(x *do) {
				f := x.task(p.throwing(E("x")))
				_, _ = x.b.Await(f)
				for _, c := range []func() *Promise{
					func() *Promise { return All(x.b, []*Promise{x.settable(), f}) },
					func() *Promise { return Race(x.b, []*Promise{f}) },
					func() *Promise { return Any(x.b, []*Promise{f, f}) },
				} {
					_, err := x.b.Await(c())
					x.t("%s", text(err))
				}
			})
		}, "E(x), E(x), all 2 failed: E(x); E(x), loop=true"},

		{"a settable's failure is kept", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				p.must(s.Fail(E("x")))
				p.attempt(s.Set(1))
			})
			p.t("%s", text(s.Err()))
		}, "!already failed with: E(x), loop=true, E(x)"},
	})
}

func TestCancellingByName(t *testing.T) {
	perform(t, []catalogued{
		{"is silent for branches and operations", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					waiting := x.task(func(x *do) { x.await(x.settable()) })
					unstarted := x.task(p.say("never"), x.settable())
					e := x.ext("e", failc)
					late := x.ext("late", obey, x.settable())
					x.must(x.b.Yield())
					for _, c := range []*Promise{waiting, unstarted, e.result(), late.result()} {
						c.Cancel(E("why"))
					}
					x.must(x.b.Yield())
					x.must(x.b.Yield())
					x.t("%s %s %s %s", text(waiting.Err()), text(unstarted.Err()), text(e.result().Err()), text(late.result().Err()))
				}))
			})
		}, "e:start, e:cancel(Cancelled<-E(why)), Cancelled<-E(why) Cancelled<-E(why) Cancelled Cancelled<-E(why), fin, " +
			"loop=true"},

		{"a real failure is not silent", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					w := x.task(func(x *do) { _, _ = x.b.Await(x.settable()); x.throw(E("clean-up")) })
					x.must(x.b.Yield())
					w.Cancel(nil)
				}))
			})
		}, "catch E(clean-up), fin, loop=true"},

		{"a scope passes it on (P-063)", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					c := x.scope(sc{try: func(x *do) { x.ext("e", obey) }})
					x.must(x.b.Yield())
					x.must(x.b.Yield())
					c.Promise().Cancel(E("why"))
				}))
			})
		}, "e:start, e:cancel(Cancelled<-E(why)), ocatch Cancelled<-E(why), ofin, loop=true"},

		{"settable promises and combinators fail, members are left alone", func(p *play) {
			p.root(func(x *do) {
				s := x.settable()
				all := All(x.b, []*Promise{s})
				all.Cancel(cancelledFor("r"))
				x.t("%s %v %v", text(all.Err()), all.Err().(*Cancelled).Reason, s.Settled())
				s.Cancel(nil)
				s.Cancel(nil)
				x.t("%s", text(s.Err()))
			})
		}, "Cancelled<-Cancelled(r) r false, Cancelled, loop=true"},
	})
}

func TestCancelledForGood(t *testing.T) {
	perform(t, []catalogued{
		{"neither waits nor starts, not even on what is settled", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				c = x.scope(sc{catch: p.catch("catch"), try: func(x *do) {
					x.task(func(x *do) {
						ready := x.settable()
						x.set(ready, 1)
						_, err := x.b.Await(x.settable())
						again := func(e error) { x.t("%v", e == err && e == x.b.Cancelled()) }
						_, e := x.b.Await(ready)
						again(e)
						_, e = x.b.AwaitFirst(ready)
						again(e)
						again(x.b.Yield())
						_, e = x.b.Spawn(Spec{})
						again(e)
						_, e = x.b.Try(ScopeSpec{})
						again(e)
						_, e = x.b.Begin(OperationSpec{})
						again(e)
					})
				}})
			})
			c.Cancel(E("why"))
			p.loop()
		}, "loop=false, true, true, true, true, true, true, catch Cancelled<-E(why), loop=true"},

		{"a phase body that waits is cancelled at its wait", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.task(p.throwing(E("sibling")))
					_, err := x.b.Await(x.settable())
					x.t("%s", text(err))
					x.throw(err)
				}))
			})
		}, "Cancelled<-E(sibling), catch E(sibling), fin, loop=true"},

		{"any other error of a phase body replaces", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.task(p.throwing(E("sibling")))
					_, _ = x.b.Await(x.settable())
					x.throw(cancelledFor("own"))
				}))
			})
		}, "catch Cancelled(own), fin, loop=true"},

		{"the body of catch is cancelled by its siblings only", func(p *play) {
			var c *Scope
			e := make([]*ext, 1)
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					c = x.scope(sc{try: p.throwing(E("x")), finally: p.say("fin"), catch: func(x *do, _ error) {
						e[0] = x.ext("e", wait_)
						x.task(p.throwing(E("c")), e[0].result())
						_, err := x.b.Await(x.settable())
						x.t("%s", text(err))
						x.throw(err)
					}})
				}))
			})
			c.Cancel(nil)
			p.loop()
			e[0].ok(1)
			p.loop()
		}, "e:start, loop=false, loop=false, Cancelled<-E(c), fin, ocatch E(c), ofin, loop=true"},

		{"a shield runs to its end whatever is cancelled, and can be started by the cancelled", func(p *play) {
			var c *Scope
			var e *ext
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) {
					x.task(func(x *do) {
						_, err := x.b.Await(x.settable())
						v, e2 := x.b.Shield(Spec{Body: p.body(func(x *do) {
							e = x.ext("e", wait_)
							x.task(p.say("in the shield"))
							x.result = e.result()
						})})
						x.t("%v %s", v, text(e2))
						x.throw(err)
					})
				}))
			})
			c.Cancel(nil)
			p.loop()
			c.Cancel(nil)
			e.ok("v")
			p.loop()
		}, "loop=false, e:start, in the shield, loop=false, v null, catch Cancelled, fin, loop=true"},

		{"a failure in a shield is delivered", func(p *play) {
			p.root(func(x *do) {
				_, err := x.b.Shield(Spec{Body: p.body(func(x *do) { x.task(p.throwing(E("x"))) })})
				x.t("%s", text(err))
			})
		}, "E(x), loop=true"},
	})
}
