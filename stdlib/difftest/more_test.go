package difftest

import (
	"fmt"
	"strings"
)

// space is one between parts of an expression; some are the end of a line.
func (g *generator) space() string {
	if g.IntN(10) == 0 {
		return "\n"
	}
	return " "
}

// risky is an operation on whatever values there are: most are errors, which name a variable.
func (g *generator) risky(depth int) string {
	e := func() string { return g.expr(depth - 1) }
	v := g.pick(g.name(), g.name(), "X", "Y", "O", "MT", "undefined", "X.k", "X.none", "O.v", "X[1]")
	switch g.IntN(12) {
	case 0, 1:
		return fmt.Sprintf("Q(%s%s%s %s)", v, g.space(), g.pick("+", "-", "*", "/", "%", "^"), e())
	case 2:
		return fmt.Sprintf("Q(%s %s%s%s)", e(), g.pick("+", "-", "*", "/", "%", "^"), g.space(), v)
	case 3:
		return fmt.Sprintf("(%s %s %s)", v, g.pick("<", "<=", ">", ">="), e())
	case 4:
		return fmt.Sprintf("W(%s .. %s%s.. %s)", e(), v, g.space(), e())
	case 5:
		return fmt.Sprintf("%s.%s", v, g.pick("k", "z.q", "k.z", "none.x"))
	case 6:
		return fmt.Sprintf("(%s)[%s]", v, e())
	case 7:
		return fmt.Sprintf("%s(%s)", v, g.args())
	case 8:
		return fmt.Sprintf("%s:%s(%s)", v, g.pick("m", "none", "upper", "lower"), g.args())
	case 9:
		return fmt.Sprintf("Q(-%s)", v)
	case 10:
		return fmt.Sprintf("(type(%s) == 'table' or #%s)", v, v)
	}
	return fmt.Sprintf("%s.%s(%s)", v, g.pick("k", "none", "m"), e())
}

var (
	texts    = strings.Fields(`"abc" "a.b,c" "12.50" "" "0x1F" "%d+" "hello_world" "a\nb" "x=1;y=2"`)
	patterns = strings.Fields(`"%a+" "." "%d*" "(%w)(%w*)" "^a" "b$" "%." "[^,]+" "%b()" "()" "%f[%w]%w+" "(.-)=" "x?" "%s" "[a-c]" "a-b"`)
	numerals = strings.Fields(`Z 1 -1 2 3.7 -2.5 1e10 0.1 255 1e15 1e16 123456.789 2^53 Z 7/3`)
)

