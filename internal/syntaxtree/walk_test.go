package syntaxtree_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/flowlua/flowlua/internal/syntaxtree"
)

func TestWalk(t *testing.T) {
	tree, err := parse.Parse(strings.NewReader(`local a = f(b, { c = d }) if e then return function() g() end end`), "x")
	require.NoError(t, err)
	names := func(into func(node any) bool) (list []string) {
		syntaxtree.Walk(tree, func(node any) bool {
			if n, is := node.(*ast.IdentExpr); is {
				list = append(list, n.Value)
			}
			return into(node)
		})
		return list
	}
	require.Equal(t, []string{"f", "b", "d", "e", "g"}, names(func(any) bool { return true }))
	require.Equal(t, []string{"e", "g"}, names(func(node any) bool {
		_, call := node.(*ast.FuncCallExpr)
		return !call || len(node.(*ast.FuncCallExpr).Args) == 0
	}))
	syntaxtree.Walk(nil, func(any) bool { t.Error("there is nothing"); return true })
}
