package scheduler

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// everyState is a body that has, once the tree waits, something in each state that can be stopped or cancelled; undone
// counts the deferred calls of what was suspended.
func everyState(tree *Tree, suspended, undone *int) Func {
	parked := func(b *Branch, _ []any) (any, error) {
		*suspended++
		defer func() { *undone++ }()
		func() {
			_, err := b.Await(tree.Promise(b, "never"))
			if err != nil {
				panic(raised{err})
			}
		}()
		return nil, nil
	}
	return func(b *Branch, _ []any) (any, error) {
		never := tree.Promise(b, "never")
		_, _ = b.Spawn(Spec{Body: quietly(parked)})
		_, _ = b.Spawn(Spec{Body: quietly(parked), Daemon: true})
		_, _ = b.Spawn(Spec{Body: quietly(parked), After: []*Promise{never}})
		_, _ = b.Begin(OperationSpec{Start: func(*Operation, []any) error { return nil }})
		_, _ = b.Try(ScopeSpec{Try: quietly(parked)})
		_, _ = b.Try(ScopeSpec{
			Try:   func(*Branch, []any) (any, error) { return nil, E("x") },
			Catch: func(b *Branch, _ error) (any, error) { return quietly(parked)(b, nil) },
		})
		_, _ = b.Try(ScopeSpec{
			Try:     func(*Branch, []any) (any, error) { return nil, nil },
			Finally: func(b *Branch) error { _, err := quietly(parked)(b, nil); return err },
		})
		_, _ = b.Spawn(Spec{Body: func(b *Branch, _ []any) (any, error) { return b.Shield(Spec{Body: quietly(parked)}) }})
		_, _ = b.Spawn(Spec{Body: func(b *Branch, _ []any) (any, error) { _, err := b.AwaitFirst(never, never); return nil, err }})
		return never, nil
	}
}

// quietly turns what the body raises by panic into an error and lets everything else pass.
func quietly(f Func) Func {
	return func(b *Branch, in []any) (v any, err error) {
		defer func() {
			switch r := recover().(type) {
			case nil:
			case raised:
				err = r.err
			default:
				panic(r)
			}
		}()
		return f(b, in)
	}
}

func TestStopInEveryState(t *testing.T) {
	for steps := range 40 {
		tree := New(Config{})
		suspended, undone := 0, 0
		tree.Start("", nil, everyState(tree, &suspended, &undone))
		for range steps {
			if s := tree.queue.pop(); s != nil {
				s.step()
			}
		}
		tree.Stop()
		tree.Stop()
		require.Equal(t, suspended, undone)
		require.ErrorIs(t, tree.Run(), ErrStopped)
		_, err := tree.Attach("", nil, nil)
		require.ErrorIs(t, err, ErrStopped)
	}
	require.NotPanics(t, New(Config{}).Stop)
}

func TestCancelInEveryState(t *testing.T) {
	for steps := range 40 {
		tree := New(Config{})
		suspended, undone := 0, 0
		tree.Start("", nil, everyState(tree, &suspended, &undone))
		for range steps {
			if s := tree.queue.pop(); s != nil {
				s.step()
			}
		}
		tree.Cancel(E("why"))
		require.NoError(t, tree.Run())
		before := tree.String()
		tree.Cancel(E("again"))
		require.NoError(t, tree.Run())
		require.Equal(t, before, tree.String())
		tree.Stop()
		require.Equal(t, suspended, undone)
	}
}

func TestCompleteAndCancelInOneTurn(t *testing.T) {
	type act func(op *Operation, c *Scope)
	acts := map[string]act{
		"complete": func(op *Operation, _ *Scope) { op.Complete(1) },
		"fail":     func(op *Operation, _ *Scope) { op.Fail(E("x")) },
		"cancel":   func(_ *Operation, c *Scope) { c.Cancel(nil) },
		"by name":  func(op *Operation, _ *Scope) { op.Promise().Cancel(nil) },
	}
	for m := obey; m <= ct; m++ {
		for first, one := range acts {
			for second, two := range acts {
				t.Run(fmt.Sprint(m, first, second), func(t *testing.T) {
					p := &play{T: t, tree: New(Config{})}
					defer p.tree.Stop()
					var c *Scope
					var e *ext
					p.root(func(x *do) { c = x.scope(sc{try: func(x *do) { e = x.ext("e", m) }, catch: func(*do, error) {}}) })
					one(e.Operation, c)
					two(e.Operation, c)
					p.loop()
					e.ok(1) // for those that go on waiting
					p.loop()
					require.True(t, p.tree.Done())
					require.True(t, e.Done())
				})
			}
		}
	}
}

