package syntax

import (
	"fmt"
	"strings"
)

// lexer cuts the source into tokens.
type lexer struct {
	source string
	at     int // the next byte
	line   int
	start  int // where the line begins
}

func (x *lexer) byte(ahead int) byte {
	if x.at+ahead < len(x.source) {
		return x.source[x.at+ahead]
	}
	return 0
}

// newline steps over a line's end, of one byte or two.
func (x *lexer) newline() {
	c := x.source[x.at]
	x.at++
	if other := x.byte(0); x.at < len(x.source) && (other == '\n' || other == '\r') && other != c {
		x.at++
	}
	x.line++
	x.start = x.at
}

func (x *lexer) fail(from int, near, format string, args ...any) {
	panic(&Error{Line: x.line, Column: max(1, from-x.start+1), Near: near, Message: fmt.Sprintf(format, args...)})
}

// scan gives the next token.
func (x *lexer) scan() token {
	x.skip()
	t := token{line: x.line, column: x.at - x.start + 1, from: x.at}
	t.kind, t.value = x.read()
	t.to = x.at
	return t
}

// skip goes over spaces and comments.
func (x *lexer) skip() {
	for x.at < len(x.source) {
		switch c := x.source[x.at]; {
		case c == '\n' || c == '\r':
			x.newline()
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			x.at++
		case c == '-' && x.byte(1) == '-':
			x.at += 2
			if level := x.bracket(); level >= 0 {
				x.long(level, "comment")
				continue
			}
			for x.at < len(x.source) && x.source[x.at] != '\n' && x.source[x.at] != '\r' {
				x.at++
			}
		default:
			return
		}
	}
}

func (x *lexer) read() (kind, string) {
	if x.at >= len(x.source) {
		return end, ""
	}
	from := x.at
	c := x.source[x.at]
	switch {
	case isLetter(c):
		for x.at < len(x.source) && (isLetter(x.source[x.at]) || isDigit(x.source[x.at])) {
			x.at++
		}
		word := x.source[from:x.at]
		if k, ok := keywords[word]; ok {
			return k, ""
		}
		return name, word
	case isDigit(c) || c == '.' && isDigit(x.byte(1)):
		return number, x.number()
	case c == '"' || c == '\'':
		return text, x.quoted(c)
	case c == '[':
		if level := x.bracket(); level >= 0 {
			return text, x.long(level, "string")
		} else if x.byte(1) == '=' {
			x.at++
			for x.byte(0) == '=' {
				x.at++
			}
			x.fail(from, x.source[from:x.at], "invalid long string delimiter")
		}
	}
	for _, sign := range [...]kind{"...", "..", "==", "~=", "<=", ">=", "::"} {
		if strings.HasPrefix(x.source[x.at:], string(sign)) {
			x.at += len(sign)
			return sign, ""
		}
	}
	x.at++
	return kind(x.source[from:x.at]), ""
}

// number reads what looks like one; whether it is one, the caller of Parse decides.
func (x *lexer) number() string {
	from := x.at
	for isDigit(x.byte(0)) || x.byte(0) == '.' {
		x.at++
	}
	if c := x.byte(0); c == 'e' || c == 'E' {
		x.at++
		if c := x.byte(0); c == '+' || c == '-' {
			x.at++
		}
	}
	for isLetter(x.byte(0)) || isDigit(x.byte(0)) {
		x.at++
	}
	return x.source[from:x.at]
}

var escapes = map[byte]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

func (x *lexer) quoted(quote byte) string {
	from := x.at
	x.at++
	var b strings.Builder
	for {
		if x.at >= len(x.source) {
			x.fail(from, string(end), "unfinished string")
		}
		c := x.source[x.at]
		switch {
		case c == quote:
			x.at++
			return b.String()
		case c == '\n' || c == '\r':
			x.fail(from, x.source[from:x.at], "unfinished string")
		case c == '\\':
			x.at++
			x.escape(&b, from)
		default:
			b.WriteByte(c)
			x.at++
		}
	}
}

func (x *lexer) escape(b *strings.Builder, from int) {
	if x.at >= len(x.source) {
		return // the next round says so
	}
	c := x.source[x.at]
	switch {
	case c == '\n' || c == '\r':
		b.WriteByte('\n')
		x.newline()
	case isDigit(c):
		n, before := 0, x.at-1
		for i := 0; i < 3 && isDigit(x.byte(0)); i++ {
			n = 10*n + int(x.byte(0)-'0')
			x.at++
		}
		if n > 255 {
			x.fail(from, x.source[from:before], "escape sequence too large")
		}
		b.WriteByte(byte(n))
	default:
		if other, ok := escapes[c]; ok {
			c = other
		}
		b.WriteByte(c)
		x.at++
	}
}

// bracket gives the level of the long bracket that begins here: 0 for [[, 1 for [=[; -1: none does.
func (x *lexer) bracket() int {
	if x.byte(0) != '[' {
		return -1
	}
	level := 0
	for x.byte(1+level) == '=' {
		level++
	}
	if x.byte(1+level) != '[' {
		return -1
	}
	return level
}

// long reads from a long bracket to the one that closes it.
func (x *lexer) long(level int, what string) string {
	from := x.at
	x.at += level + 2
	if c := x.byte(0); c == '\n' || c == '\r' {
		x.newline()
	}
	closing := "]" + strings.Repeat("=", level) + "]"
	var b strings.Builder
	for {
		if x.at >= len(x.source) {
			panic(&Error{Line: x.line, Column: max(1, from-x.start+1), Near: string(end), Message: "unfinished long " + what, Incomplete: true})
		}
		switch c := x.source[x.at]; {
		case c == ']' && strings.HasPrefix(x.source[x.at:], closing):
			x.at += len(closing)
			return b.String()
		case c == '\n' || c == '\r':
			b.WriteByte('\n')
			x.newline()
		default:
			b.WriteByte(c)
			x.at++
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
