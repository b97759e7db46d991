package vm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSONError says where a text stops being JSON.
type JSONError struct {
	Offset       int // bytes before the place
	Line, Column int // both from 1; columns count characters
	Problem      string
}

func (e *JSONError) Error() string {
	return fmt.Sprintf("not JSON at line %d, column %d (byte %d): %s", e.Line, e.Column, e.Offset, e.Problem)
}

// bad is the error at a byte of the text.
func (d *decoder) bad(offset int, problem string) error {
	before := d.text[:offset]
	line := strings.Count(before, "\n")
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return &JSONError{Offset: offset, Line: line + 1, Column: column + 1, Problem: problem}
}

func (d *decoder) unexpected(wanted string) error {
	if d.pos >= len(d.text) {
		if len(d.text) == 0 {
			return d.bad(0, "expected "+wanted+", found an empty text")
		}
		return d.bad(d.pos, "expected "+wanted+", found the end of the text")
	}
	r, _ := utf8.DecodeRuneInString(d.text[d.pos:])
	return d.bad(d.pos, "expected "+wanted+", found "+strconv.QuoteRune(r))
}

func (d *decoder) notText(start int, s string) error {
	for i, r := range s {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
			return d.bad(start+i, fmt.Sprintf("the byte 0x%02x is not UTF-8 text", s[i]))
		}
	}
	return d.bad(start, "the string is not UTF-8 text")
}
