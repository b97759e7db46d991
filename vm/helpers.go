package vm

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// helperFunctions are what rewritten code calls: .., pieces of constructors, …, t[#t] = nil, %, ^ and arg.
func helperFunctions() []lua.LValue {
	return []lua.LValue{
		NewBuiltin((*State).concat), NewBuiltin((*State).list), NewBuiltin((*State).more), NewBuiltin(stateless(shorten)),
		arithmeticHelper("mod"), arithmeticHelper("pow"), NewBuiltin((*State).pack),
	}
}

// ChargeString takes the cost of making a string of n bytes from the budget and panics with *LimitError if no string may
// be that long.
func (s *State) ChargeString(n int) {
	if n > s.limits.StringBytes {
		s.budget.exceeded("StringBytes", strconv.Itoa(s.limits.StringBytes)+" bytes")
	}
	s.budget.charge(int64(n / bytesPerCharge))
}

// chargeCopy is ChargeString for a string that is only copied together.
func (s *State) chargeCopy(n int) {
	if n > s.limits.StringBytes {
		s.ChargeString(n)
	}
	s.budget.charge(int64(n / copiedPerCharge))
}

// concat is a..b..c.
func (s *State) concat(l *lua.LState) int {
	n := l.GetTop()
	args := make([]lua.LValue, n)
	for i := range args {
		args[i] = l.Get(i + 1)
	}
	if text, _, ok := s.quickConcat(args); ok > 0 {
		l.Push(text)
	} else {
		s.budget.charge(int64(n))
		l.Push(s.concatMeta(l, n))
	}
	return 1
}

// quickConcat is concat of texts and numbers.
func (s *State) quickConcat(args []lua.LValue) (first, second lua.LValue, n int) {
	size := 0
	for _, arg := range args {
		switch v := arg.(type) {
		case lua.LString:
			size += len(v)
		case lua.LNumber:
			size += 24
		default:
			return nil, nil, 0
		}
	}
	s.budget.charge(int64(len(args)))
	s.chargeCopy(size)
	return joined(args, size), nil, 1
}

// joined is the text of strings and numbers that need at most size bytes.
func joined(args []lua.LValue, size int) lua.LString {
	if len(args) == 2 {
		a, ok1 := args[0].(lua.LString)
		b, ok2 := args[1].(lua.LString)
		if ok1 && ok2 {
			return a + b
		}
	}
	var small [128]byte
	if size > len(small) {
		var b strings.Builder // whose memory is not cleared first
		b.Grow(size)
		for _, arg := range args {
			switch v := arg.(type) {
			case lua.LString:
				b.WriteString(string(v))
			case lua.LNumber:
				b.Write(AppendNumber(small[:0], float64(v)))
			}
		}
		return lua.LString(b.String())
	}
	buf := small[:0]
	for _, arg := range args {
		switch v := arg.(type) {
		case lua.LString:
			buf = append(buf, v...)
		case lua.LNumber:
			buf = AppendNumber(buf, float64(v))
		}
	}
	return lua.LString(buf)
}

// concatMeta is concat where an operand is neither string nor number: from right to left, by pairs.
func (s *State) concatMeta(l *lua.LState, n int) lua.LValue {
	right := l.Get(n)
	for i := n - 1; i >= 1; i-- {
		left := l.Get(i)
		a, ok1 := plainText(left)
		b, ok2 := plainText(right)
		if ok1 && ok2 {
			s.ChargeString(len(a) + len(b))
			right = lua.LString(a + b)
			continue
		}
		op := l.GetMetaField(left, "__concat")
		if op == lua.LNil {
			op = l.GetMetaField(right, "__concat")
		}
		if op == lua.LNil {
			bad, at := left, i
			if ok1 {
				bad, at = right, i+1
			}
			name := ""
			if at < n || bad == l.Get(n) {
				name = argumentName(l, at)
			}
			Throwf(l, 1, "attempt to concatenate %sa %s value%s", prefix(name), bad.Type(), suffix(name))
		}
		if kind := notCallable(l, op); kind != "" {
			Throwf(l, 1, "attempt to call a %s value", kind)
		}
		l.Push(op)
		l.Push(left)
		l.Push(right)
		l.Call(2, 1)
		right = l.Get(-1)
		l.Pop(1)
	}
	return right
}

func plainText(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return FormatNumber(float64(v)), true
	}
	return "", false
}

// list stores a piece of a long table constructor, and gives the table: list(t, stored, a, b, …) or list(t, nil, key, value).
func (s *State) list(l *lua.LState) int {
	t := l.Get(1).(*lua.LTable)
	stored, ok := l.Get(2).(lua.LNumber)
	if !ok {
		l.RawSet(t, l.Get(3), l.Get(4))
		l.Push(t)
		return 1
	}
	for i, n := 3, l.GetTop(); i <= n; i++ {
		t.RawSetInt(int(stored)+i-2, l.Get(i))
	}
	l.Push(t)
	return 1
}

// maxValues is how many values a function may take or give, as unpack in Lua.
const maxValues = 8000

// more gives back its arguments.
func (s *State) more(l *lua.LState) int {
	n := l.GetTop()
	s.Charge(int64(n))
	if n > maxValues {
		Throwf(l, 1, "stack overflow (more than %d values)", maxValues)
	}
	return n
}

// gopher-lua's own arg is seen by main chunks too, where Lua has none; the parser makes it instead. The variable is one of
// gopher-lua for the whole process.
var _ = setCompatVarArg()

func setCompatVarArg() bool {
	lua.CompatVarArg = false
	return true
}

// pack is the table arg of a function with "...".
func (s *State) pack(l *lua.LState) int {
	n := l.GetTop()
	s.Charge(int64(n) + newTableCost + firstKeyCost)
	t := l.CreateTable(n, 1)
	for i := 1; i <= n; i++ {
		t.RawSetInt(i, l.Get(i))
	}
	t.RawSetString("n", lua.LNumber(n))
	l.Push(t)
	return 1
}
