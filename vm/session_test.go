package vm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// typed enters chunks one after the other and returns what the last one gives, or its error.
func typed(t *testing.T, chunks ...string) string {
	s := vm.New(vm.Config{})
	defer s.Close()
	n := s.NewSession()
	out := ""
	for i, source := range chunks {
		chunk, err := n.Load("in", source, i+1)
		if err != nil {
			out = err.Error()
			continue
		}
		values, err := s.Call(chunk.Function)
		if err != nil {
			chunk.Failed()
			out = err.Error()
			continue
		}
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = v.String()
		}
		out = strings.Join(texts, " ")
	}
	return out
}

func TestSession(t *testing.T) {
	for want, chunks := range map[string][]string{
		"2":           {"1+1"},
		"3":           {" =1+2"},
		"1 2 7":       {"local a, b = 1, 2", "local c", "c = 7", "a, b, c"},
		"1 2":         {"local x = 1", "function f() return x end", "local x = 2", "f(), x"},
		"5":           {"local x = 1", "function f() x = x + 4 end", "f()", "x"},
		"4":           {"local x = 1; local x = x + 1; function g() return x end; local x = x * 2", "x"},
		"2 again":     {"local x = 1; local x = x + 1; g = function() return x end; local x = 'again'", "g(), x"},
		"120":         {"local function fact(n) if n < 2 then return 1 end return n * fact(n-1) end", "fact(5)"},
		"inner outer": {"local x = 'outer'", "local function f(x) do local x = 'inner' return x end end", "f('argument'), x"},
		"3 outer":     {"local i = 'outer'", "local n = 0 for i = 1, 3 do n = i end", "n, i"},
		"me table":    {"local t = {name = 'me'}", "function t:who() return self.name end", "t:who(), type(t)"},
		"true 9":      {"local n = 9", "local ok = n == 9", "ok, n"},
		"k v":         {"local t = {}", "for k, v in pairs {k = 'v'} do t[1], t[2] = k, v end", "t[1], t[2]"},
		"10":          {"local r = 0 repeat local stop = r == 10; if not stop then r = r + 1 end until stop", "r"},
		"kept":        {"local x = 'kept'", "local x = nothing.field", "x"},
		"in:2: attempt to index upvalue 'x' (a nil value)": {"local x", "x.y = 1"},
		"in:3: attempt to call upvalue 'f' (a nil value)":  {"local f = 1", "local f", "f()"},
		"in:1: '=' expected near 'y'":                      {"x y"},
		"in:1: unexpected symbol near '<eof>'":             {"=1+"},
	} {
		require.Equal(t, want, typed(t, chunks...), "%q", chunks)
	}
}

func TestSessionHasManyLocals(t *testing.T) {
	var many, over, use strings.Builder
	for i := range 150 {
		fmt.Fprintf(&many, "local v%d = %d\n", i, i)
	}
	for i := range 200 {
		fmt.Fprintf(&over, "local v%d = %d\n", i, i)
	}
	use.WriteString("0")
	for i := range 150 {
		fmt.Fprintf(&use, " + v%d", i)
	}
	require.Equal(t, "11175", typed(t, many.String(), use.String()))
	require.Contains(t, typed(t, over.String()), "too many local variables")
}

// TestSessionPrefixes: what begins a chunk is a chunk or may become one.
func TestSessionPrefixes(t *testing.T) {
	for _, source := range []string{
		"for i = 1, 3 do\nlocal x = i\nif x > 1 then\nprint(x)\nelse\nx = 2\nend\nend",
		"t = {\n1,\n[2] = {\n3\n},\nf = function(a,\nb)\nreturn a\nend\n}",
		"x = [[\nlong\n]] --[[\ncomment\n]]\ny = 1",
		"f = 1\nx\n=\n2", "repeat\nlocal a = 1\nuntil\na", "print(\n1\n,\n2\n)", "local\nfunction\nf\n(\n)\nend", "1\n+\n1", "{\n1\n}",
	} {
		lines := strings.Split(source, "\n")
		for n := range lines {
			err := vm.CheckTyped("in", strings.Join(lines[:n+1], "\n"), 1, vm.Limits{})
			var syntax *vm.SyntaxError
			require.True(t, err == nil || errors.As(err, &syntax) && syntax.Incomplete, "%q: %v", lines[:n+1], err)
		}
	}
	for _, wrong := range []string{"x = 'abc", "end", "x y", "f(]", "=1+ ]", "local 1", "= end", "goto a"} {
		err := vm.CheckTyped("in", wrong, 1, vm.Limits{})
		var syntax *vm.SyntaxError
		require.True(t, errors.As(err, &syntax) && !syntax.Incomplete, "%q: %v", wrong, err)
	}
}

// FuzzSessionPrefixes: the first lines of a chunk are a chunk or may become one.
func FuzzSessionPrefixes(f *testing.F) {
	for _, seed := range []string{"x = {\n1\n}", "if a\nthen\nb()\nend", "x = 'a\\\nb'", "f\n(\n1\n)", "return\n1", "local a\n=\n[[\n]]", "-- c\nx\n.y = 1", "goto\na\n::a::", "1\n..\n2", "=\n1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if strings.Contains(source, "\r") || strings.Contains(source, "goto") || // a label that may come is an error
			vm.CheckTyped("in", source, 1, vm.Limits{}) != nil {
			return
		}
		lines := strings.Split(source, "\n")
		for n := range lines {
			err := vm.CheckTyped("in", strings.Join(lines[:n+1], "\n"), 1, vm.Limits{})
			var syntax *vm.SyntaxError
			require.True(t, err == nil || errors.As(err, &syntax) && syntax.Incomplete, "%q: %v", lines[:n+1], err)
		}
	})
}

// FuzzSession: nothing that is typed breaks a session, and a chunk of statements that compiles does so in a session too.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{"local x = 1", "x", "function f(a) local b = x return a + b end", "local function g() return g end", "=1", "for k, v in pairs(x) do local x = v end",
		"do local x end x = x", "if x then elseif y then local x end", "repeat local x until x", "goto a ::a::", "local x, y = ...", "(x):y(x)", "return x, 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		s := vm.New(vm.Config{Limits: vm.Limits{Instructions: 10000}})
		defer s.Close()
		n := s.NewSession()
		_, err := n.Load("in", "local x, y = 1, {}", 1)
		require.NoError(t, err)
		_, err = n.Load("in", source, 2)
		if _, plain := vm.Compile("in", source, vm.Limits{}); plain == nil {
			require.NoError(t, err)
		}
	})
}
