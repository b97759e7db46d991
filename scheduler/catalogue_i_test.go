package scheduler

import (
	"fmt"
	"testing"
	"time"
)

// I. Re-execution, schedules, timers. The executors are built from the primitives, as a script would build them.
func TestCatalogueI(t *testing.T) {
	perform(t, []catalogued{
		{"P-190", func(p *play) {
			r := &reexecution{}
			var e [3]*ext
			p.root(func(x *do) {
				r.execute(x, func(x *do, n int) {
					x.t("run%d", n)
					e[n] = x.ext(fmt.Sprintf("e%d", n), obey)
				})
				x.ext("keep", wait_)
			})
			p.t("req")
			r.request()
			r.request()
			p.loop()
			e[1].ok(1)
			p.loop()
			p.t("req2 noop")
			r.request()
			p.loop()
		}, "run0, keep:start, e0:start, loop=false, req, e0:cancel(Cancelled), run1, e1:start, loop=false, loop=false, " +
			"req2 noop, loop=false"},

		{"P-191/1", func(p *play) {
			r := &reexecution{}
			var e *ext
			p.root(func(x *do) {
				x.scope(sc{catch: p.catch("catch"), try: func(x *do) {
					r.execute(x, func(x *do, n int) { x.t("run%d", n); e = x.ext("e0", wait_) })
				}})
				x.ext("keep", wait_)
			})
			p.t("req")
			r.request()
			p.loop()
			e.fail(E("f"))
			p.loop()
		}, "keep:start, run0, e0:start, loop=false, req, e0:cancel(Cancelled), loop=false, catch E(f), loop=false"},
		{"P-191/2", func(p *play) {
			r := &reexecution{}
			var e *ext
			p.root(func(x *do) {
				r.execute(x, func(x *do, n int) { x.t("run%d", n); e = x.ext(fmt.Sprintf("e%d", n), wait_) })
				x.ext("keep", wait_)
			})
			p.t("req")
			r.request()
			p.loop()
			e.ok(1)
			p.loop()
		}, "run0, keep:start, e0:start, loop=false, req, e0:cancel(Cancelled), loop=false, run1, e1:start, loop=false"},

		{"P-192", func(p *play) {
			r := &reexecution{}
			p.root(func(x *do) {
				r.execute(x, func(*do, int) {})
				r.execute(x, func(*do, int) {})
			})
		}, "loop!IllegalState(Already executing a command)"},

		// Fractions of a second are kept, the original truncates.
		{"P-193", func(p *play) {
			s := interval{every: 10, expiration: 60, count: 3}
			for _, c := range [][4]float64{{0, 0, -1, 0}, {12, 0, 10, 1}, {25, 0, 10, 1}, {0, 0, -1, 3}, {49, 0, 49.999, 2}, {50, 0, 50, 2}} {
				p.t("%v", s.next(c[0], c[1], c[2], int(c[3])))
			}
		}, "10, 8, 0, -1, 10.999000000000002, -1"},

		{"P-194", func(p *play) {
			p.start(func(x *do) {
				scheduled(x, interval{every: 10, expiration: 45}, func(x *do, n int) {
					x.t("run%d@%s", n, p.at())
					x.task(p.say("w"), timerOf(x, 3*time.Second))
				})
			})
			p.drive()
		}, "run1@10, w, run2@20, w, run3@30, w, run4@40, w, complete=true at=43"},

		{"P-195", func(p *play) {
			p.root(func(x *do) {
				op, err := p.clock.Timer(x.b, 0, nil)
				x.must(err)
				x.t("%v", op.Promise().Ready())
				_, err = p.clock.Timer(x.b, -time.Second, nil)
				x.attempt(err)
			})
			p.timers()
		}, "true, !a timer needs a duration of at least 0, found -1s, loop=true, timers=null"},

		// Rule 4: the promise of a cancelled timer fails with Cancelled, silently.
		{"P-196", func(p *play) {
			var c *Scope
			var timer *Promise
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) {
					timer = timerOf(x, 10*time.Second)
					x.task(p.say("never"), timer)
				}))
			})
			c.Cancel(nil)
			p.loop()
			p.t("ready=%v", timer.Ready())
		}, "loop=false, catch Cancelled, fin, loop=true, ready=false"},

		// Continue as new every 30 s: a tree for each run, on one clock.
		{"P-197", func(p *play) {
			work, current, runs := 0, 0, 0
			for p.clock.Now().Sub(time.Time{}) < 120*time.Second {
				current = 0
				runs++
				tree := New(Config{Clock: p.clock})
				tree.Start("", nil, p.body(func(x *do) {
					for range 3 {
						x.await(x.task(func(*do) { work++; current++ }))
						x.await(timerOf(x, 10*time.Second))
					}
				}))
				p.must(tree.Run())
				for p.clock.Next() {
					p.must(tree.Run())
				}
				tree.Stop()
			}
			p.t("workCount %d, currentRun %d, runs %d", work, current, runs)
		}, "workCount 12, currentRun 3, runs 4"},

		{"P-198/1", func(p *play) { p.t("%d calls", cron(p, false)) }, "complete=true at=605800, 168 calls"},
		{"P-198/2", func(p *play) { p.t("%d calls", cron(p, true)) }, "complete=true at=605800, 336 calls"},
	})
}

