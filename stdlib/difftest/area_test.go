package difftest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// areas are generators of programs that go deeper into one part of Lua than those of generateProgram.
var areas = map[string]func(g *generator) string{
	"assignment": (*generator).assignment,
	"closures":   (*generator).closures,
	"coroutines": (*generator).coroutines,
	"dates":      (*generator).dates,
	"errors":     (*generator).errors,
	"format":     (*generator).format,
	"lists":      (*generator).lists,
	"metatables": (*generator).metatables,
	"numbers":    (*generator).numbers,
	"patterns":   (*generator).patterns,
	"steps":      (*generator).steps,
}

// TestAreas is TestDifferential for each of them; `-run Areas/format` is for one.
func TestAreas(t *testing.T) {
	for name, statement := range areas {
		t.Run(name, func(t *testing.T) {
			compare(t, 200, func(seed uint64) string {
				g := &generator{Rand: rand.New(rand.NewPCG(seed, 2)), scopes: [][]string{{"a", "b"}}, vararg: []bool{false}}
				var b strings.Builder
				for range 1 + g.IntN(6) {
					b.WriteString(statement(g) + "\n")
				}
				return b.String()
			})
		})
	}
}

// try prints what an expression gives or raises.
func try(expr string) string { return "P(pcall(function() return " + expr + " end))" }

func (g *generator) some(least, most int, separator string, one func() string) string {
	parts := make([]string, least+g.IntN(most-least+1))
	for i := range parts {
		parts[i] = one()
	}
	return strings.Join(parts, separator)
}

func (g *generator) numeral() string {
	switch g.IntN(8) {
	case 0:
		return fmt.Sprint(g.IntN(40) - 20)
	case 1:
		return fmt.Sprintf("%.3g", g.NormFloat64()*1000)
	case 2:
		return fmt.Sprintf("%.17g", g.NormFloat64())
	case 3:
		return fmt.Sprintf("%de%d", g.IntN(1000), g.IntN(40)-20)
	case 4:
		return fmt.Sprintf("2^%d", g.IntN(52))
	case 5:
		return fmt.Sprintf("-2^%d", g.IntN(52))
	case 6:
		return fmt.Sprintf("%d.5", g.IntN(1000))
	}
	return g.pick("0.1", "1/3", "1e15", "123456789012", "0.5", "1", "255", "65", "1e14", "99999999999999", "1e-5")
}

func (g *generator) format() string {
	spec := "%" + g.some(0, 2, "", func() string { return g.pick("-", "+", " ", "#", "0") }) + g.pick("", "", "1", "5", "12", "20", "99")
	if g.IntN(2) == 0 {
		spec += "." + g.pick("", "0", "1", "3", "10", "20")
	}
	kind := g.pick("d", "i", "u", "x", "X", "o", "e", "E", "f", "g", "G", "s", "q", "c")
	value := g.numeral()
	switch kind {
	case "s":
		value = g.pick(value, `"text"`, `""`, `("long"):rep(40)`, `"a\0b"`, "nil", "true")
	case "q":
		spec, value = "%", g.pick(`"a\nb"`, `"\0\r\\\""`, `"x"`, value)
	case "c":
		value = g.pick("65", "0", "10", "200", "65.9")
	case "u", "x", "X", "o":
		value = fmt.Sprintf("(%s) %% 2^53", value)
		if g.IntN(2) == 0 {
			value = fmt.Sprint(g.IntN(1 << 30))
		}
	case "d", "i":
		value = g.pick("math.min("+value+", 2^62)", fmt.Sprint(g.IntN(1<<40)), `"12"`, `"0x1F"`, `"x"`)
	}
	return try(fmt.Sprintf(`string.format("%s%s%s%s", %s)`, g.pick("", "[", "%% "), spec, kind, g.pick("", "]"), value))
}

func (g *generator) patterns() string {
	var piece func(depth int) string
	piece = func(depth int) string {
		switch g.IntN(14) {
		case 0:
			return "."
		case 1, 2:
			return "%" + g.pick("a", "d", "w", "s", "p", "l", "u", "x", "c", "z", "A", "D", "W", ".", "%", "-")
		case 3, 4:
			return "[" + g.pick("", "^") + g.some(1, 3, "", func() string { return g.pick("a", "b", "a-c", "%d", "%w", "1-3", ".", "]", "-", "%]", "^") }) + "]"
		case 5:
			return "%b" + g.pick("()", "ab", "aa", "[]")
		case 6:
			return "%f[" + g.pick("%w", "%W", "a", "^a", "%z") + "]"
		case 7:
			return "()"
		case 8, 9:
			if depth > 0 {
				return "(" + g.some(1, 3, "", func() string { return piece(depth - 1) }) + ")"
			}
		case 10:
			return "%" + g.pick("1", "1", "2", "0")
		case 11:
			return g.pick("%", "(", ")", "[a", "%b", "%f", "^", "$", "]")
		}
		return g.pick("a", "b", "c", "1", " ")
	}
	pattern := g.pick("", "", "^") + g.some(1, 5, "", func() string { return piece(2) + g.pick("", "", "", "*", "+", "-", "?") }) + g.pick("", "", "", "$")
	subject := g.some(0, 14, "", func() string { return g.pick("a", "b", "c", "1", "2", " ", "(", ")", "[", "]", ".", "A", "-", `\0`) })
	s, p := fmt.Sprintf(`"%s"`, subject), fmt.Sprintf(`"%s"`, pattern)
	switch g.IntN(5) {
	case 0:
		return try(fmt.Sprintf("string.find(%s, %s, %s)", s, p, g.pick("1", "2", "-3", "20", "nil")))
	case 1:
		return try(fmt.Sprintf("string.match(%s, %s, %s)", s, p, g.pick("1", "3", "-1")))
	case 2:
		return try(fmt.Sprintf("string.gsub(%s, %s, %s%s)", s, p, g.pick(`"<%0>"`, `"%1"`, `"%2%1"`, `""`, `"%%"`, `"%a"`, `{a = "x", b = false, [1] = "one"}`, "function(...) return (select('#', ...)) end", "function(x) return x end", "function() end"), g.pick("", "", ", 1", ", 0", ", 2")))
	case 3:
		return fmt.Sprintf("P(pcall(function() local n = 0 for x, y in string.gmatch(%s, %s) do n = n + 1 P(x, y) if n > 20 then break end end end))", s, p)
	}
	return try(fmt.Sprintf("(string.gsub(%s, %s, function(...) P(...) end))", s, p))
}

