package stdlib

import (
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib/internal/printf"
)

func (l *stringLibrary) format(L *lua.LState) int {
	layout := l.text(L, 1)
	top := L.GetTop()
	argument := 1
	out := l.scratch()
	for {
		i := strings.IndexByte(layout, '%')
		if i < 0 {
			out = l.add(out, layout)
			break
		}
		out = l.add(out, layout[:i])
		layout = layout[i+1:]
		if strings.HasPrefix(layout, "%") {
			out = append(out, '%')
			layout = layout[1:]
			continue
		}
		if argument++; argument > top {
			badArgument(L, argument, "no value")
		}
		var spec printf.Spec
		spec, layout = conversion(L, layout)
		letter := byte(0)
		if layout != "" {
			letter = layout[0]
			layout = layout[1:]
		}
		out = l.convert(L, out, spec, letter, argument, len(layout))
	}
	return l.done(L, out)
}

// conversion reads flags, width and precision; Lua allows two digits for each of the latter.
func conversion(L *lua.LState, layout string) (printf.Spec, string) {
	var s printf.Spec
	flags := len(layout) - len(strings.TrimLeft(layout, "-+ #0"))
	if flags > 5 {
		throw(L, "invalid format (repeated flags)")
	}
	for _, flag := range layout[:flags] {
		switch flag {
		case '-':
			s.Minus = true
		case '+':
			s.Plus = true
		case ' ':
			s.Space = true
		case '#':
			s.Alternate = true
		case '0':
			s.Zero = true
		}
	}
	s.Width, layout = twoDigits(layout[flags:])
	if strings.HasPrefix(layout, ".") {
		s.HasPrecision = true
		s.Precision, layout = twoDigits(layout[1:])
	}
	if layout != "" && isDigit(layout[0]) {
		throw(L, "invalid format (width or precision too long)")
	}
	return s, layout
}

func twoDigits(s string) (int, string) {
	n := 0
	for i := 0; i < 2 && s != "" && isDigit(s[0]); i++ {
		n = 10*n + int(s[0]-'0')
		s = s[1:]
	}
	return n, s
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// What the conversion of a number costs, in instructions, besides its width and precision.
const (
	numberCharge = 4
	floatCharge  = 16
)

// digitsCharge is what a number takes whose decimal point is far from its first digit.
func digitsCharge(v float64) int64 {
	_, exponent := math.Frexp(v)
	return int64(max(exponent, -exponent)) / 4
}

// convert adds an argument's text; about rest more bytes follow.
func (l *stringLibrary) convert(L *lua.LState, out []byte, s printf.Spec, letter byte, argument, rest int) []byte {
	switch letter {
	case 'c':
		s.HasPrecision = false
		c := byte(printf.Int64(l.number(L, argument)))
		return append(out, upToZero(string(s.Text(nil, string([]byte{c}))))...)
	case 'd', 'i':
		l.state.Charge(numberCharge + int64(s.Width+s.Precision)/4)
		return s.Signed(out, printf.Int64(l.number(L, argument)))
	case 'o', 'u', 'x', 'X':
		l.state.Charge(numberCharge + int64(s.Width+s.Precision)/4)
		return s.Unsigned(out, printf.Uint64(l.number(L, argument)), letter)
	case 'e', 'E', 'f', 'g', 'G':
		v := l.number(L, argument)
		l.state.Charge(floatCharge + int64(s.Width+s.Precision)/4 + digitsCharge(v))
		return s.Float(out, v, letter)
	case 'q':
		text := l.text(L, argument)
		return l.quote(out, text, rest+16)
	case 's':
		text := l.display(L, argument)
		if !s.HasPrecision && len(text) >= 100 {
			return l.addMore(out, text, rest+16)
		}
		return s.Text(out, upToZero(text))
	}
	throw(L, "invalid option '%%%s' to 'format'", upToZero(string([]byte{letter})))
	return nil
}

// upToZero cuts a text at its first zero byte, as the C function that Lua 5.1 formats with does.
func upToZero(text string) string {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return text[:i]
	}
	return text
}

// display is the text of an argument of `%s`: of a string or number, or what __tostring makes of a value.
func (l *stringLibrary) display(L *lua.LState, argument int) string {
	value := L.Get(argument)
	if L.GetMetaField(value, "__tostring") == lua.LNil {
		return l.text(L, argument)
	}
	return l.state.ToString(L, value)
}

// quoted are the bytes that do not stand for themselves in a literal.
var quoted = [256]bool{'"': true, '\\': true, '\n': true, '\r': true, 0: true}

// quote writes a text that the Lua reader reads back as it was.
func (l *stringLibrary) quote(out []byte, text string, more int) []byte {
	size := len(text) + len(`""`)
	for i := range len(text) {
		switch c := text[i]; {
		case c == 0:
			size += len(`\000`) - 1
		case quoted[c]:
			size++
		}
	}
	l.state.ChargeString(len(out) + size)
	out = l.addMore(out, `"`, size+more)
	copied := 0
	for i := range len(text) {
		c := text[i]
		if !quoted[c] {
			continue
		}
		out = l.add(out, text[copied:i])
		copied = i + 1
		switch c {
		case '\r':
			out = append(out, `\r`...)
		case 0:
			out = append(out, `\000`...)
		default:
			out = append(out, '\\', c)
		}
	}
	out = l.add(out, text[copied:])
	return append(out, '"')
}
