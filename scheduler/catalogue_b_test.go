package scheduler

import (
	"strings"
	"testing"
)

// B. Failure, catch, finally: one scope.
func TestCatalogueB(t *testing.T) {
	perform(t, []catalogued{
		{"P-020", func(p *play) {
			p.root(func(x *do) { x.scope(p.std("", func(x *do) { x.t("try"); x.throw(E("x")) })) })
		}, "try, catch E(x), fin, loop=true"},

		{"P-021", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.task(p.say("never"))
					x.ext("e", obey)
					x.t("try")
					x.throw(E("x"))
				}))
			})
		}, "try, catch E(x), fin, loop=true"},

		{"P-022", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.task(p.say("a"))
					x.task(func(x *do) { x.t("b"); x.throw(E("b")) })
					x.task(p.say("c"))
				}))
			})
		}, "a, b, catch E(b), fin, loop=true"},

		{"P-023", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.task(func(x *do) { x.t("a"); x.task(p.say("a-child")) })
					x.task(func(x *do) { x.t("b"); x.throw(E("b")) })
				}))
			})
		}, "a, b, catch E(b), fin, loop=true"},

		{"P-024", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.task(func(x *do) {
						x.t("p")
						x.task(func(x *do) { x.t("c"); x.throw(E("child")) }, s)
					})
				}))
			})
			p.set(s, 1)
			p.loop()
		}, "p, loop=false, c, catch E(child), fin, loop=true"},

		{"P-025/1", func(p *play) {
			var e0, e1 *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { e0, e1 = x.ext("e0", wait_), x.ext("e1", wait_) }))
			})
			e0.fail(E("first"))
			p.loop()
			e1.fail(E("second"))
			p.loop()
		}, "e0:start, e1:start, loop=false, e1:cancel(E(first)), loop=false, catch E(second), fin, loop=true"},

		{"P-025/2", func(p *play) {
			var e0, e1 *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { e0, e1 = x.ext("e0", wait_), x.ext("e1", wait_) }))
			})
			e0.fail(E("first"))
			e1.fail(E("second"))
			p.loop()
		}, "e0:start, e1:start, loop=false, catch E(second), fin, loop=true"},

		{"P-026", func(p *play) {
			var e0 *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { e0 = x.ext("e0", wait_); x.ext("e1", failc) }))
			})
			e0.fail(E("first"))
			p.loop()
		}, "e0:start, e1:start, loop=false, e1:cancel(E(first)), catch E(first), fin, loop=true"},

		{"P-027", func(p *play) {
			var e0, e1 *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { e0, e1 = x.ext("e0", wait_), x.ext("e1", wait_) }))
			})
			e0.fail(cancelledFor("user"))
			p.loop()
			e1.fail(E("real"))
			p.loop()
		}, "e0:start, e1:start, loop=false, e1:cancel(Cancelled(user)), loop=false, catch E(real), fin, loop=true"},

		{"P-028", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { x.task(p.throwing(cancelledFor("user"))); x.ext("e", obey) }))
			})
		}, "catch Cancelled(user), fin, loop=true"},

		{"P-031", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{try: p.throwing(E("x")), finally: p.say("ifin"), catch: func(x *do, _ error) {
						x.task(p.say("c1"))
						x.task(func(x *do) { x.t("c2"); x.throw(E("c2")) })
						x.task(p.say("c3"))
					}})
				}))
			})
		}, "c1, c2, ifin, ocatch E(c2), ofin, loop=true"},

		{"P-032", func(p *play) {
			var ce *ext
			p.root(func(x *do) {
				x.scope(sc{try: p.throwing(E("x")), finally: p.say("fin"), catch: func(x *do, _ error) {
					x.t("catch")
					ce = x.ext("ce", wait_)
					x.task(p.say("ct"))
				}})
			})
			ce.ok(1)
			p.loop()
		}, "catch, ce:start, ct, loop=false, fin, loop=true"},

		{"P-033", func(p *play) {
			var s *Scope
			var fe *ext
			p.root(func(x *do) {
				s = x.scope(sc{try: p.say("try"), finally: func(x *do) {
					x.t("fin")
					fe = x.ext("fe", wait_)
					x.task(p.say("ft"))
				}})
			})
			p.t("%s", s.State())
			fe.ok(1)
			p.loop()
			p.t("%s", s.State())
		}, "try, fin, fe:start, ft, loop=false, FINALIZING, loop=true, CLOSED"},

		{"P-041/1", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{try: p.throwing(E("x")), finally: p.say("ifin"), catch: func(x *do, _ error) {
						x.task(p.say("never"))
						x.ext("ce", obey)
						x.throw(E("c"))
					}})
				}))
			})
		}, "ifin, ocatch E(c), ofin, loop=true"},

		{"P-041/2", func(p *play) {
			var ce *ext
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{try: p.throwing(E("x")), finally: p.say("ifin"), catch: func(x *do, _ error) {
						ce = x.ext("ce", wait_)
						x.task(func(x *do) { x.t("ct"); x.throw(E("c")) })
					}})
				}))
			})
			p.t("--")
			ce.ok(1)
			p.loop()
		}, "ce:start, ct, ce:cancel(E(c)), loop=false, --, ifin, ocatch E(c), ofin, loop=true"},

		{"P-043", func(p *play) {
			var report *ext
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{try: p.throwing(E("x")), finally: p.say("ifin"), catch: func(x *do, err error) {
						x.t("icatch")
						report = x.ext("report", wait_)
						x.task(p.throwing(err), report.result())
					}})
				}))
			})
			p.t("--")
			report.ok(1)
			p.loop()
		}, "icatch, report:start, loop=false, --, ifin, ocatch E(x), ofin, loop=true"},

		{"P-046", func(p *play) {
			var f *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					f = x.ext("f", wait_)
					x.ext("a", obey)
					x.ext("b", obey)
					x.task(p.say("never"), p.settable())
				}))
				x.t("outer")
			})
			f.fail(E("F"))
			p.loop()
		}, "outer, f:start, a:start, b:start, loop=false, a:cancel(E(F)), b:cancel(E(F)), catch E(F), fin, loop=true"},

		{"P-047", func(p *play) {
			var s *Scope
			p.root(func(x *do) {
				s = x.scope(sc{
					try:     func(x *do) { x.t("in try %s", s.State()); x.throw(E("x")) },
					catch:   func(x *do, _ error) { x.t("in catch %s", s.State()) },
					finally: func(x *do) { x.t("in fin %s", s.State()) },
				})
				x.t("created %s", s.State())
			})
			p.t("end %s", s.State())
		}, "created CREATED, in try TRYING, in catch CATCHING, in fin FINALIZING, loop=true, end CLOSED"},

		// Rule 4: the promise is not ready, as in the original, but it has the failure.
		{"P-049", func(p *play) {
			var a *ext
			p.root(func(x *do) {
				x.scope(sc{try: func(x *do) { a = x.act("a", wait_) }, catch: p.catch("catch")})
			})
			a.fail(E("f"))
			p.loop()
			p.t("ready=%v", a.res().Ready())
			p.t("%s", text(a.res().Err()))
		}, "a:start, loop=false, catch E(f), loop=true, ready=false, E(f)"},

		{"P-050", func(p *play) {
			var a, b, c *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					a = x.act("A", wait_)
					b = x.act("B", wait_, a.res())
					c = x.act("C", wait_, b.res())
				}))
			})
			a.ok(1)
			p.loop()
			b.fail(E("B"))
			p.loop()
			p.t("C started=%v", c.Operation != nil)
		}, "A:start, loop=false, B:start, loop=false, catch E(B), fin, loop=true, C started=false"},

		{"P-051", func(p *play) {
			var a, b *ext
			p.root(func(x *do) {
				x.scope(sc{
					try: func(x *do) {
						a = x.act("A", wait_)
						b = x.act("B", wait_)
						x.act("C", failc)
					},
					catch: func(x *do, err error) {
						x.t("catch %s A.ready=%v", text(err), a.result().Ready())
					},
					finally: p.say("fin"),
				})
			})
			b.fail(E("B"))
			p.loop()
			p.t("--")
			a.ok(1)
			p.loop()
		}, "A:start, B:start, C:start, loop=false, A:cancel(Cancelled<-E(B)), C:cancel(Cancelled<-E(B)), loop=false, " +
			"--, catch E(B) A.ready=true, fin, loop=true"},

		{"P-052", func(p *play) {
			var dl [2]*ext
			p.root(func(x *do) {
				x.scope(sc{
					try: func(x *do) {
						for i := range 2 {
							n := string(rune('0' + i))
							dl[i] = x.act("dl"+n, failc)
							thumb := x.act("thumb"+n, failc, dl[i].res())
							x.act("upload"+n, failc, thumb.res())
						}
					},
					catch: func(x *do, err error) {
						p.catch("catch")(x, err)
						x.act("report", obey)
						x.throw(&fault{"RuntimeErr", "Failed to process images", err})
					},
					finally: func(x *do) { x.t("fin"); x.act("cleanup", wait_) },
				})
			})
			dl[0].fail(E("dl failed"))
			p.loop()
		}, "dl0:start, dl1:start, loop=false, dl1:cancel(Cancelled<-E(dl failed)), catch E(dl failed), fin, " +
			"cleanup:start, loop=false"},

		// Which handler matches is the caller's: Matches. A table of handlers is the flow module's.
		{"P-053/1", func(p *play) {
			is := func(kinds ...string) func(error) bool {
				return func(err error) bool { return strings.Contains(strings.Join(kinds, " "), err.(*fault).name) }
			}
			p.root(func(x *do) {
				x.scope(sc{matches: is("StandardError", "X"), catch: p.catch("second"), try: func(x *do) {
					x.scope(sc{matches: is("X"), catch: p.catch("first"), try: func(x *do) {
						x.scope(sc{matches: is("IOError"), catch: p.catch("io"), try: p.throwing(named("X", "m"))})
					}})
				}})
			})
		}, "first X(m), loop=true"},

		{"P-053/2", func(p *play) {
			p.root(func(x *do) {
				s := p.std("", p.throwing(E("x")))
				s.matches = func(error) bool { return false }
				x.scope(s)
			})
		}, "fin, loop!E(x)"},

		{"P-054", func(p *play) {
			five := func(x *do) { x.result = 5 }
			p.root(func(x *do) {
				x.t("%v", x.await(x.scope(sc{try: five}).Promise()))
				s, err := x.b.Try(ScopeSpec{Try: p.body(p.throwing(E("x"))), Catch: func(*Branch, error) (any, error) {
					return 6, nil
				}})
				x.must(err)
				x.t("%v", x.await(s.Promise()))
			})
		}, "5, 6, loop=true"},

		{"P-055/1", func(p *play) { allocateUseCleanUp(p, E("use")) },
			"allocating, using, rollbackChanges, cleanUp, loop=true"},
		{"P-055/2", func(p *play) { allocateUseCleanUp(p, nil) }, "allocating, using, cleanUp, loop=true"},

		// The child workflow is a scope whose failure is wrapped twice on its way.
		{"P-056", func(p *play) {
			cause := named("IllegalArg", "bad")
			p.root(func(x *do) {
				x.scope(sc{
					try: func(x *do) {
						id := x.task(p.say("allocating"))
						x.task(func(x *do) { x.t("using"); x.throw(&fault{"ActivityFailed", "use", cause}) }, id)
					},
					catch: func(x *do, err error) {
						wrapped := &fault{"ChildFailed", "child", err}
						x.t("same=%v", wrapped.cause.(*fault).cause == cause)
					},
				})
			})
		}, "allocating, using, same=true, loop=true"},
	})
}

// allocateUseCleanUp is the recipe of CleanupResourceWorkflowTest.
func allocateUseCleanUp(p *play, fails error) {
	p.root(func(x *do) {
		id := x.task(func(x *do) { x.t("allocating"); x.result = 1 })
		x.scope(sc{
			try: func(x *do) {
				x.task(func(x *do) { x.t("using"); p.must(fails) }, id)
			},
			catch: func(x *do, _ error) { x.task(p.say("rollbackChanges")) },
			finally: func(x *do) {
				if id.Ready() {
					x.task(p.say("cleanUp"))
				}
			},
		})
	})
}
