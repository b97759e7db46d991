package scheduler

import (
	"testing"
	"time"
)

// failing is an attempt that writes label + number @time and fails until the attempt upTo, for ever if it is 0.
func (p *play) failing(label string, upTo int) func(x *do, n int) {
	return func(x *do, n int) {
		x.t("%s%d@%s", label, n, p.at())
		if upTo == 0 || n < upTo {
			x.throw(E("f" + string(rune('0'+n))))
		}
	}
}

// catchAt writes the time too.
func (p *play) catchAt(label string) func(*do, error) {
	return func(_ *do, err error) { p.t("%s %s@%s", label, text(err), p.at()) }
}

// H. Retry: the executor.
func TestCatalogueHExecutor(t *testing.T) {
	perform(t, []catalogued{
		{"P-166/1", func(p *play) { neverRetried(p, func(x *do, _ int) { x.throw(cancelledFor("c")) }) },
			"catch Cancelled(c) n=1, fin, complete=true at=0"},
		{"P-166/2", func(p *play) {
			neverRetried(p, func(x *do, _ int) { x.task(p.throwing(cancelledFor("act cancelled"))) })
		}, "catch Cancelled(act cancelled) n=1, fin, complete=true at=0"},

		{"P-167", func(p *play) {
			n := 0
			p.start(func(x *do) { x.retry(R(5).n(5), &n, p.failing("attempt", 4)) })
			p.drive()
		}, "attempt1@0, attempt2@5, attempt3@15, attempt4@35, complete=true at=35"},

		{"P-168", func(p *play) {
			n := 0
			var last error
			p.start(func(x *do) {
				x.scope(sc{
					try: func(x *do) {
						x.retry(R(5).n(3), &n, func(x *do, n int) { last = E("f" + string(rune('0'+n))); x.throw(last) })
					},
					catch: func(x *do, err error) { x.t("catch %s same=%v", text(err), err == last) },
				})
			})
			p.drive()
			p.t("n=%d", n)
		}, "catch E(f3) same=true, complete=true at=15, n=3"},

		{"P-169/1", func(p *play) {
			branching(p, obey)
			p.drive()
		}, "attempt1@0, e1:start, e1:cancel(E(f)), attempt2@5, complete=true at=5"},
		{"P-169/2", func(p *play) {
			e := branching(p, wait_)
			p.loop()
			p.clock.Advance(100 * time.Second)
			(*e).ok(1)
			p.drive()
		}, "attempt1@0, e1:start, e1:cancel(E(f)), loop=false, attempt2@105, complete=true at=105"},

		{"P-170/1", func(p *play) {
			n := 0
			var outer *Scope
			p.root(func(x *do) {
				outer = x.scope(p.std("", func(x *do) {
					x.retry(R(5), &n, func(x *do, n int) { x.t("attempt%d", n); x.throw(E("f")) })
				}))
			})
			outer.Cancel(E("stop"))
			p.loop()
			p.timers()
		}, "attempt1, loop=false, catch Cancelled<-E(stop), fin, loop=true, timers=null"},
		{"P-170/2", func(p *play) {
			n := 0
			var outer *Scope
			p.root(func(x *do) {
				outer = x.scope(p.std("", func(x *do) {
					x.retry(R(5), &n, func(x *do, n int) { x.t("attempt%d", n); x.ext("e", obey) })
				}))
			})
			outer.Cancel(E("stop"))
			p.loop()
		}, "attempt1, e:start, loop=false, e:cancel(Cancelled<-Cancelled<-E(stop)), catch Cancelled<-E(stop), fin, " +
			"loop=true"},

		{"P-172", func(p *play) {
			n := 0
			p.root(func(x *do) {
				x.retry(R(0).n(4), &n, func(x *do, n int) {
					x.t("attempt%d", n)
					if n < 4 {
						x.throw(E("f"))
					}
				})
				x.task(p.say("sib1"))
			})
			p.timers()
		}, "sib1, attempt1, attempt2, attempt3, attempt4, loop=true, timers=null"},

		{"P-173", func(p *play) {
			n := 0
			p.start(func(x *do) {
				x.scope(sc{catch: p.catchAt("catch"), try: func(x *do) {
					x.retry(R(5).not("IllegalArg"), &n, func(x *do, n int) {
						x.t("attempt%d", n)
						if n == 1 {
							x.throw(E("f"))
						}
						x.throw(named("IllegalArg", "fatal"))
					})
				}})
			})
			p.drive()
		}, "attempt1, attempt2, catch IllegalArg(fatal)@5, complete=true at=5"},

		{"P-174", func(p *play) {
			n := 0
			var act *ext
			var res *Promise
			p.root(func(x *do) {
				res = x.retry(R(5), &n, func(x *do, n int) {
					act = x.act("act"+string(rune('0'+n-1)), wait_)
					x.result = act.res()
				})
				x.task(p.say("dep"), res)
			})
			act.fail(E("f"))
			p.loop()
			p.t("ready=%v", res.Ready())
			p.clock.Next()
			p.loop()
			act.ok("R")
			p.loop()
			p.t("%v", res.value)
		}, "act0:start, loop=false, loop=false, ready=false, act1:start, loop=false, dep, loop=true, R"},

		{"P-175", func(p *play) {
			n := 0
			p.root(func(x *do) {
				x.scope(sc{finally: p.say("fin"), catch: p.catchAt("catch"), try: func(x *do) {
					x.retry(R(5), &n, func(x *do, n int) { x.t("attempt%d", n); x.throw(E("f")) })
					timer, err := p.clock.Timer(x.b, 3*time.Second, nil)
					x.must(err)
					x.task(p.throwing(E("sibling")), timer.Promise())
				}})
			})
			p.clock.Next()
			p.loop()
			p.timers()
			p.t("n=%d", n)
		}, "attempt1, loop=false, catch E(sibling)@3, fin, loop=true, timers=null, n=1"},

		{"P-176", func(p *play) {
			outer, inner := 0, 0
			p.start(func(x *do) {
				x.scope(sc{catch: p.catchAt("catch"), try: func(x *do) {
					x.retry(R(100).n(2), &outer, func(x *do, _ int) { x.retry(R(1).n(3), &inner, p.failing("a", 0)) })
				}})
			})
			p.drive()
		}, "a1@0, a2@1, a3@3, a4@103, a5@104, a6@106, catch E(f6)@106, complete=true at=106"},

		{"P-177/1", func(p *play) {
			n := 0
			p.start(func(x *do) {
				x.scope(sc{catch: p.catchAt("catch"), try: func(x *do) { x.retry(R(10).c(1).exp(30), &n, p.failing("a", 0)) }})
			})
			p.drive()
		}, "a1@0, a2@10, a3@20, catch E(f3)@20, complete=true at=20"},
		{"P-177/2", func(p *play) {
			n := 0
			again := func(x *do, label string) {
				x.scope(sc{catch: p.catchAt(label), try: func(x *do) { x.retry(R(5).exp(12), &n, p.failing("a", 0)) }})
			}
			p.start(func(x *do) {
				timer, err := p.clock.Timer(x.b, 1000*time.Second, nil)
				x.must(err)
				again(x, "catch1")
				x.await(timer.Promise())
				again(x, "catch2")
			})
			p.drive()
		}, "a1@0, a2@5, catch1 E(f2)@5, a3@1000, a4@1005, catch2 E(f4)@1005, complete=true at=1005"},

		{"P-178", func(p *play) {
			n := 0
			p.start(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.retry(R(5), &n, func(x *do, n int) {
						if n == 1 {
							x.throw(E("f"))
						}
					})
				}))
			})
			p.drive()
		}, "fin, complete=true at=5"},

		{"P-179", func(p *play) {
			n := 0
			p.start(func(x *do) {
				x.scope(sc{catch: p.catchAt("catch"), try: func(x *do) {
					x.retry(R(5).exp(60), &n, func(x *do, n int) {
						x.t("attempt%d@%s", n, p.at())
						timer, err := p.clock.Timer(x.b, 10*time.Second, nil)
						x.must(err)
						x.await(timer.Promise())
						x.throw(E("f" + string(rune('0'+n))))
					})
				}})
			})
			p.drive()
		}, "attempt1@0, attempt2@15, attempt3@35, catch E(f3)@45, complete=true at=45"},

		{"P-180", func(p *play) {
			a, b := 0, 0
			once := func(label string) func(x *do, n int) {
				return func(x *do, n int) {
					x.t("%s%d", label, n)
					if n == 1 {
						x.throw(E("f"))
					}
				}
			}
			p.start(func(x *do) {
				x.retry(R(1).n(2), &a, once("a"))
				x.retry(R(1).n(2), &b, once("b"))
			})
			p.drive()
		}, "a1, b1, a2, b2, complete=true at=1"},

		{"P-182", func(p *play) { p.root(func(x *do) { untilSuccess(x, 1) }) },
			"act1, catch E(f1), restart=true, act2, catch E(f2), restart=true, act3, restart=false, loop=true"},

		// The styles of the recipe: the executor, custom logic (P-182) and the decorator, which is the executor around a call.
		{"P-183", func(p *play) {
			n := 0
			p.start(func(x *do) { x.retry(R(1), &n, p.failing("call", 3)) })
			p.drive()
		}, "call1@0, call2@1, call3@3, complete=true at=3"},

		{"P-184", func(p *play) {
			state, arg := 0, 0
			p.start(func(x *do) {
				x.retry(R(1).not("IllegalArg"), &state, p.failing("state", 3))
				x.scope(sc{catch: p.catch("catch"), try: func(x *do) {
					x.retry(R(1).not("IllegalArg"), &arg, func(x *do, _ int) { x.throw(named("IllegalArg", "")) })
				}})
			})
			p.drive()
			p.t("%d %d", state, arg)
		}, "state1@0, catch IllegalArg(), state2@1, state3@3, complete=true at=3, 3 1"},

		{"P-186", func(p *play) {
			n := 0
			p.start(func(x *do) {
				x.scope(sc{catch: p.catchAt("catch"), try: func(x *do) {
					x.retry(R(10).max(100).exp(300), &n, p.failing("", 0))
				}})
			})
			p.drive()
		}, "1@0, 2@10, 3@30, 4@70, 5@150, 6@250, catch E(f6)@250, complete=true at=250"},
	})
}

