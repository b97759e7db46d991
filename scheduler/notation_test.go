package scheduler

import (
	"flag"
	"fmt"
	"os"

	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	must(flag.Set("rapid.checks", "1000")) // the command line may still change it
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, "coroutines were left behind:", err)
		code = 1
	}
	os.Exit(code)
}

// The notation of flow-cases.md in Go, so that both can be read side by side. A play has one tree and one trace; do is
// what a body can do. Errors are thrown, as a script would raise them.

// catalogued is one case: its number, what is set up, and the trace that is expected.
type catalogued struct {
	number string
	setup  func(p *play)
	expect string
}

func perform(t *testing.T, cases []catalogued) {
	for _, c := range cases {
		t.Run(c.number, func(t *testing.T) {
			p := &play{T: t, clock: &VirtualClock{}}
			p.tree = New(Config{Clock: p.clock})
			defer p.tree.Stop()
			c.setup(p)
			require.Equal(t, c.expect, strings.Join(p.trace, ", "))
		})
	}
}

type play struct {
	*testing.T
	tree  *Tree
	clock *VirtualClock
	trace []string
}

type do struct {
	*play
	b      *Branch
	in     []any
	result any
}

type raised struct{ err error }

// fault is E(message), or another named error of the catalogue.
type fault struct {
	name, message string
	cause         error
}

func (f *fault) Error() string { return fmt.Sprintf("%s(%s)", f.name, f.message) }
func (f *fault) Unwrap() error { return f.cause }

func E(message string) error           { return &fault{name: "E", message: message} }
func named(name, message string) error { return &fault{name: name, message: message} }
func cancelledFor(reason string) error { return &Cancelled{Reason: reason} }

func text(err error) string {
	switch e := err.(type) {
	case nil:
		return "null"
	case *Cancelled:
		s := "Cancelled"
		if e.Reason != nil && e.Cause == nil {
			s += fmt.Sprintf("(%v)", e.Reason)
		}
		if e.Cause != nil {
			s += "<-" + text(e.Cause)
		}
		return s
	}
	return err.Error()
}

// t appends to the trace.
func (p *play) t(format string, args ...any) { p.trace = append(p.trace, fmt.Sprintf(format, args...)) }

// at is the virtual time in seconds.
func (p *play) at() string {
	return fmt.Sprint(p.clock.now.Sub(time.Time{}).Seconds())
}

// root makes f the root's body and loops.
func (p *play) root(f func(x *do)) {
	p.start(f)
	p.loop()
}

func (p *play) start(f func(x *do)) { p.tree.Start("", nil, p.body(f)) }

// loop runs until everything waits: loop=true when the root is complete, loop!X if it failed.
func (p *play) loop() {
	switch err := p.tree.Run(); {
	case err != nil:
		p.t("loop!%s", text(err))
	case p.tree.Done() && p.tree.root.failure != nil:
		p.t("loop!%s", text(p.tree.root.failure))
	default:
		p.t("loop=%v", p.tree.Done())
	}
}

// drive jumps from timer to timer until nothing is left.
func (p *play) drive() {
	require.NoError(p, p.tree.Run())
	for p.clock.Next() {
		require.NoError(p, p.tree.Run())
	}
	p.t("complete=%v at=%s", p.tree.Done(), p.at())
}

func (p *play) body(f func(x *do)) Func {
	return func(b *Branch, in []any) (v any, err error) {
		x := &do{play: p, b: b, in: in}
		defer x.recovered(&v, &err)
		f(x)
		return x.result, nil
	}
}

func (x *do) recovered(v *any, err *error) {
	switch r := recover().(type) {
	case nil:
	case raised:
		*v, *err = nil, r.err
	default:
		panic(r)
	}
}

func (p *play) throw(err error) { panic(raised{err}) }

func (p *play) must(err error) {
	if err != nil {
		p.throw(err)
	}
}

func (x *do) await(p *Promise) any {
	v, err := x.b.Await(p)
	x.must(err)
	return v
}

func (x *do) task(f func(x *do), after ...*Promise) *Promise {
	p, err := x.b.Spawn(Spec{After: after, Body: x.body(f)})
	x.must(err)
	return p
}

func (x *do) daemon(f func(x *do), after ...*Promise) *Promise {
	p, err := x.b.Spawn(Spec{After: after, Daemon: true, Body: x.body(f)})
	x.must(err)
	return p
}

