package difftest

import (
	"fmt"
	"strings"
)

func (g *generator) coroutines() string {
	var body func(depth int) string
	body = func(depth int) string {
		return g.some(1, 4, " ", func() string {
			switch g.IntN(9) {
			case 0, 1, 2:
				return "P(coroutine.yield(" + g.pick("1", "n", "..., 2", "'y'", "") + ")) n = n + 1"
			case 3:
				return "if n > " + g.pick("1", "2", "3") + " then error(" + g.pick("'e'", "{}", "nil", "'e', 0", "n") + ") end"
			case 4:
				if depth > 0 {
					return fmt.Sprintf("do local c = coroutine.%s(function(...) %s end) for i = 1, %d do P(pcall(%s)) end end", "wrap", body(depth-1), 1+g.IntN(3), g.pick("c", "c, i"))
				}
			case 5:
				if depth > 0 {
					return fmt.Sprintf("do local c = coroutine.create(function(...) %s end) for i = 1, %d do P(coroutine.resume(c, i)) P(coroutine.status(c)) end end", body(depth-1), 1+g.IntN(3))
				}
			case 6:
				return "P(coroutine.status(co), coroutine.running() == co, coroutine.resume(co))"
			case 7:
				return "P(pcall(undefined)) P(select('#', ...), ...)"
			}
			return g.pick("do return n end", "P(n)", "n = n + 1", "S() local t = {...} P(#t)")
		})
	}
	return fmt.Sprintf(`do local n, co = 0 co = coroutine.create(function(...) %s end)
for i = 1, %d do P(coroutine.resume(co%s)) P(coroutine.status(co)) end end`, body(2), 1+g.IntN(6), g.pick("", ", i", ", i, 'x'"))
}

func (g *generator) dates() string {
	if g.IntN(2) == 0 {
		field := func(name string, spread, least int) string {
			if g.IntN(8) == 0 {
				return ""
			}
			n := least + g.IntN(spread)
			if g.IntN(6) == 0 {
				n = g.IntN(4000) - 2000
			}
			return fmt.Sprintf("%s = %s, ", name, g.pick(fmt.Sprint(n), fmt.Sprint(n), fmt.Sprintf("'%d'", n), "'x'", fmt.Sprintf("%d.7", n)))
		}
		return try("os.time({" + field("year", 130, 1905) + field("month", 12, 1) + field("day", 28, 1) + field("hour", 24, 0) + field("min", 60, 0) + field("sec", 60, 0) + g.pick("", "isdst = false") + "})")
	}
	at := fmt.Sprint(g.Int64N(4e9) - 1e9)
	layout := g.pick("!", "") + g.some(1, 4, g.pick(" ", "", "-"), func() string {
		return "%" + g.pick("a", "A", "b", "B", "c", "d", "H", "I", "j", "m", "M", "p", "S", "U", "w", "W", "x", "X", "y", "Y", "%", "Z")
	})
	if g.IntN(4) == 0 {
		return fmt.Sprintf("do local d = os.date('%s*t', %s) P(d.year, d.month, d.day, d.hour, d.min, d.sec, d.wday, d.yday, d.isdst) P(os.time(d)) end", g.pick("!", ""), at)
	}
	return try(fmt.Sprintf("os.date('%s', %s)", layout, at))
}

