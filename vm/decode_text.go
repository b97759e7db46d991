package vm

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// peek is the byte at pos, 0 at the end (no JSON text has a 0 outside its strings).
func (d *decoder) peek() byte {
	if d.pos < len(d.text) {
		return d.text[d.pos]
	}
	return 0
}

func (d *decoder) space() {
	for d.pos < len(d.text) {
		switch d.text[d.pos] {
		case ' ', '\n', '\t', '\r':
			d.pos++
		default:
			return
		}
	}
}

func (d *decoder) enter() error {
	if d.depth == MaxDepth {
		return d.bad(d.pos, "more than "+strconv.Itoa(MaxDepth)+" arrays and objects are nested here")
	}
	d.depth++
	d.pos++
	return nil
}

func (d *decoder) leave() {
	d.depth--
	d.pos++
}

func (d *decoder) finish() error {
	if d.space(); d.pos < len(d.text) {
		return d.unexpected("the end of the text")
	}
	return nil
}

func (d *decoder) word(w string) error {
	if !strings.HasPrefix(d.text[d.pos:], w) {
		return d.unexpected(w)
	}
	d.pos += len(w)
	return nil
}

func (d *decoder) number() (lua.LValue, error) {
	start := d.pos
	if d.peek() == '-' {
		d.pos++
	}
	switch first := d.pos; d.digits() {
	case 0:
		return nil, d.unexpected("a digit")
	case 1:
	default:
		if d.text[first] == '0' {
			return nil, d.bad(first, "a number cannot begin with 0")
		}
	}
	whole := true
	if d.peek() == '.' {
		whole = false
		d.pos++
		if d.digits() == 0 {
			return nil, d.unexpected("a digit")
		}
	}
	if c := d.peek(); c == 'e' || c == 'E' {
		whole = false
		d.pos++
		if c := d.peek(); c == '+' || c == '-' {
			d.pos++
		}
		if d.digits() == 0 {
			return nil, d.unexpected("a digit")
		}
	}
	text := d.text[start:d.pos]
	if whole && len(text) <= 15 && text[0] != '-' {
		n := 0
		for i := range len(text) {
			n = n*10 + int(text[i]-'0')
		}
		return lua.LNumber(n), nil
	}
	d.owner.charge(int64(len(text)) / 2)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, d.bad(start, "the number "+quoted(text)+" is out of range")
	}
	return lua.LNumber(f), nil
}

// digits skips decimal digits and says how many there were.
func (d *decoder) digits() int {
	start := d.pos
	for c := d.peek(); '0' <= c && c <= '9'; c = d.peek() {
		d.pos++
	}
	return d.pos - start
}

// str reads the string at pos.
func (d *decoder) str() (string, error) {
	start := d.pos
	d.pos++
	ascii := true
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; {
		case c == '"':
			s := d.text[start+1 : d.pos]
			d.pos++
			if !ascii && !utf8.ValidString(s) {
				return "", d.notText(start+1, s)
			}
			if len(d.text) > sharedText {
				s = strings.Clone(s)
			}
			return s, nil
		case c == '\\':
			return d.escaped(start)
		case c < ' ':
			return "", d.bad(d.pos, "the character "+strconv.QuoteRune(rune(c))+" must be escaped in a string")
		case c >= utf8.RuneSelf:
			ascii = false
		}
		d.pos++
	}
	return "", d.bad(start, "the string that begins here has no end")
}

// escaped reads the string that begins at start and has its first escape at pos.
func (d *decoder) escaped(start int) (string, error) {
	buf := append(d.buf[:0], d.text[start+1:d.pos]...)
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; {
		case c == '"':
			raw := d.text[start+1 : d.pos]
			d.pos++
			d.buf = buf
			if !utf8.ValidString(raw) {
				return "", d.notText(start+1, raw)
			}
			return string(buf), nil
		case c == '\\':
			r, ok := d.escape()
			if !ok {
				return "", d.bad(d.pos, `expected one of \" \\ \/ \b \f \n \r \t \uXXXX`)
			}
			buf = utf8.AppendRune(buf, r)
		case c < ' ':
			return "", d.bad(d.pos, "the character "+strconv.QuoteRune(rune(c))+" must be escaped in a string")
		default:
			buf = append(buf, c)
			d.pos++
		}
	}
	return "", d.bad(start, "the string that begins here has no end")
}

// escape reads one escape sequence; pos stays where it is if it is none. Half a surrogate pair is U+FFFD.
func (d *decoder) escape() (rune, bool) {
	if d.pos+1 >= len(d.text) {
		return 0, false
	}
	c := d.text[d.pos+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		d.pos += 2
		return rune("\"\\/\b\f\n\r\t"[i]), true
	}
	r, ok := hexRune(d.text[d.pos:])
	if !ok {
		return 0, false
	}
	d.pos += 6
	if utf16.IsSurrogate(r) {
		low, ok := hexRune(d.text[d.pos:])
		if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
			d.pos += 6
		}
	}
	return r, true
}

// hexRune is the X of a \uXXXX at the start of s.
func hexRune(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return utf8.RuneError, false
	}
	var r rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return utf8.RuneError, false
		}
	}
	return r, true
}
