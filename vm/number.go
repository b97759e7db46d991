package vm

import (
	"math"
	"strconv"
	"strings"
)

// FormatNumber is a number's text, as Lua 5.1 prints it (%.14g), but for zero, which has no sign.
func FormatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e14 {
		return strconv.FormatInt(int64(f), 10)
	}
	return string(AppendNumber(nil, f))
}

// AppendNumber appends FormatNumber's text.
func AppendNumber(b []byte, f float64) []byte {
	switch {
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

// ParseNumber reads a text as Lua 5.1's tonumber does: decimals with fraction and exponent, hexadecimal integers, spaces
// around.
func ParseNumber(text string) (float64, bool) {
	t := strings.Trim(text, space)
	if t == "" {
		return 0, false
	}
	body, negative := t, false
	if t[0] == '-' || t[0] == '+' {
		body, negative = t[1:], t[0] == '-'
	}
	if len(body) > 2 && body[0] == '0' && (body[1] == 'x' || body[1] == 'X') {
		f, ok := parseDigits(body[2:], 16)
		if negative {
			f = -f
		}
		return f, ok
	}
	for i := range len(body) { // refuses what only Go reads: inf, nan, 1_000, 0x1p4
		c := body[i]
		if (c < '0' || c > '9') && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil && !isRange(err) {
		return 0, false
	}
	return f, true
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// ParseInteger reads digits of a base from 2 to 36, as tonumber(text, base) does.
func ParseInteger(text string, base int) (float64, bool) {
	t := strings.Trim(text, space)
	negative := strings.HasPrefix(t, "-")
	if negative || strings.HasPrefix(t, "+") {
		t = t[1:]
	}
	if base == 16 && len(t) > 2 && (t[:2] == "0x" || t[:2] == "0X") {
		t = t[2:]
	}
	f, ok := parseDigits(t, base)
	if negative {
		f = -f
	}
	return f, ok
}

func parseDigits(t string, base int) (float64, bool) {
	if t == "" {
		return 0, false
	}
	f := 0.0
	for i := range len(t) {
		d := digit(t[i])
		if d >= base {
			return 0, false
		}
		f = f*float64(base) + float64(d)
	}
	return f, true
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
