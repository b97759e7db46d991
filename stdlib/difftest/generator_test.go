package difftest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random programs that have an end: every loop counts its steps.
type generator struct {
	*rand.Rand
	scopes [][]string
	funcs  []string
	vararg []bool
	loops  int
	names  int
	budget int
	labels int
	wild   bool // operations may fail
}

func generateProgram(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), scopes: [][]string{{"a", "b"}}, vararg: []bool{false}, budget: 12}
	g.wild = seed%2 == 1
	return g.block(3)
}

func (g *generator) pick(options ...string) string { return options[g.IntN(len(options))] }

func (g *generator) name() string {
	scope := g.scopes[g.IntN(len(g.scopes))]
	if len(scope) == 0 {
		return "a"
	}
	return scope[g.IntN(len(scope))]
}

func (g *generator) declare() string {
	if g.IntN(5) == 0 {
		return g.name()
	}
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

func (g *generator) bind(names ...string) {
	last := len(g.scopes) - 1
	g.scopes[last] = append(g.scopes[last], names...)
}

func (g *generator) expr(depth int) string {
	if depth <= 0 {
		return g.pick(g.name(), g.name(), "nil", "true", "false", "0", "1", "2.5", `"s"`, `"7"`, "Y")
	}
	e := func() string { return g.expr(depth - 1 - g.IntN(2)) }
	if g.IntN(4) == 0 {
		return g.libraryCall(depth)
	}
	if g.wild && g.IntN(5) == 0 {
		return g.risky(depth)
	}
	switch g.IntN(22) {
	case 0, 1:
		return fmt.Sprintf("(%s and%s%s)", e(), g.space(), e())
	case 2, 3:
		return fmt.Sprintf("(%s%sor %s)", e(), g.space(), e())
	case 4:
		return "not " + e()
	case 5:
		return fmt.Sprintf("Q(N(%s) %s%sN(%s))", e(), g.pick("+", "-", "*", "/", "%", "^"), g.space(), e())
	case 6:
		return fmt.Sprintf("(N(%s) %s N(%s))", e(), g.pick("<", "<=", ">", ">=", "==", "~="), e())
	case 7:
		return fmt.Sprintf("(%s %s %s)", e(), g.pick("==", "~="), e())
	case 8:
		return fmt.Sprintf("(T(%s))", g.args())
	case 9:
		return fmt.Sprintf("T(%s)", g.args())
	case 10:
		return fmt.Sprintf(`(tostring(N(%s)) .. N(%s) .. %s)`, e(), e(), g.pick(`"x"`, "1", "2.5"))
	case 11:
		return "{" + g.fields() + "}"
	case 12:
		return fmt.Sprintf("({%s})[N(%s)]", g.fields(), e())
	case 13:
		return "X." + g.pick("k", "z")
	case 14:
		return fmt.Sprintf("X[%s]", g.pick("1", "2", "N("+e()+")"))
	case 15:
		return fmt.Sprintf("#{%s or 0, %s == 1}", e(), e()) // without nil: which end # finds is not defined
	case 16:
		return fmt.Sprintf("O:m(%s)", g.args())
	case 17:
		return fmt.Sprintf(g.pick("MT[N(%s)]", "(MT(%s))", "(MT == %s)", "(MT + %s)", "(MT .. N(%s))", "(N(%s) .. MT)"), e())
	case 18:
		if g.vararg[len(g.vararg)-1] {
			return g.pick("(...)", `select("#", ...)`, "(select(1, ..., nil))")
		}
	case 19:
		if len(g.funcs) > 0 {
			return fmt.Sprintf("%s(%s)", g.funcs[g.IntN(len(g.funcs))], g.args())
		}
	case 20:
		return fmt.Sprintf("(pcall(%s, %s))", g.pick("T", "error", "IT", "nil"), g.args())
	case 21:
		return "function(...) S() " + g.function() + " end"
	}
	return e()
}

func (g *generator) function() string {
	g.scopes, g.vararg = append(g.scopes, nil), append(g.vararg, true)
	loops := g.loops
	g.loops = 0
	body := g.block(1)
	g.loops = loops
	g.scopes, g.vararg = g.scopes[:len(g.scopes)-1], g.vararg[:len(g.vararg)-1]
	return body
}

func (g *generator) list(n int) string {
	parts := make([]string, 1+g.IntN(n))
	for i := range parts {
		parts[i] = g.expr(1)
	}
	return strings.Join(parts, ","+g.space())
}

func (g *generator) args() string {
	out := g.list(3)
	switch g.IntN(4) {
	case 0:
		out += ", " + fmt.Sprintf("M(%s)", g.expr(1))
	case 1:
		if g.vararg[len(g.vararg)-1] {
			out += ", ..."
		}
	}
	return out
}

func (g *generator) fields() string {
	parts := []string{}
	for range g.IntN(4) {
		parts = append(parts, g.pick("", "", "k = ", "["+fmt.Sprint(g.IntN(5)+1)+"] = ")+g.expr(1))
	}
	if g.IntN(40) == 0 {
		parts = append([]string{strings.Repeat("1, ", 45+g.IntN(60)) + "2"}, parts...)
	}
	// An explicit index and a list item may meet, and which one wins is not defined.
	out := strings.Join(parts, ", ")
	if strings.Contains(out, "] = ") {
		return "k = " + g.expr(1)
	}
	return out
}

func (g *generator) target() string {
	return g.pick(g.name(), g.name(), g.name(), "Y", "X.k", "X[1]", "X[N("+g.name()+")]")
}

func (g *generator) block(depth int) string {
	g.scopes = append(g.scopes, nil)
	var b strings.Builder
	for range 1 + g.IntN(5) {
		if g.budget--; g.budget < -20 {
			break
		}
		b.WriteString(g.statement(depth) + "\n")
	}
	switch {
	case g.IntN(6) == 0:
		b.WriteString("return " + g.pick(g.list(3), g.args(), "T("+g.args()+")", "(T("+g.args()+"))") + "\n")
	case g.loops > 0 && g.IntN(6) == 0:
		b.WriteString("break\n")
	}
	g.scopes = g.scopes[:len(g.scopes)-1]
	return b.String()
}

func (g *generator) loop(head string, depth int, names ...string) string {
	g.scopes = append(g.scopes, names)
	g.loops++
	body := g.block(depth - 1)
	g.loops--
	g.scopes = g.scopes[:len(g.scopes)-1]
	return head + " S() " + body + " end"
}

func (g *generator) statement(depth int) string {
	if depth <= 0 {
		return fmt.Sprintf("P(%s)", g.args())
	}
	switch g.IntN(22) {
	case 17:
		return g.skip(depth)
	case 18:
		return g.again(depth)
	case 19:
		return g.object(depth)
	case 20:
		return g.catch(depth)
	case 21:
		return g.resume(depth)
	case 0, 1:
		n := g.declare()
		out := fmt.Sprintf("local %s = %s", n, g.expr(2))
		g.bind(n)
		return out
	case 2:
		n, m := g.declare(), g.declare()
		out := fmt.Sprintf("local %s, %s = %s", n, m, g.args())
		g.bind(n, m)
		return out
	case 3, 4, 5:
		return fmt.Sprintf("%s = %s", g.target(), g.expr(2))
	case 6:
		return fmt.Sprintf("%s, %s = %s", g.name(), g.pick("Y", g.name()), g.args())
	case 7:
		x, y := g.name(), g.name()
		return fmt.Sprintf("%s, %s = %s, %s", x, y, y, x)
	case 8:
		out := fmt.Sprintf("if %s then %s", g.expr(2), g.block(depth-1))
		if g.IntN(2) == 0 {
			out += fmt.Sprintf("elseif %s then %s", g.expr(1), g.block(depth-1))
		}
		if g.IntN(2) == 0 {
			out += "else " + g.block(depth-1)
		}
		return out + "end"
	case 9:
		return g.loop(fmt.Sprintf("while S() and %s do", g.expr(2)), depth)
	case 10:
		return g.loop(fmt.Sprintf("for i = %d, %d do", g.IntN(3), g.IntN(5)), depth, "i")
	case 11:
		return g.loop(g.pick("for i, v in ipairs({1, nil, 2}) do", "for i, v in IT do", "for i, v in IT, "+g.name()+" do", "for i, v in pairs({4, 5}) do"), depth, "i", "v")
	case 12:
		g.names++
		f := fmt.Sprintf("f%d", g.names)
		out := fmt.Sprintf("local function %s(a, ...) S() %s end", f, g.function())
		g.funcs = append(g.funcs[:len(g.funcs):len(g.funcs)], f)
		g.bind(f)
		return out + fmt.Sprintf(" P(%s(%s))", f, g.args())
	case 13:
		n := g.name()
		return fmt.Sprintf("P(pcall(function(...) %s = %s do %s end error(%s) end, %s)) P(%s)", n, g.expr(1), g.function(), g.pick(`"e"`, "{}", "nil", "7"), g.expr(1), n)
	case 14:
		return fmt.Sprintf("do local co = coroutine.wrap(function(...) P(coroutine.yield(%s)) do %s end end) P(co(%s)) P(pcall(co, %s)) end",
			g.list(2), g.function(), g.expr(1), g.expr(1))
	case 15:
		return "do " + g.block(depth-1) + " end"
	}
	return fmt.Sprintf("P(%s)", g.args())
}
