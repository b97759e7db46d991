package scheduler

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// E. External operations and root.
func TestCatalogueE(t *testing.T) {
	perform(t, []catalogued{
		// Rule 8: completion is idempotent, the first counts; the original raises "Already completed".
		{"P-110/1", func(p *play) {
			e := rootExt(p)
			e.ok(1)
			e.ok(2)
			p.loop()
			p.t("%v", e.result().value)
		}, "e:start, loop=false, loop=true, 1"},
		{"P-110/2", func(p *play) {
			e := rootExt(p)
			e.ok(1)
			e.fail(E("z"))
			p.loop()
		}, "e:start, loop=false, loop=true"},
		{"P-110/3", func(p *play) {
			e := rootExt(p)
			e.fail(E("z"))
			e.ok(1)
			p.loop()
		}, "e:start, loop=false, loop!E(z)"},

		{"P-111", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					_, err := x.b.Begin(OperationSpec{Start: func(*Operation, []any) error { return E("boom") }})
					x.must(err)
					x.ext("never", obey)
				}))
			})
		}, "catch E(boom), fin, loop=true"},

		// Rule 8: the late completion is ignored; in the original it raises CLOSED.
		{"P-112", func(p *play) {
			var c *Scope
			var e *ext
			p.root(func(x *do) {
				x.ext("k", wait_)
				c = x.scope(p.std("", func(x *do) { e = x.ext("e", none) }))
			})
			c.Cancel(E("w"))
			p.t("st=%s", c.State())
			p.loop()
			p.t("st=%s", c.State())
			e.ok(1)
			p.loop()
		}, "k:start, e:start, loop=false, st=TRYING, catch Cancelled<-E(w), fin, loop=false, st=CLOSED, loop=false"},

		{"P-113/1", func(p *play) { cancelOne(p, throws) },
			"e:start, loop=false, e:cancel(Cancelled<-E(w)), catch RuntimeErr(handler), fin, loop=true"},
		{"P-113/2", func(p *play) { cancelOne(p, ct) },
			"e:start, loop=false, e:cancel(Cancelled<-E(w)), catch RuntimeErr(handler2), fin, loop=true"},

		{"P-114", func(p *play) {
			var c *Scope
			var e *ext
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) { e = x.ext("e", obey); x.task(p.say("dep"), e.result()) }))
			})
			e.ok(1)
			c.Cancel(E("w"))
			p.loop()
		}, "e:start, loop=false, catch Cancelled<-E(w), fin, loop=true"},

		{"P-115", func(p *play) {
			var e *ext
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { e = x.ext("e", obey); x.task(p.say("dep"), e.result()) }))
			})
			e.ok(1)
			p.loop()
		}, "e:start, loop=false, dep, fin, loop=true"},

		{"P-116", func(p *play) {
			s := p.settable()
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) { x.ext("never", obey, s); x.task(p.throwing(E("x"))) }))
			})
			p.set(s, 1)
			p.loop()
		}, "catch E(x), fin, loop=true, loop=true"},

		{"P-117", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					_, err := x.b.Begin(OperationSpec{Start: func(op *Operation, _ []any) error {
						x.task(p.say("child"))
						op.Complete(nil)
						return nil
					}})
					x.must(err)
				}))
			})
		}, "child, fin, loop=true"},

		{"P-118", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				c = x.scope(p.std("", func(x *do) {
					_, err := x.b.Begin(OperationSpec{
						Start: func(*Operation, []any) error { return nil },
						Cancel: func(*Operation, error) error {
							p.t("handler")
							_, err := x.b.Spawn(Spec{Body: p.body(p.say("never"))})
							return err
						},
					})
					x.must(err)
				}))
			})
			c.Cancel(nil)
			p.loop()
		}, "loop=false, handler, catch " + errOutside.Error() + ", fin, loop=true"},

		{"P-119", func(p *play) {
			var outside *Branch
			p.root(func(x *do) { outside = x.b; x.ext("e", wait_) })
			_, err := outside.Spawn(Spec{Body: p.body(p.say("never"))})
			p.t("raised!%s", text(err))
			_, err = outside.Await(p.settable())
			require.ErrorContains(p, err, "only the running branch can wait")
		}, "e:start, loop=false, raised!" + errOutside.Error()},

		// Running a tree that is complete does nothing.
		{"P-120", func(p *play) {
			p.root(p.say("b"))
			p.loop()
		}, "b, loop=true, loop=true"},

		{"P-121", func(p *play) {
			e := rootExt(p)
			attach := func() error {
				_, err := p.tree.Attach("", nil, p.body(p.say("signal")))
				return err
			}
			p.must(attach())
			p.loop()
			e.ok(1)
			p.loop()
			p.t("raised!%s", text(attach()))
		}, "e:start, loop=false, signal, loop=false, loop=true, raised!the root has left its try (it is CLOSED): nothing " +
			"can be attached to it"},

		// Only the root can be attached to: by Attach, which refuses every scope that has left its try.
		{"P-122/1", func(p *play) {
			var c *Scope
			p.root(func(x *do) {
				c = x.scope(sc{try: p.say("try")})
				x.ext("x", wait_)
			})
			p.t("%s", c.State())
		}, "try, x:start, loop=false, CLOSED"},
		{"P-122/2", func(p *play) {
			var c *Scope
			var ce *ext
			p.root(func(x *do) {
				c = x.scope(sc{try: p.throwing(E("x")), finally: p.say("fin"), catch: func(x *do, _ error) {
					x.t("catch")
					ce = x.ext("ce", wait_)
				}})
			})
			p.tree.attach(c, Spec{Body: p.body(p.say("late"))})
			p.loop()
			ce.ok(1)
			p.loop()
		}, "catch, ce:start, loop=false, late, loop=false, fin, loop=true"},

		{"P-123", func(p *play) {
			p.root(func(x *do) {
				c := x.scope(p.std("", func(x *do) { x.ext("hold", obey) }))
				x.task(func(x *do) {
					p.tree.attach(c, Spec{Body: p.body(func(x *do) { x.t("in c"); x.throw(E("boom")) })})
				})
			})
		}, "hold:start, in c, hold:cancel(E(boom)), catch E(boom), fin, loop=true"},

		// Rule 9: the tree is dead afterwards, where the original keeps the entry and runs it again.
		{"P-124", func(p *play) {
			p.root(func(x *do) {
				x.scope(p.std("", func(x *do) {
					x.task(func(x *do) { x.t("run1"); Abort(named("Fatal", "err")) })
					x.task(p.say("after"))
				}))
			})
			p.t("complete=%v", p.tree.Done())
			p.loop()
		}, "run1, loop!Fatal(err), complete=false, loop!Fatal(err)"},

		{"P-125", func(p *play) {
			p.root(func(x *do) {
				x.t("async_start")
				_, err := x.b.Begin(OperationSpec{
					Start: func(*Operation, []any) error { p.t("external_task"); return nil },
					Cancel: func(op *Operation, _ error) error {
						p.t("cancellation_handler")
						op.Complete(nil)
						return nil
					},
				})
				x.must(err)
				x.task(func(x *do) { x.t("task"); x.throw(named("IllegalState", "")) })
				x.t("async_done")
			})
		}, "async_start, async_done, external_task, task, cancellation_handler, loop!IllegalState()"},
	})
}

func rootExt(p *play) (e *ext) {
	p.root(func(x *do) { e = x.ext("e", wait_) })
	return e
}

func cancelOne(p *play, m mode) {
	var c *Scope
	p.root(func(x *do) { c = x.scope(p.std("", func(x *do) { x.ext("e", m) })) })
	c.Cancel(E("w"))
	p.loop()
}
