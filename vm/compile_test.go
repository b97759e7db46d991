package vm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		source, want string
		incomplete   bool
	}{
		{"x = = 1", "f.lua:1: unexpected symbol near '='", false},
		{"\n\nif x then", "f.lua:3: 'end' expected near '<eof>'", true},
		{"if x then\n\n", "f.lua:3: 'end' expected (to close 'if' at line 1) near '<eof>'", true},
		{"for", "f.lua:1: '<name>' expected near '<eof>'", true},
		{"for a b", "f.lua:1: '=' or 'in' expected near 'b'", false},
		{"function f(", "f.lua:1: <name> or '...' expected near '<eof>'", true},
		{"while x", "f.lua:1: 'do' expected near '<eof>'", true},
		{"while x do y() ", "f.lua:1: 'end' expected near '<eof>'", true},
		{"repeat x()", "f.lua:1: 'until' expected near '<eof>'", true},
		{"local t = {1,\n", "f.lua:2: unexpected symbol near '<eof>'", true},
		{"x = 1 +", "f.lua:1: unexpected symbol near '<eof>'", true},
		{"local", "f.lua:1: '<name>' expected near '<eof>'", true},
		{"x = [[abc\n", "f.lua:2: unfinished long string near '<eof>'", true},
		{"--[[ abc", "f.lua:1: unfinished long comment near '<eof>'", true},
		{"a = 1 b", "f.lua:1: '=' expected near '<eof>'", false},
		{"a.b:c = 1", "f.lua:1: function arguments expected near '='", false},
		{"f() = 1", "f.lua:1: unexpected symbol near '='", false},
		{"(a) = 1", "f.lua:1: syntax error near '='", false},
		{"a\n(f)()", "f.lua:2: ambiguous syntax (function call x new statement) near '('", false},
		{"return 1 x()", "f.lua:1: '<eof>' expected near 'x'", false},
		{"x = 'abc", "f.lua:1: unfinished string near '<eof>'", false},
		{"x = 'abc\n'", "f.lua:1: unfinished string near ''abc'", false},
		{"x = '\\300'", "f.lua:1: escape sequence too large near '''", false},
		{"end", "f.lua:1: '<eof>' expected near 'end'", false},
		{"x = 3 $ 4", "f.lua:1: unexpected symbol near '$'", false},
		{"x = 0xg", "f.lua:1: malformed number near '0xg'", false},
		{"x = 1e", "f.lua:1: malformed number near '1e'", false},
		{"x = [==a", "f.lua:1: invalid long string delimiter near '[=='", false},
		{"break", "f.lua:1: no loop to break near '<eof>'", false},
		{"goto nowhere", "f.lua:1: no visible label 'nowhere' for <goto> at line 1", false},
		{"function f() return ... end", "f.lua:1: cannot use '...' outside a vararg function near '...'", false},
		{"\x1bLua", "f.lua:1: precompiled chunks cannot be loaded", false},
	} {
		t.Run(c.source, func(t *testing.T) {
			_, err := Compile("f.lua", c.source, Limits{})
			var failed *SyntaxError
			require.ErrorAs(t, err, &failed)
			require.Contains(t, failed.Error(), c.want)
			require.Equal(t, c.incomplete, failed.Incomplete)
		})
	}
}

// TestSourcesThatGrow: each of these ends the process, or takes minutes, in gopher-lua.
func TestSourcesThatGrow(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"not", "x = " + strings.Repeat("not ", 20_000) + "1", "too many syntax levels"},
		{"minus", "x = " + strings.Repeat("- ", 20_000) + "1", "too many syntax levels"},
		{"tables", "x = " + strings.Repeat("{", 20_000) + strings.Repeat("}", 20_000), "too many syntax levels"},
		{"powers", "x = " + strings.Repeat("2^", 20_000) + "1", "too many syntax levels"},
		{"functions", strings.Repeat("function f() ", 20_000) + strings.Repeat("end ", 20_000), "too many syntax levels"},
		{"blocks", strings.Repeat("do ", 20_000) + strings.Repeat("end ", 20_000), "too many syntax levels"},
		{"arguments", "x = " + strings.Repeat("f(", 20_000) + strings.Repeat(")", 20_000), "too many syntax levels"},
		{"fields", "x = a" + strings.Repeat(".a", 20_000), "operators in a row"},
		{"calls", "f" + strings.Repeat("()", 20_000), "operators in a row"},
		{"sums", "x = 1" + strings.Repeat("+a", 20_000), "operators in a row"},
		{"concat", "x = 1" + strings.Repeat(" .. a", 20_000), "too many syntax levels"},
		{"elseif", "if a then " + strings.Repeat("elseif b then ", 20_000) + "end", "elseif"},
		{"size", strings.Repeat(" ", 2<<20), "Limits.SourceBytes"},
		{"upvalues", manyUpvalues(61), "has more than 60 upvalues"},
		{"code", "while x do " + strings.Repeat("a = 1 ", 80_000) + "end", "too long"},
		{"locals", "local a = 1 " + strings.Repeat("local a = 1 ", 300), "local variables"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Compile("f.lua", c.source, Limits{})
			require.ErrorContains(t, err, c.want)
			require.IsType(t, &SyntaxError{}, err)
		})
	}
}

func manyUpvalues(n int) string {
	var b strings.Builder
	b.WriteString("local f0 ")
	for i := range n {
		fmt.Fprintf(&b, "function f%d() local v%d = 1 ", i, i)
	}
	b.WriteString("return function() return v0")
	for i := range n - 1 {
		fmt.Fprintf(&b, " + v%d", i+1)
	}
	b.WriteString(" end " + strings.Repeat("end ", n))
	return b.String()
}

// TestLongSources that Lua takes are taken.
func TestLongSources(t *testing.T) {
	out, err := run(t, "local x = 1"+strings.Repeat("+1", 3000)+" print(x)", Limits{})
	require.NoError(t, err)
	require.Equal(t, "3001\n", out)

	out, err = run(t, "local s = 'a'"+strings.Repeat(" .. 1", 150)+" print(#s)", Limits{})
	require.NoError(t, err)
	require.Equal(t, "151\n", out)

	items := strings.Repeat("1, ", 30_000)
	out, err = run(t, "local t = {"+items+"} print(#t)", Limits{})
	require.NoError(t, err)
	require.Equal(t, "30000\n", out)
}

func TestShebang(t *testing.T) {
	out, err := run(t, "#!/usr/bin/env flowlua\nprint('first') error('second')", Limits{})
	require.EqualError(t, err, "test.lua:2: second")
	require.Equal(t, "first\n", out)
}

func TestChunkIsShared(t *testing.T) {
	c, err := Compile("f.lua", "n = (n or 0) + 1 return n, ...", Limits{})
	require.NoError(t, err)
	done := make(chan error)
	for range 4 {
		go func() {
			s := New(Config{})
			defer s.Close()
			for range 100 {
				if _, err := s.Call(s.Load(c)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
}