func (g *generator) errors() string {
	bad := func() string {
		v := g.pick("l", "up", "global", "t.f", "t.f.g", "t[1]", "t[l]", "l.x", "up.x", "t:m()", "(l)", "(t.f)", "('x')", "(nil)", "(1)", "({})", "(...)")
		switch g.IntN(12) {
		case 0:
			return v + ".x.y"
		case 1:
			return fmt.Sprintf("%s %s %s", v, g.pick("+", "-", "*", "/", "%", "^"), g.pick("1", "l", "'a'", "{}", v))
		case 2:
			return fmt.Sprintf("%s %s%s", g.pick("1", "up", "'a'", "t"), g.pick("+", "-", "..", "<", "<=", ">"), " "+v)
		case 3:
			return fmt.Sprintf("%s(%s)", g.pick("l", "up", "global", "t.f", "t[1]", "t.f.g", "string.nothing", "(1)"), g.pick("", "1", v))
		case 4:
			return g.pick("l", "up", "t", "t.f", "global") + ":" + g.pick("m", "n") + "(" + g.pick("", "1") + ")"
		case 5:
			return "#" + v
		case 6:
			return "-" + v
		case 7:
			return fmt.Sprintf("%s .. %s .. %s", g.pick("'a'", "1", v), v, g.pick("'b'", "2"))
		case 8:
			return fmt.Sprintf("string.%s(%s)", g.pick("rep", "sub", "byte", "upper", "find", "gsub", "format", "char"), g.pick("", v, "'x'", "'x', {}", "'%d', 'x'", "1, nil", "'x', '(', 1", "-1"))
		case 9:
			return fmt.Sprintf("%s(%s)", g.pick("setmetatable", "ipairs", "pairs", "tonumber", "tostring", "rawset", "select", "unpack", "table.concat", "table.insert", "table.remove", "math.floor", "math.max", "assert", "next", "coroutine.create", "coroutine.resume", "getmetatable", "loadstring"),
				g.pick("", v, "{}", "1, 2", "'x', 1", "{}, {}", "nil, nil", "{}, 'x'", "{1, {}, 3}", "{}, nil"))
		case 10:
			return fmt.Sprintf("error(%s)", g.pick("'m'", "'m', 0", "'m', 1", "'m', 2", "'m', 3", "{}", "", "nil, 2"))
		}
		return fmt.Sprintf("(function() %s end)()", g.pick("t.f.g = 1", "l.x = 1", "global.x = 1", "t[nil] = 1", "t[0/0] = 1", "up.y.z = 2", "for i = 1, 'x' do end", "for i = {}, 2 do end", "for i = 1, 2, {} do end", "for i in 5 do end", "local a = l < t", "return l.x.y"))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "do local up, t = %s, {%s, f = %s, m = function() end} P(pcall(function(...) local l = %s", g.pick("nil", "1", "{}", "'s'"), g.pick("nil", "1"), g.pick("nil", "2", "{}"), g.pick("nil", "{}", "true", "'7'", "3"))
	for range g.IntN(3) {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, " up = up %s %s", g.pick("", "\n"), g.pick("return ", "local r = ", "local r, q = 1, ", "t.r = ", "P(1, "))
	expr := bad()
	b.WriteString(expr)
	if strings.HasSuffix(strings.TrimSuffix(b.String(), expr), "P(1, ") {
		b.WriteString(")")
	}
	b.WriteString(" end, 8)) end")
	return b.String()
}

func (g *generator) lists() string {
	item := func() string { return g.pick("1", "2", "3", "5", "10", "7.5") }
	list := "{" + g.some(0, 7, ", ", item) + "}"
	text := "{" + g.some(0, 5, ", ", func() string { return g.pick("'a'", "'b'", "1", "2.5", "'ab'", "'A'") }) + "}"
	position := func() string { return g.pick("1", "2", "3", "0", "-1", "8", "2.9", "'2'") }
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("P(pcall(function() local t = %s table.insert(t%s, %s) P(unpack(t, 1, 9)) end))", list, g.pick("", ", 1", ", 2", ", #t", ", #t + 1"), g.pick("99", "'x'", "nil"))
	case 1:
		return fmt.Sprintf("P(pcall(function() local t = %s P(table.remove(t%s)) P(unpack(t, 1, 9)) end))", list, g.pick("", ", 1", ", 2", ", #t", ", #t + 1"))
	case 2:
		return try(fmt.Sprintf("table.concat(%s, %s)", text, g.some(1, 3, ", ", func() string { return g.pick("','", "''", "1", "2", "3", "-1", "nil") })))
	case 3:
		return fmt.Sprintf("P(pcall(function() local t = %s table.sort(t%s) P(unpack(t)) end))", g.pick(list, list, "{'b', 'a', 'C', ''}", "{3, 'x'}", "{{}, {}}"), g.pick("", ", function(a, b) return a > b end", ", function(a, b) return a < b end"))
	case 4:
		return try(fmt.Sprintf("unpack(%s, %s, %s)", list, position(), position()))
	case 5:
		return try(fmt.Sprintf("select(%s, %s)", g.pick("1", "2", "-1", "-2", "0", "'#'", "9", "-9", "1.9", "'2'"), g.some(1, 4, ", ", item)))
	case 6:
		return fmt.Sprintf("P(pcall(function() local t = %s P(table.maxn(t), #t) table.foreachi(t, function(i, v) P(i, v) if i == 3 then return 'done' end end) t[#t] = nil t[#t + 1] = 'new' P(unpack(t)) end))", list)
	case 7:
		return fmt.Sprintf("P(pcall(function() local t = {} for i = 1, %d do t[i] = i * 2 end for i = %d, 1, -1 do t[i] = nil end P(#t, next(t) == nil) for i = 1, 3 do table.insert(t, 1, i) end P(#t, unpack(t)) end))", 1+g.IntN(40), 40)
	}
	return fmt.Sprintf("P(pcall(function() local t, s = %s, 0 for i, v in ipairs(t) do s = s + v t[i] = %s end P(s) for k, v in pairs(t) do s = s + k end P(s, rawget(t, 1), rawequal(t, t)) end))", list, g.pick("nil", "v", "v + 1"))
}

