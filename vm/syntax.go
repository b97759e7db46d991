package vm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/flowlua/flowlua/vm/internal/syntax"
)

// SyntaxError says why a source text does not compile.
type SyntaxError struct {
	Chunk      string
	Line       int
	Column     int    // 0: unknown
	Near       string // the token as it is written, "<eof>" at the end
	Message    string
	Incomplete bool // more lines may complete it
}

func (e *SyntaxError) Error() string {
	near := ""
	if e.Near != "" {
		near = " near '" + e.Near + "'"
	}
	return fmt.Sprintf("%s:%d: %s%s", e.Chunk, e.Line, e.Message, near)
}

// newSyntaxError says where the parser's error is.
func newSyntaxError(name string, err error) *SyntaxError {
	out := &SyntaxError{Chunk: name, Line: 1, Message: err.Error()}
	var e *syntax.Error
	if !errors.As(err, &e) {
		return out
	}
	*out = SyntaxError{Chunk: name, Line: e.Line, Column: e.Column, Near: e.Near, Message: e.Message, Incomplete: e.Incomplete}
	if len(out.Near) > 40 {
		out.Near = out.Near[:37] + "..."
	}
	if i := strings.IndexAny(out.Near, "\r\n"); i >= 0 {
		out.Near = out.Near[:i] + "..."
	}
	return out
}

// isNumber says whether the text of a literal is a number.
func isNumber(text string) bool {
	_, ok := ParseNumber(text)
	return ok
}
