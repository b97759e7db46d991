package scheduler

import "testing"

// B. Failure, catch, finally: nested scopes.
func TestCatalogueBNested(t *testing.T) {
	perform(t, []catalogued{
		{"P-029", func(p *play) {
			thrown := E("x")
			p.root(func(x *do) {
				x.scope(sc{
					try: func(x *do) {
						x.scope(sc{try: p.throwing(thrown), catch: p.rethrow("icatch"), finally: p.say("ifin")})
					},
					catch:   func(x *do, err error) { x.t("ocatch same=%v", err == thrown) },
					finally: p.say("ofin"),
				})
			})
		}, "icatch, ifin, ocatch same=true, ofin, loop=true"},

		{"P-030", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{
						try:     p.throwing(E("x")),
						catch:   func(x *do, _ error) { x.throw(E("c")) },
						finally: func(x *do) { x.t("ifin"); x.throw(E("f")) },
					})
				}))
			})
		}, "ifin, ocatch E(f), ofin, loop=true"},

		{"P-034", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{try: p.say("try"), catch: p.catch("icatch"), finally: func(x *do) {
						x.task(func(x *do) { x.t("f1"); x.throw(E("f1")) })
						x.task(p.say("f2"))
					}})
				}))
			})
		}, "try, f1, ocatch E(f1), ofin, loop=true"},

		{"P-035", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.task(p.say("A"))
					x.scope(sc{try: func(x *do) { x.t("B"); x.throw(E("B")) }, catch: p.catch("icatch")})
					x.task(p.say("C"))
					x.tasks(3, p.say("C3"))
				}))
			})
		}, "A, B, C, icatch E(B), C3, ofin, loop=true"},

		{"P-036", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{
						try:     func(x *do) { x.t("B"); x.throw(E("B")) },
						catch:   p.rethrow("icatch"),
						finally: p.say("ifin"),
					})
					x.ext("e", obey)
				}))
			})
		}, "B, e:start, icatch, ifin, e:cancel(E(B)), ocatch E(B), ofin, loop=true"},

		{"P-037", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(p.std("i", func(x *do) { x.t("itry"); x.ext("ie", obey) }))
					x.tasks(2, p.throwing(E("outer")))
				}))
			})
		}, "itry, ie:start, ie:cancel(Cancelled<-E(outer)), icatch Cancelled<-E(outer), ifin, ocatch E(outer), ofin, " +
			"loop=true"},

		{"P-038/1", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					inner := p.std("i", p.say("itry"))
					inner.waits = []*Promise{p.settable()}
					x.scope(inner)
					x.task(p.throwing(E("outer")))
				}))
			})
		}, "ocatch E(outer), ofin, loop=true"},

		{"P-038/2", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.task(p.throwing(E("outer")))
					x.scope(p.std("i", p.say("itry")))
				}))
			})
		}, "ocatch E(outer), ofin, loop=true"},

		{"P-039", func(p *play) {
			var oe, fe *ext
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					oe = x.ext("oe", wait_)
					x.scope(sc{try: p.say("itry"), finally: func(x *do) { x.t("ifin"); fe = x.ext("fe", obey) }})
				}))
			})
			oe.fail(E("outer"))
			p.loop()
			p.t("--")
			fe.ok(1)
			p.loop()
		}, "oe:start, itry, ifin, fe:start, loop=false, loop=false, --, ocatch E(outer), ofin, loop=true"},

		{"P-040/1", func(p *play) { swallowOrRethrow(p, p.catch("icatch")) }, swallowed},
		{"P-040/2", func(p *play) { swallowOrRethrow(p, p.catchRethrow("icatch")) }, swallowed},

		{"P-042", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.scope(sc{
						try:     p.throwing(E("x")),
						catch:   func(x *do, _ error) { x.throw(E("c")) },
						finally: func(x *do) { x.t("ifin"); x.task(p.say("ft")) },
					})
				}))
			})
		}, "ifin, ft, ocatch E(c), ofin, loop=true"},

		{"P-044", func(p *play) {
			p.root(func(x *do) {
				x.scope(sc{catch: p.catch("catch1"), finally: p.say("f1"), try: func(x *do) {
					x.scope(sc{finally: p.say("f2"), try: func(x *do) {
						x.scope(sc{finally: p.say("f3"), try: func(x *do) { x.task(p.throwing(E("deep"))) }})
					}})
				}})
			})
		}, "f3, f2, catch1 E(deep), f1, loop=true"},

		{"P-045", func(p *play) {
			var i *ext
			p.root(func(x *do) {
				x.scope(p.std("o", func(x *do) {
					x.ext("o", obey)
					x.scope(sc{catch: p.catchRethrow("mcatch"), finally: p.say("mfin"), try: func(x *do) {
						x.ext("m", obey)
						x.scope(sc{catch: p.catchRethrow("icatch"), finally: p.say("ifin"), try: func(x *do) {
							i = x.ext("i", obey)
						}})
					}})
				}))
			})
			i.fail(E("boom"))
			p.loop()
		}, "o:start, m:start, i:start, loop=false, icatch E(boom), ifin, m:cancel(E(boom)), mcatch E(boom), mfin, " +
			"o:cancel(E(boom)), ocatch E(boom), ofin, loop=true"},

		{"P-048", func(p *play) {
			orig := E("orig")
			p.root(func(x *do) {
				x.scope(sc{catch: func(x *do, err error) { x.t("catch same=%v", err == orig) }, try: func(x *do) {
					x.scope(sc{try: func(x *do) { x.ext("leaf", obey) }})
					x.tasks(2, p.throwing(orig))
				}})
			})
		}, "leaf:start, leaf:cancel(Cancelled<-E(orig)), catch same=true, loop=true"},
	})
}

const swallowed = "oe:start, ie:start, loop=false, ie:cancel(Cancelled<-E(outer)), icatch Cancelled<-E(outer), ifin, " +
	"ocatch E(outer), ofin, loop=true"

func swallowOrRethrow(p *play, catch func(*do, error)) {
	var oe *ext
	p.root(func(x *do) {
		x.scope(p.std("o", func(x *do) {
			oe = x.ext("oe", wait_)
			x.scope(sc{try: func(x *do) { x.ext("ie", obey) }, catch: catch, finally: p.say("ifin")})
		}))
	})
	oe.fail(E("outer"))
	p.loop()
}