func TestEngineErrors(t *testing.T) {
	boom := errors.New("boom")
	run := func(body Func) (*Tree, error) {
		tree := New(Config{})
		tree.Start("", nil, func(b *Branch, _ []any) (any, error) {
			_, err := b.Try(ScopeSpec{
				Try:     body,
				Catch:   func(*Branch, error) (any, error) { t.Error("catch saw an engine error"); return nil, nil },
				Finally: func(*Branch) error { t.Error("finally ran after an engine error"); return nil },
			})
			return nil, err
		})
		return tree, tree.Run()
	}
	t.Run("abort", func(t *testing.T) {
		tree, err := run(func(*Branch, []any) (any, error) { Abort(boom); return nil, nil })
		require.Equal(t, boom, err)
		require.Equal(t, boom, tree.Run())
		require.False(t, tree.Done())
		tree.Stop()
	})
	t.Run("panic has the stack of the culprit", func(t *testing.T) {
		tree, err := run(func(*Branch, []any) (any, error) { panicking(); return nil, nil })
		require.ErrorContains(t, err, "panic in the execution tree: ouch")
		require.ErrorContains(t, err, "panicking")
		tree.Stop()
	})
	t.Run("in an operation", func(t *testing.T) {
		tree, err := run(func(b *Branch, _ []any) (any, error) {
			_, err := b.Begin(OperationSpec{Start: func(*Operation, []any) error { panicking(); return nil }})
			return nil, err
		})
		require.ErrorContains(t, err, "panicking")
		tree.Stop()
	})
	t.Run("goexit", func(t *testing.T) {
		tree := New(Config{})
		tree.Start("", nil, func(*Branch, []any) (any, error) { runtime.Goexit(); return nil, nil })
		done := make(chan struct{})
		go func() { defer close(done); _ = tree.Run() }()
		<-done
		require.Equal(t, errExited, tree.Run())
		tree.Stop()
	})
	t.Run("twice started", func(t *testing.T) {
		tree := New(Config{})
		tree.Start("", nil, func(*Branch, []any) (any, error) { return nil, nil })
		require.Panics(t, func() { tree.Start("", nil, nil) })
		tree.Stop()
	})
}

func panicking() { panic("ouch") }

func TestStopFromInside(t *testing.T) {
	for name, stop := range map[string]Func{
		"a body": func(b *Branch, _ []any) (any, error) { b.tree.Stop(); t.Error("went on"); return nil, nil },
		"an operation": func(b *Branch, _ []any) (any, error) {
			_, err := b.Begin(OperationSpec{Start: func(op *Operation, _ []any) error { op.tree.Stop(); return nil }})
			return nil, err
		},
		"a body that goes on": func(b *Branch, _ []any) (any, error) {
			func() {
				defer func() { _ = recover() }()
				b.tree.Stop()
			}()
			return b.Await(b.tree.Promise(b, ""))
		},
	} {
		t.Run(name, func(t *testing.T) {
			tree := New(Config{})
			undone := 0
			tree.Start("", nil, func(b *Branch, _ []any) (any, error) {
				_, _ = b.Spawn(Spec{Body: func(b *Branch, _ []any) (any, error) {
					defer func() { undone++ }()
					return b.Await(tree.Promise(b, ""))
				}})
				return b.Spawn(Spec{Body: stop})
			})
			require.ErrorIs(t, tree.Run(), ErrStopped)
			require.Equal(t, 1, undone)
		})
	}
}

func TestRunFromInside(t *testing.T) {
	tree := New(Config{})
	defer tree.Stop()
	tree.Start("", nil, func(*Branch, []any) (any, error) { return nil, tree.Run() })
	require.NoError(t, tree.Run())
	_, err := tree.Result()
	require.ErrorContains(t, err, "running already")
}

func TestBeforeStart(t *testing.T) {
	tree := New(Config{})
	require.NoError(t, tree.Run())
	require.False(t, tree.Done())
	require.Empty(t, tree.Dump())
	tree.Cancel(nil)
	_, err := tree.Result()
	require.ErrorContains(t, err, "not started")
	_, err = tree.Attach("", nil, nil)
	require.ErrorContains(t, err, "Start before Attach")
	tree.Stop()
}

func TestDeepNesting(t *testing.T) {
	tree := New(Config{})
	defer tree.Stop()
	const depth = 20_000
	closed := 0
	var body func(n int) Func
	body = func(n int) Func {
		return func(b *Branch, _ []any) (any, error) {
			if n == 0 {
				return nil, E("deep")
			}
			s, err := b.Try(ScopeSpec{Try: body(n - 1), Finally: func(*Branch) error { closed++; return nil }})
			if err == nil && n == depth/2 {
				s.Promise().Observe()
			}
			return nil, err
		}
	}
	tree.Start("", nil, body(depth))
	require.NoError(t, tree.Run())
	_, err := tree.Result()
	require.NoError(t, err)
	require.Equal(t, depth, closed)
}

// TestManyFailuresAreLinear: a scope with many heirs that all fail must not look at all of them for each.
func TestManyFailuresAreLinear(t *testing.T) {
	tree := New(Config{})
	defer tree.Stop()
	const n = 100_000
	var ops []*Operation
	tree.Start("", nil, func(b *Branch, _ []any) (any, error) {
		for range n {
			op, err := b.Begin(OperationSpec{
				Start:  func(*Operation, []any) error { return nil },
				Cancel: func(op *Operation, _ error) error { return E("ack") },
			})
			must(err)
			ops = append(ops, op)
		}
		return nil, nil
	})
	require.NoError(t, tree.Run())
	ops[0].Fail(E("x"))
	require.NoError(t, tree.Run())
	require.True(t, tree.Done())
}

func TestQueueKeepsOrderAndForgets(t *testing.T) {
	var q queue
	var got []int
	next := 0
	for round := range 50 {
		for range round * 37 % 700 {
			n := next
			q.push(stepFunc(func() { got = append(got, n) }))
			next++
		}
		for range round * 29 % 600 {
			if s := q.pop(); s != nil {
				s.step()
			}
		}
	}
	for s := q.pop(); s != nil; s = q.pop() {
		s.step()
	}
	require.Len(t, got, next)
	for i, n := range got {
		require.Equal(t, i, n)
	}
}

type stepFunc func()

func (f stepFunc) step() { f() }
