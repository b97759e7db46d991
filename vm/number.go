package vm

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// FormatNumber is a number's text, as Lua 5.1 prints it (%.14g). What is not a number has no sign: that depends on the processor.
func FormatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e14 && (f != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	return string(AppendNumber(nil, f))
}

// AppendNumber appends FormatNumber's text.
func AppendNumber(b []byte, f float64) []byte {
	switch {
	case f == 0 && math.Signbit(f):
		return append(b, "-0"...)
	case f == math.Trunc(f) && math.Abs(f) < 1e14:
		return strconv.AppendInt(b, int64(f), 10)
	case math.IsInf(f, 1):
		return append(b, "inf"...)
	case math.IsInf(f, -1):
		return append(b, "-inf"...)
	case math.IsNaN(f):
		return append(b, "nan"...)
	}
	// %.14g of C: exponent form below 1e-4 and from 1e14 on, no trailing zeros, two digits of exponent.
	abs := math.Abs(f)
	if abs >= 1e-4 && abs < 1e13 {
		digits := 14
		for p := 1.0; abs >= p && digits > 0; p *= 10 {
			digits--
		}
		for p := 0.1; abs < p; p /= 10 {
			digits++
		}
		start := len(b)
		b = strconv.AppendFloat(b, f, 'f', digits, 64)
		if strings.IndexByte(string(b[start:]), '.') >= 0 {
			b = trimZeros(b)
		}
		return b
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'e', 13, 64)
	e := start + strings.IndexByte(string(b[start:]), 'e')
	exponent := string(b[e:])
	if n, _ := strconv.Atoi(exponent[1:]); n >= -4 && n < 14 { // rounding reached a power of ten
		return trimZeros(strconv.AppendFloat(b[:start], f, 'f', 13-n, 64))
	}
	return append(trimZeros(b[:e]), exponent...)
}

func trimZeros(b []byte) []byte {
	dot := false
	for _, c := range b {
		dot = dot || c == '.'
	}
	if !dot {
		return b
	}
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	return b
}

const space = " \t\n\v\f\r"

// ParseNumber reads a text as Lua 5.1's tonumber does, which is C's strtod: decimals with fraction and exponent, hexadecimal
// ones with fraction and binary exponent, inf, infinity and nan; spaces around. As in C, a zero byte ends the text.
func ParseNumber(text string) (float64, bool) {
	if i := strings.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	t := strings.Trim(text, space)
	body := strings.TrimPrefix(t, "-")
	if len(body) == len(t) {
		body = strings.TrimPrefix(t, "+")
	}
	f, ok := parseUnsigned(body)
	if strings.HasPrefix(t, "-") {
		f = -f
	}
	return f, ok
}

func parseUnsigned(t string) (float64, bool) {
	if t == "" {
		return 0, false
	}
	if len(t) > 2 && t[0] == '0' && (t[1] == 'x' || t[1] == 'X') {
		return parseHex(t[2:])
	}
	if c := t[0]; c == 'i' || c == 'I' || c == 'n' || c == 'N' {
		switch strings.ToLower(t) {
		case "inf", "infinity":
			return math.Inf(1), true
		case "nan":
			return math.NaN(), true
		}
		return 0, false
	}
	for i := range len(t) { // refuses what only Go reads: 1_000, 0b1
		c := t[i]
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-' || i == 0 && (c == '+' || c == '-') {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil && !isRange(err) {
		return 0, false
	}
	return f, true
}

// parseHex reads what follows 0x.
func parseHex(t string) (float64, bool) {
	exponent := false
	for i := range len(t) {
		c := t[i]
		switch {
		case c == 'p' || c == 'P':
			exponent = true
		case c == '.', exponent && (c == '+' || c == '-'):
		case digit(c) >= 16:
			return 0, false
		}
	}
	if !exponent {
		t += "p0"
	}
	f, err := strconv.ParseFloat("0x"+t, 64)
	if err != nil && !isRange(err) {
		return 0, false
	}
	return f, true
}

// ToNumber is the number that a value is in arithmetic: a number, or a text that ParseNumber reads.
func ToNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return ParseNumber(string(v))
	}
	return 0, false
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// ParseInteger reads digits of a base from 2 to 36, as tonumber(text, base) does, which is C's strtoul: what is larger than 64
// bits is the largest number that they hold.
func ParseInteger(text string, base int) (float64, bool) {
	if i := strings.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	t := strings.Trim(text, space)
	negative := strings.HasPrefix(t, "-")
	if negative || strings.HasPrefix(t, "+") {
		t = t[1:]
	}
	if base == 16 && len(t) > 2 && (t[:2] == "0x" || t[:2] == "0X") {
		t = t[2:]
	}
	if t == "" || t[0] == '+' || t[0] == '-' {
		return 0, false
	}
	for i := range len(t) {
		if digit(t[i]) >= base {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(t, base, 64)
	if err != nil && !isRange(err) {
		return 0, false
	}
	if negative {
		return -float64(n), true
	}
	return float64(n), true
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}
