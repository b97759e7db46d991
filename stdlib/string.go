package stdlib

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib/internal/pattern"
	"github.com/flowlua/flowlua/vm"
)

// OpenString installs `string` and the methods of strings: Lua 5.1's library on bytes, bounded by the state's
// limits and charged to its budget. As in Lua both are one table, which a script may add to; it belongs to this
// state alone.
func OpenString(s *vm.State) {
	l := &stringLibrary{bounds: bounds{s}, patterns: map[patternKey]*pattern.Pattern{}}
	L := s.Main()
	t := L.CreateTable(0, 16)
	s.SetFuncs(t, map[string]lua.LGFunction{
		"byte":    l.byte,
		"char":    l.char,
		"dump":    l.dump,
		"find":    l.find,
		"format":  l.format,
		"gmatch":  l.gmatch,
		"gsub":    l.gsub,
		"len":     l.len,
		"lower":   l.lower,
		"match":   l.match,
		"rep":     l.rep,
		"reverse": l.reverse,
		"sub":     l.sub,
		"upper":   l.upper,
	})
	s.QuickenAll(t, l.quick())
	t.RawSetString("gfind", t.RawGetString("gmatch")) // its older name
	L.SetGlobal("string", t)
	s.SetStringMethods(t)
}

type stringLibrary struct {
	bounds
	patterns map[patternKey]*pattern.Pattern
	idle     []*pattern.Matcher
	words    *words
	spare    []byte // see scratch
}

// position turns an index from the end into one from the start; what lies before the start becomes 0.
func position(i int64, length int) int64 {
	if i < 0 {
		i += int64(length) + 1
	}
	return max(i, 0)
}

// span gives the bounds of s[i..j] as Go's half-open interval; from >= to is empty.
func span(i, j int64, length int) (from, to int) {
	i = max(position(i, length), 1)
	j = min(position(j, length), int64(length))
	if i > j {
		return 0, 0
	}
	return int(i - 1), int(j)
}

func (l *stringLibrary) len(L *lua.LState) int {
	L.Push(lua.LNumber(len(l.text(L, 1))))
	return 1
}

func (l *stringLibrary) sub(L *lua.LState) int {
	text := l.text(L, 1)
	i := l.integer(L, 2)
	from, to := span(i, l.optionalInteger(L, 3, -1), len(text))
	L.Push(l.piece(text, from, to))
	return 1
}

// mostValues is the most values a library function returns or takes apart at once (LUAI_MAXCSTACK).
const mostValues = 8000

func (l *stringLibrary) byte(L *lua.LState) int {
	text := l.text(L, 1)
	i := l.optionalInteger(L, 2, 1)
	from, to := span(i, l.optionalInteger(L, 3, position(i, len(text))), len(text))
	if to-from > mostValues-L.GetTop() {
		throw(L, "stack overflow (string slice too long)")
	}
	l.chargeBytes(12 * (to - from))
	for i := from; i < to; i++ {
		L.Push(codes[text[i]])
	}
	return to - from
}

func (l *stringLibrary) char(L *lua.LState) int {
	out := make([]byte, L.GetTop())
	for i := range out {
		c := l.integer(L, i+1)
		if c < 0 || c > 255 {
			badArgument(L, i+1, "invalid value")
		}
		out[i] = byte(c)
	}
	return l.result(L, out)
}

// dump gives the beginning of a precompiled chunk, by which some libraries learn of how many bytes Lua's numbers are. It
// cannot be loaded.
func (l *stringLibrary) dump(L *lua.LState) int {
	if l.function(L, 1).IsG {
		throw(L, "unable to dump given function")
	}
	L.Push(lua.LString("\x1bLua\x51\x00\x01\x04\x08\x04\x08\x00"))
	return 1
}

func (l *stringLibrary) rep(L *lua.LState) int {
	text := l.text(L, 1)
	n := max(l.integer(L, 2), 0)
	if text == "" {
		n = 0
	}
	if n > 0 && int64(len(text)) > math.MaxInt/n {
		n = math.MaxInt / int64(len(text))
	}
	l.state.ChargeString(len(text) * int(n))
	L.Push(lua.LString(strings.Repeat(text, int(n))))
	return 1
}