func (g *generator) metatables() string {
	event := func() string {
		return g.pick(
			"__index = function(t, k) P('index', k) return "+g.pick("k", "nil", "rawget(t, 'v')", "1")+" end", "__index = base", "__index = setmetatable({z = 3}, {__index = base})", "__index = 'text'",
			"__newindex = function(t, k, v) P('new', k, v) "+g.pick("rawset(t, k, v)", "", "base[k] = v")+" end", "__newindex = base",
			"__call = function(self, ...) P('call', ...) return "+g.pick("...", "1, 2", "nil", "self.v")+" end",
			"__eq = function(a, b) P('eq') return "+g.pick("true", "nil", "1", "rawequal(a, b)")+" end", "__eq = eq",
			"__lt = function(a, b) P('lt') return "+g.pick("true", "false", "nil", "1")+" end", "__lt = lt",
			"__le = function(a, b) P('le') return "+g.pick("true", "nil", "0")+" end",
			"__concat = function(a, b) P('concat', type(a), type(b)) return "+g.pick("'c'", "1", "nil", "b", "'x' .. 'y'")+" end",
			"__add = function(a, b) P('add') return "+g.pick("1", "a", "b", "nil")+" end", "__sub = function(...) return select('#', ...) end", "__mod = function(a, b) return type(a), 2 end",
			"__unm = function(a, b) P(rawequal(a, b)) return "+g.pick("1", "a", "nil")+" end", "__tostring = function(x) return "+g.pick("'str'", "'a' .. 'b'")+" end", "__metatable = "+g.pick("'locked'", "false", "{}"))
	}
	use := func() string {
		return g.pick("x.v", "x.z", "x[1]", "x.new", "x(1, 2)", "x()", "x == y", "x ~= y", "x == 1", "x < y", "x <= y", "x > y", "x >= y", "x < 1", "1 <= x", "x .. 'a'", "'a' .. x", "x .. y", "1 .. 2 .. x", "x .. 1 .. 'b'",
			"x + 1", "1 + x", "x - y", "x % 3", "x ^ 2", "x * 2", "-x", "not x", "tostring(x) == 'str'", "getmetatable(x) == mt", "(x:m())", "rawget(x, 'v')", "rawequal(x, y)", "pcall(x, 3)", "pcall(setmetatable, x, {})", "select('#', x(nil, nil))", "#x == 0 or #x")
	}
	return fmt.Sprintf(`do local base = {b = 1, m = function(self) return self ~= nil end} local eq = function() P("eq!") return true end local lt = function() P("lt!") return false end
local mt = {%s} local x = setmetatable({v = 1}, mt) local y = setmetatable({v = 2}, %s)
%s end`, g.some(1, 4, ", ", event), g.pick("mt", "mt", "{"+event()+"}", "nil"),
		g.some(1, 6, "\n", func() string {
			if g.IntN(4) == 0 {
				return fmt.Sprintf("P(pcall(function() x.%s = %s end)) P(rawget(x, 'w'), base.w)", g.pick("v", "w", "w", "b"), g.pick("1", "nil", "'s'"))
			}
			return try(use())
		}))
}

func (g *generator) steps() string {
	bound := func() string {
		return g.pick("1", "0", "-1", "5", "2.5", "-3.5", "0.1", "1e15", "2^53", "3", "-2", "'4'", "1/0", "-1/0", "10", g.numeral())
	}
	step := g.pick("", ", 1", ", -1", ", 0.1", ", 0.25", ", -0.5", ", 3", ", 1e14", ", 0.3", ", '2'", ", 1/0", ", "+g.numeral())
	return fmt.Sprintf("P(pcall(function() local n = 0 for i = %s, %s%s do n = n + 1 P(i%s) if n >= %d then break end end P(n) end))", bound(), bound(), step,
		g.pick("", ", i * 2", ", i % 2", ", -i"), 3+g.IntN(10))
}