func neverRetried(p *play, f func(x *do, n int)) {
	n := 0
	p.start(func(x *do) {
		x.scope(sc{
			try:     func(x *do) { x.retry(R(5), &n, f) },
			catch:   func(x *do, err error) { x.t("catch %s n=%d", text(err), n) },
			finally: p.say("fin"),
		})
	})
	p.drive()
}

// branching retries an attempt that starts an operation besides the task that fails.
func branching(p *play, m mode) **ext {
	n := 0
	e := new(*ext)
	p.start(func(x *do) {
		x.retry(R(5), &n, func(x *do, n int) {
			x.t("attempt%d@%s", n, p.at())
			if n == 1 {
				*e = x.ext("e1", m)
				x.task(p.throwing(E("f")))
			}
		})
	})
	return e
}

// untilSuccess is the recipe of seed 000: recursion with a settable promise.
func untilSuccess(x *do, n int) {
	restart := x.settable()
	failed := false
	label := string(rune('0' + n))
	x.scope(sc{
		try: func(x *do) {
			x.t("act%s", label)
			if n < 3 {
				x.throw(E("f" + label))
			}
		},
		catch:   func(x *do, err error) { failed = true; x.t("catch %s", text(err)) },
		finally: func(x *do) { x.set(restart, failed) },
	})
	x.task(func(x *do) {
		x.t("restart=%v", x.in[0])
		if x.in[0] == true {
			untilSuccess(x, n+1)
		}
	}, restart)
}
