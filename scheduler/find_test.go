package scheduler_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/scheduler"
)

type line int

func (l line) Frames() []scheduler.Frame { return []scheduler.Frame{{Source: "in.lua", Line: int(l)}} }

// session is a tree whose root stays open, and outlives the failures of what was attached to it.
func session(t *testing.T) (*scheduler.Tree, *[]error) {
	var lost []error
	tree := scheduler.New(scheduler.Config{Unobserved: func(err error) { lost = append(lost, err) }})
	never := tree.Promise(nil, "more")
	tree.Start("session", nil, func(b *scheduler.Branch, _ []any) (any, error) { return b.Await(never) })
	require.NoError(t, tree.Run())
	t.Cleanup(tree.Stop)
	return tree, &lost
}

func attach(t *testing.T, tree *scheduler.Tree, body scheduler.Func) *scheduler.Promise {
	p, err := tree.Attach("line", nil, body)
	require.NoError(t, err)
	require.NoError(t, tree.Run())
	return p
}

func TestUnobservedFailuresDoNotEndASession(t *testing.T) {
	tree, lost := session(t)
	boom := errors.New("boom")
	other := tree.Promise(nil, "other")
	attach(t, tree, func(b *scheduler.Branch, _ []any) (any, error) { return b.Await(other) })
	p := attach(t, tree, func(*scheduler.Branch, []any) (any, error) { return nil, boom })
	require.Equal(t, []error{boom}, *lost)
	require.Equal(t, boom, p.Err())
	require.False(t, tree.Done())

	attach(t, tree, func(b *scheduler.Branch, _ []any) (any, error) {
		_, err := b.Try(scheduler.ScopeSpec{Try: func(*scheduler.Branch, []any) (any, error) { return nil, boom }})
		return nil, err
	})
	require.Equal(t, []error{boom, boom}, *lost, "so do scopes")
	require.Len(t, tree.Dump()[0].Children, 2, "the other branch still waits")

	tree.Cancel(nil)
	require.NoError(t, tree.Run())
	require.True(t, tree.Done(), "a session can be cancelled as a whole")
}

func TestFind(t *testing.T) {
	tree, lost := session(t)
	var inner *scheduler.Scope
	attach(t, tree, func(b *scheduler.Branch, _ []any) (any, error) {
		var err error
		inner, err = b.Try(scheduler.ScopeSpec{Name: "inner", Try: func(b *scheduler.Branch, _ []any) (any, error) {
			op, err := b.Begin(scheduler.OperationSpec{Kind: "wait", Site: line(7), Start: func(*scheduler.Operation, []any) error { return nil }})
			if err != nil {
				return nil, err
			}
			return b.Await(scheduler.All(b, []*scheduler.Promise{op.Promise()}))
		}})
		return nil, err
	})
	require.Equal(t, "@1/1", inner.Path())
	dump := tree.Dump()[0].Children[1]
	require.Equal(t, "@1/1t", dump.Children[0].Path)
	require.Equal(t, []string{"@1/1t/1"}, dump.Children[0].For)
	require.Equal(t, []scheduler.Frame{{Source: "in.lua", Line: 7}}, tree.TraceAt("@1/1t/1"))
	require.Nil(t, tree.TraceAt("@7"))

	require.False(t, tree.CancelAt("@7", nil))
	require.True(t, tree.CancelAt("@1/1", errors.New("enough")))
	require.NoError(t, tree.Run())
	require.Equal(t, scheduler.Closed, inner.State())
	require.NotNil(t, scheduler.AsCancelled(inner.Promise().Err()))
	require.Len(t, *lost, 1)
	require.False(t, tree.CancelAt("@1/1", nil))
}