func of[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// library is a call of a library function.
func (g *generator) libraryCall(depth int) string {
	text := func() string { return g.pick(of(g, texts), of(g, texts), "show("+g.expr(depth-1)+")", g.name()) }
	number := func() string { return g.pick(of(g, numerals), of(g, numerals), "N("+g.expr(depth-1)+")", g.name()) }
	if !g.wild {
		text = func() string { return g.pick(of(g, texts), of(g, texts), "show("+g.expr(depth-1)+")") }
		number = func() string { return g.pick(of(g, numerals), of(g, numerals), "N("+g.expr(depth-1)+")") }
	}
	index := func() string { return g.pick("1", "2", "-1", "-2", "0", "10", "nil") }
	switch g.IntN(16) {
	case 0:
		return fmt.Sprintf("string.format(%s, %s)", g.pick(`"%d"`, `"%5.2f"`, `"%g"`, `"%x"`, `"%-6d|"`, `"%+.3e"`, `"%05d"`, `"%i"`), "N("+number()+")")
	case 1:
		return fmt.Sprintf("W(string.format(%s, %s, %s))", g.pick(`"%s-%s"`, `"%q %s"`, `"%.2s|%5s"`, `"%s%%%s"`), "show("+text()+")", "show("+text()+")")
	case 2:
		return fmt.Sprintf("W((string.gsub(%s, %s, %s)))", text(), of(g, patterns), g.pick(`"<%0>"`, `"%1"`, `""`, `{a = "A", b = true}`, "string.upper", `function(x) S() return x and "!" end`, `"%%"`))
	case 3:
		return fmt.Sprintf("string.find(%s, %s, %s)", text(), of(g, patterns), g.pick("1", "2", "-1", "nil"))
	case 4:
		return fmt.Sprintf("string.match(%s, %s)", text(), of(g, patterns))
	case 5:
		return fmt.Sprintf("string.sub(%s, %s, %s)", text(), g.pick("1", "2", "-2", "0", "10"), index())
	case 6:
		return fmt.Sprintf("string.%s(%s)", g.pick("upper", "lower", "reverse", "len", "byte"), text())
	case 7:
		return fmt.Sprintf("W(string.rep(%s, %s))", text(), g.pick("0", "1", "3", "-1"))
	case 8:
		return fmt.Sprintf("Q(math.%s(%s))", g.pick("floor", "ceil", "abs", "sqrt", "sin", "exp", "log"), number())
	case 9:
		return fmt.Sprintf("Q(math.%s(%s, %s))", g.pick("max", "min", "fmod", "pow", "ldexp"), number(), g.pick("1", "2", "0.5", "-3", "10"))
	case 10:
		return fmt.Sprintf("tonumber(%s%s)", g.pick(text(), number()), g.pick("", "", ", 10"))
	case 11:
		return fmt.Sprintf("Q(%s %s %s)", number(), g.pick("+", "-", "*", "/", "%", "^"), number())
	case 12:
		return fmt.Sprintf("W(table.concat({%s or 0, %s, %s or 0}, %s))", number(), text(), number(), g.pick(`","`, `""`, "1", "nil"))
	case 13:
		return fmt.Sprintf("unpack({%s or 0, %s, %s or 0}, %s, %s)", number(), text(), number(), g.pick("1", "2", "0", "nil"), g.pick("2", "3", "nil"))
	case 14:
		return fmt.Sprintf("(function() local t = {%s, %s, %s} %s return table.concat(t, ' ') end)()", of(g, numerals), of(g, numerals), of(g, numerals),
			g.pick("table.sort(t)", "table.sort(t, function(a, b) return a > b end)", "table.insert(t, 2, 5)", "table.remove(t, 1)", "table.insert(t, 9)", "t[#t] = nil", "table.remove(t)"))
	}
	return fmt.Sprintf("select(%s, %s)", g.pick("1", "2", "-1", `"#"`), g.args())
}

// skip is a block that is left by goto, if a condition holds. Lua 5.1, which has no goto, gets an if (see dialect).
func (g *generator) skip(depth int) string {
	g.labels++
	loops := g.loops
	g.loops = 0
	body := g.block(depth - 1)
	g.loops = loops
	return fmt.Sprintf("\x01%s\x02%d\x03 do %s end \x04%d\x05", g.expr(1), g.labels, body, g.labels)
}

// again is a block that goto repeats while a condition holds.
func (g *generator) again(depth int) string {
	g.labels++
	loops := g.loops
	g.loops = 0
	body := g.block(depth - 1)
	g.loops = loops
	return fmt.Sprintf("\x0e%d\x0f do %s end \x10S() and %s\x11%d\x12", g.labels, body, g.expr(1), g.labels)
}

// dialect writes the program for flowlua, with goto, or for Lua 5.1.
func dialect(program string, withGoto bool) string {
	with := strings.NewReplacer("\x01", "do if ", "\x02", " then goto skip", "\x03", " end", "\x04", "::skip", "\x05", ":: end",
		"\x0e", "do ::again", "\x0f", "::", "\x10", "if ", "\x11", " then goto again", "\x12", " end end")
	if withGoto {
		return with.Replace(program)
	}
	var b strings.Builder
	for i := 0; i < len(program); i++ {
		switch program[i] {
		case 1:
			b.WriteString("if not (")
		case 2, 4, 14, 17: // up to the end of the label's number
			until := program[i] + 1
			for program[i] != until {
				i++
			}
			b.WriteString(map[byte]string{3: ") then ", 5: " end", 15: "repeat ", 18: ")"}[until])
		case 16:
			b.WriteString("until not (")
		default:
			b.WriteByte(program[i])
		}
	}
	return b.String()
}

// object makes a value with metamethods and uses it.
func (g *generator) object(depth int) string {
	n := g.declare()
	var events []string
	for range 1 + g.IntN(3) {
		events = append(events, g.pick(
			"__index = function(t, k, ...) S() "+g.function()+" end", "__index = X", "__newindex = function(t, k, v, ...) S() rawset(t, k, "+g.expr(1)+") end",
			"__add = function(x, y, ...) S() "+g.function()+" end", "__sub = T", "__mod = T", "__pow = T", "__unm = function(x) return x.k end",
			"__concat = function(x, y, ...) return "+g.expr(1)+" end", "__lt = function(x, y, ...) return "+g.expr(1)+" end", "__le = function(x, y, ...) return "+g.expr(1)+" end",
			"__call = function(self, ...) S() "+g.function()+" end", "__tostring = function() return 'object' end", "__eq = function() return true end"))
	}
	out := fmt.Sprintf("local %s = setmetatable({k = %s}, {%s})", n, g.expr(1), strings.Join(events, ", "))
	g.bind(n)
	use := strings.ReplaceAll(g.pick("v.z", "v + 1", "2 - v", "v % v", "v ^ 2", "-v", "v .. 'x'", "1 .. v", "v < v", "v <= v", "v(1, 2)", "tostring(v)", "v == setmetatable({}, getmetatable(v))"), "v", n)
	return out + fmt.Sprintf(" P(pcall(function(...) %s.w = 1 return %s end))", n, use)
}

// catch runs something that may fail under pcall or xpcall.
func (g *generator) catch(depth int) string {
	raise := g.pick("error("+g.expr(1)+")", "error("+g.expr(1)+", 0)", "error('two', 2)", "error({code = 1})", "error()", "local x = nil + "+g.name(), "undefined()", "assert("+g.expr(1)+", 'no')", "assert(false)")
	body := fmt.Sprintf("function(...) S() %s do %s end %s end", g.statement(0), g.function(), raise)
	if g.IntN(3) == 0 {
		return fmt.Sprintf("P(xpcall(%s, function(e) S() return type(e), e end))", body)
	}
	return fmt.Sprintf("P(pcall(%s, %s))", body, g.list(2))
}

// resume drives a coroutine by hand.
func (g *generator) resume(depth int) string {
	g.names++
	co := fmt.Sprintf("co%d", g.names)
	return fmt.Sprintf("local %s = coroutine.create(function(...) local n = coroutine.yield(%s) S() do %s end P(n, coroutine.yield(n)) %s end) for i = 1, %d do P(coroutine.resume(%s, %s)) P(coroutine.status(%s)) end",
		co, g.list(2), g.function(), g.pick("", "error('end')", "return 1, 2", "undefined.x = 1"), 1+g.IntN(4), co, g.list(2), co)
}
