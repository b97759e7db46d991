package scheduler

import (
	"testing"
	"time"
)

// D. Daemons.
func TestCatalogueD(t *testing.T) {
	perform(t, []catalogued{
		{"P-090", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.daemon(p.say("never"), p.settable())
					x.tasks(2, p.say("n"))
				}))
			})
		}, "n, fin, loop=true"},

		{"P-091", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.daemon(func(x *do) {
						x.t("d")
						x.task(p.say("never"), p.settable())
						x.scope(p.std("d", func(x *do) {
							x.t("dtry")
							x.task(p.say("in dtcf"))
							x.ext("e", obey)
						}))
					})
					x.tasks(6, p.say("n"))
				}))
			})
		}, "d, dtry, in dtcf, e:start, n, e:cancel(Cancelled), dcatch Cancelled, dfin, fin, loop=true"},

		{"P-092", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.scope(sc{daemon: true, try: func(x *do) { x.ext("e", obey) },
						catch: p.catchRethrow("dcatch"), finally: p.say("dfin")})
					x.tasks(3, p.say("n"))
				}))
			})
		}, "e:start, n, e:cancel(Cancelled), dcatch Cancelled, dfin, fin, loop=true"},

		{"P-093/1", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.daemon(p.throwing(E("d")))
					x.ext("e", obey)
				}))
			})
		}, "catch E(d), fin, loop=true"},

		{"P-093/2", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.dext("d", obey)
					x.tasks(2, p.throwing(E("n")))
				}))
			})
		}, "d:start, d:cancel(E(n)), catch E(n), fin, loop=true"},

		{"P-094/1", func(p *play) { slowDaemon(p, func(d *ext) { d.ok(1) }) },
			"d:start, n, d:cancel(null), loop=false, fin, loop=true"},
		{"P-094/2", func(p *play) { slowDaemon(p, func(d *ext) { d.fail(&Cancelled{}) }) },
			"d:start, n, d:cancel(null), loop=false, fin, loop=true"},

		{"P-095", func(p *play) {
			var cleanup *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.scope(sc{daemon: true, try: func(x *do) { x.ext("e", obey) }, finally: p.say("dfin"),
						catch: func(x *do, _ error) { x.t("dcatch"); cleanup = x.ext("cleanup", wait_) }})
					x.tasks(3, p.say("n"))
				}))
			})
			cleanup.ok(1)
			p.loop()
		}, "e:start, n, e:cancel(Cancelled), dcatch, cleanup:start, loop=false, dfin, fin, loop=true"},

		{"P-096", func(p *play) {
			p.root(func(x *do) {
				x.scope(sc{
					try: p.throwing(E("x")),
					catch: func(x *do, _ error) {
						x.t("catch")
						x.daemon(p.say("never"), p.settable())
						x.task(p.say("ct"))
					},
					finally: func(x *do) {
						x.t("fin")
						x.daemon(p.say("never"), p.settable())
						x.task(p.say("ft"))
					},
				})
			})
		}, "catch, ct, fin, ft, loop=true"},

		{"P-097/1", func(p *play) {
			main := notifyOnDelay(p)
			p.clock.Next()
			p.loop()
			main.ok(1)
			p.loop()
		}, "main:start, loop=false, notify delay, loop=false, fin, loop=true"},

		{"P-097/2", func(p *play) {
			main := notifyOnDelay(p)
			main.ok(1)
			p.loop()
			p.timers()
		}, "main:start, loop=false, fin, loop=true, timers=null"},

		{"P-098", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.scope(sc{daemon: true, try: func(x *do) { x.ext("de", obey) }, catch: p.catch("dcatch")})
					x.tasks(3, p.throwing(E("n")))
				}))
			})
		}, "de:start, de:cancel(Cancelled<-E(n)), dcatch Cancelled<-E(n), catch E(n), fin, loop=true"},

		{"P-099", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) { x.dext("d", obey); x.ext("n", obey) }))
			})
			c.Cancel(E("w"))
			p.loop()
		}, "d:start, n:start, loop=false, d:cancel(Cancelled<-E(w)), n:cancel(Cancelled<-E(w)), catch Cancelled<-E(w), " +
			"fin, loop=true"},

		{"P-100", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				x.scope(sc{
					try:     func(x *do) { x.daemon(p.say("never"), s); x.task(p.say("n")) },
					finally: func(x *do) { x.t("fin"); p.set(s, 1) },
				})
			})
		}, "n, fin, loop=true"},

		{"P-101", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.daemon(func(x *do) { x.t("d1"); x.daemon(p.say("d1child")) })
					x.daemon(p.say("d2"))
					x.tasks(3, p.say("n3"))
				}))
			})
		}, "d1, d2, d1child, n3, fin, loop=true"},
	})
}

func slowDaemon(p *play, end func(d *ext)) {
	var d *ext
	p.root(func(x *do) {
		x.scope(p.std("", func(x *do) { d = x.dext("d", wait_); x.task(p.say("n")) }))
	})
	end(d)
	p.loop()
}

func notifyOnDelay(p *play) (main *ext) {
	p.root(func(x *do) {
		x.scope(p.std("", func(x *do) {
			main = x.act("main", wait_)
			x.daemon(func(x *do) {
				timer, err := p.clock.Timer(x.b, time.Hour, nil)
				x.must(err)
				x.task(p.say("notify delay"), timer.Promise())
			})
		}))
	})
	return main
}