func (g *generator) numbers() string {
	digits := func(set string, most int) string {
		return g.some(0, most, "", func() string { i := g.IntN(len(set)); return set[i : i+1] })
	}
	text := g.pick("", "", " ", "  ", "-", "+", "\\t") + g.pick("", "", "0x", "0X", "-0x") + digits("0123456789", 20) + g.pick("", "", ".") + digits("0123456789", 12) +
		g.pick("", "", "", "e", "E", "e-", "e+", "p", "f", "a", "x", " ", "\\n", "\\0", "_") + digits("0123456789", 3) + g.pick("", "", " ", " x")
	if g.IntN(3) == 0 {
		text = g.pick("", "-", " ") + digits("0123456789abcdefzZAF", 12) + g.pick("", " ")
	}
	switch g.IntN(6) {
	case 0:
		return try(fmt.Sprintf(`tonumber("%s", %d)`, strings.ReplaceAll(text, "-", ""), 2+g.IntN(35)))
	case 1:
		return try(fmt.Sprintf(`"%s" + 0`, text))
	case 2:
		return try(fmt.Sprintf("tostring(%s), (%s) .. ''", g.numeral(), g.numeral()))
	case 3:
		return try(fmt.Sprintf("Q(%s %s %s)", g.numeral(), g.pick("+", "-", "*", "/", "%", "^"), g.numeral()))
	case 4:
		return fmt.Sprintf("do local x, y = %s, %s P(Q(x %s y), x < y, x == y, Q(x %s y)) end", g.numeral(), g.numeral(), g.pick("%", "^", "/"), g.pick("%", "*", "-"))
	}
	return try(fmt.Sprintf(`tonumber("%s")`, text))
}

func (g *generator) closures() string {
	head := g.pick("for i = 1, 4 do", "for i = 4, 1, -1 do", "for _, i in ipairs({3, 1, 2}) do", "local i = 0 while i < 4 do i = i + 1", "local i = 0 repeat i = i + 1")
	tail := " end"
	if strings.HasSuffix(head, "repeat i = i + 1") {
		tail = " until i >= " + g.pick("3", "j - 1", "4")
	}
	change := func() string {
		return g.pick("j = j + 1", "i = i + 1", "n = n + i", "j, n = n, j", "k = j", "j = nil j = 7", "do local j = j n = n + j end", "n = n .. ''", "local j = j + 1 fs[#fs + 1] = function() j = j + 10 return j end")
	}
	return fmt.Sprintf(`do local fs, n, k = {}, 0, 0 %s S() local j = i * 10
fs[#fs + 1] = function(...) %s return i, j, n, k, ... end
%s
fs[#fs + 1] = function() local inner = function() %s return j end return inner(), inner(), n end
%s%s
for x = 1, #fs do P(pcall(fs[x], x)) end P(n, k) for x = #fs, 1, -1 do P(pcall(fs[x])) end end`,
		head, g.some(0, 2, " ", change), g.some(0, 2, " ", change), g.some(0, 2, " ", change), g.pick("", "", "if i == 2 then "+g.pick("break", "n = n + 5 break")+" end"), tail)
}

func (g *generator) assignment() string {
	target := func() string {
		return g.pick("x", "y", "z", "x", "t.a", "t[1]", "t[x]", "t[y]", "t[F(2)]", "F(t)[1]", "Y")
	}
	value := func() string {
		return g.pick("x", "y", "z", "x + 1", "t.a", "t[1]", "F(1)", "F(x, y)", "(F(x, y))", "M(y)", "...", "(...)", "nil", "t[x]", "y and x", "x or z", "{x, F(1, 2)}", "function() return x end")
	}
	return fmt.Sprintf(`P(pcall(function(...) local F = function(...) P("F", ...) return ... end local x, y, z, t = 1, 2, 3, {1, 2, 3, a = 4}
%s
P(x, y, z) P(t.a, t[1], t[2], t[3], t[4]) return %s end, %s))`,
		g.some(1, 4, "\n", func() string {
			names := g.some(1, 4, ", ", target)
			if g.IntN(3) == 0 {
				names = "local " + g.some(1, 3, ", ", func() string { return g.pick("x", "y", "z") })
			}
			return names + " = " + g.some(1, 4, ", ", value)
		}), g.some(1, 3, ", ", value), g.pick("5", "5, 6", "nil", "{}"))
}