// tasks is task→task→…→f, n deep.
func (x *do) tasks(n int, f func(x *do)) {
	if n == 0 {
		f(x)
		return
	}
	x.task(func(x *do) { x.tasks(n-1, f) })
}

// sc is scope(try, catch, finally, waits).
type sc struct {
	try     func(x *do)
	catch   func(x *do, err error)
	matches func(err error) bool
	finally func(x *do)
	waits   []*Promise
	daemon  bool
	name    string
}

func (x *do) scope(s sc) *Scope {
	spec := ScopeSpec{Name: s.name, After: s.waits, Daemon: s.daemon, Try: x.body(s.try), Matches: s.matches}
	if s.catch != nil {
		spec.Catch = func(b *Branch, caught error) (any, error) {
			return x.body(func(x *do) { s.catch(x, caught) })(b, nil)
		}
	}
	if s.finally != nil {
		spec.Finally = func(b *Branch) error {
			_, err := x.body(s.finally)(b, nil)
			return err
		}
	}
	made, err := x.b.Try(spec)
	x.must(err)
	return made
}

// std is a scope whose handlers write "catch X" and "fin", with a prefix.
func (p *play) std(prefix string, try func(x *do)) sc {
	return sc{try: try, catch: p.catch(prefix + "catch"), finally: p.say(prefix + "fin")}
}

func (p *play) catch(label string) func(*do, error) {
	return func(_ *do, err error) { p.t("%s %s", label, text(err)) }
}

// rethrow writes the label only and raises what came.
func (p *play) rethrow(label string) func(*do, error) {
	return func(x *do, err error) { p.t("%s", label); x.throw(err) }
}

func (p *play) catchRethrow(label string) func(*do, error) {
	return func(x *do, err error) { p.catch(label)(x, err); x.throw(err) }
}

func (p *play) say(label string) func(*do) { return func(*do) { p.t("%s", label) } }

func (p *play) nothing(*do) {}

func (p *play) throwing(err error) func(*do) { return func(x *do) { x.throw(err) } }

// ext modes: what the cancellation handler does.
type mode int

const (
	obey mode = iota
	wait_
	failc
	none
	throws
	ct
)

type ext struct {
	*Operation
	scope *Scope // of an act
}

func (e *ext) ok(v any)         { e.Complete(v) }
func (e *ext) fail(err error)   { e.Fail(err) }
func (e *ext) result() *Promise { return e.Promise() }

func (x *do) ext(name string, m mode, after ...*Promise) *ext { return x.begin(name, m, false, after) }

func (x *do) dext(name string, m mode) *ext { return x.begin(name, m, true, nil) }

func (x *do) begin(name string, m mode, daemon bool, after []*Promise) *ext {
	p := x.play
	spec := OperationSpec{Kind: "ext", Name: name, After: after, Daemon: daemon}
	spec.Start = func(*Operation, []any) error { p.t("%s:start", name); return nil }
	if m != none {
		spec.Cancel = func(op *Operation, cause error) error {
			p.t("%s:cancel(%s)", name, text(cause))
			switch m {
			case obey:
				op.Complete(nil)
			case failc:
				op.Fail(&Cancelled{})
			case throws:
				return named("RuntimeErr", "handler")
			case ct:
				op.Complete(nil)
				return named("RuntimeErr", "handler2")
			}
			return nil
		}
	}
	op, err := x.b.Begin(spec)
	x.must(err)
	return &ext{Operation: op}
}

// act is a scope whose try starts ext(name, mode) and returns its result, and that passes failures on.
func (x *do) act(name string, m mode, after ...*Promise) *ext {
	e := &ext{}
	e.scope = x.scope(sc{waits: after, try: func(x *do) {
		e.Operation = x.ext(name, m).Operation
		x.result = e.Operation.Promise()
	}})
	return e
}

// res is the promise of an act.
func (e *ext) res() *Promise { return e.scope.Promise() }

func (p *play) settable() *Promise { return p.tree.Promise(nil, "") }

func (p *play) set(s *Promise, v any) { require.NoError(p, s.Set(v)) }

// attempt writes what err is: ok, or !message.
func (p *play) attempt(err error) {
	if err == nil {
		p.t("ok")
		return
	}
	p.t("!%s", text(err))
}

// timers tells whether any timer still counts.
func (p *play) timers() {
	if n := p.clock.Waiting(); n > 0 {
		p.t("timers=%d", n)
		return
	}
	p.t("timers=null")
}