func timerOf(x *do, d time.Duration) *Promise {
	op, err := x.clock.Timer(x.b, d, nil)
	x.must(err)
	return op.Promise()
}

// reexecution is AsyncCancelAndRetryExecutor.
type reexecution struct {
	current   *Scope
	requested bool
}

func (r *reexecution) execute(x *do, f func(x *do, n int)) {
	if r.current != nil {
		x.throw(named("IllegalState", "Already executing a command"))
	}
	n := 0
	run := func(x *do) {
		r.requested = false
		r.current = x.scope(sc{try: func(x *do) { f(x, n) }})
		r.current.Promise().Observe() // by the task below
	}
	run(x)
	x.task(func(x *do) {
		for {
			_, err := x.b.Await(r.current.Promise())
			r.current = nil
			if !r.requested || err != nil && AsCancelled(err) == nil {
				x.must(err)
				return
			}
			n++
			run(x)
		}
	})
}

func (r *reexecution) request() {
	if r.current != nil && !r.requested {
		r.requested = true
		r.current.Cancel(nil)
	}
}

// interval is FixedIntervalInvocationSchedule, in seconds; 0 is no limit.
type interval struct {
	every, expiration float64
	count             int
}

// next is the delay before the next invocation, -1 for none. last is when the one before started, negative for never.
func (s interval) next(now, start, last float64, count int) float64 {
	if s.count > 0 && count >= s.count {
		return -1
	}
	if last < 0 {
		last = start
	}
	delay := max(0, last+s.every-now)
	if now+delay-start >= s.expiration {
		return -1
	}
	return delay
}

// scheduled is AsyncScheduledExecutor.
func scheduled(x *do, s interval, f func(x *do, n int)) {
	now := func() float64 { return x.clock.Now().Sub(time.Time{}).Seconds() }
	start, last := now(), -1.0
	x.task(func(x *do) {
		for n := 1; ; n++ {
			delay := s.next(now(), start, last, n-1)
			if delay < 0 {
				return
			}
			x.await(timerOf(x, seconds(delay)))
			last = now()
			x.await(x.scope(sc{try: func(x *do) { f(x, n) }}).Promise())
		}
	})
}

// cron calls something every hour in a daemon scope for a week and 1000 s.
func cron(p *play, retried bool) (calls int) {
	hour := func(x *do) {
		n := 0
		x.retry(R(1), &n, func(x *do, n int) {
			calls++
			if retried && n == 1 {
				x.throw(E("first"))
			}
		})
	}
	p.start(func(x *do) {
		timerOf(x, 7*24*time.Hour+1000*time.Second)
		x.scope(sc{daemon: true, try: func(x *do) {
			scheduled(x, interval{every: 3600, expiration: 1e9}, func(x *do, _ int) { hour(x) })
		}})
	})
	p.drive()
	return calls
}
