package vm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/parse"
)

// SyntaxError says why a source text does not compile.
type SyntaxError struct {
	Chunk      string
	Line       int
	Column     int    // 0: unknown
	Near       string // the token, "<eof>" at the end
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

// newSyntaxError says a parser's error in Lua's words.
func newSyntaxError(name, source string, err error) *SyntaxError {
	out := &SyntaxError{Chunk: name, Line: 1, Message: err.Error()}
	var e *parse.Error
	if !errors.As(err, &e) {
		return out
	}
	out.Line, out.Column, out.Near = e.Pos.Line, e.Pos.Column, e.Token
	out.Message = strings.TrimSpace(e.Message)
	message, known := scannerMessages[out.Message]
	if known {
		out.Message = message.text
	}
	if e.Message == "unterminated string" && out.Line > 1 {
		out.Line-- // the scanner is behind the line's end already
	}
	known = known && out.Message != "syntax error"
	if out.Line == parse.EOF {
		out.Line, out.Column = strings.Count(strings.TrimRight(source, "\n"), "\n")+1, 0
		if !known {
			out.Near = "<eof>"
		}
		out.Incomplete = message.incomplete || !known && unfinished(source)
	}
	if len(out.Near) > 40 {
		out.Near = out.Near[:37] + "..."
	}
	if i := strings.IndexAny(out.Near, "\r\n"); i >= 0 {
		out.Near = out.Near[:i] + "..."
	}
	return out
}

var scannerMessages = map[string]struct {
	text       string
	incomplete bool
}{
	"unterminated string":           {"unfinished string", false},
	"unterminated multiline string": {"unfinished long string", true},
	"invalid multiline string":      {"invalid long string delimiter", false},
	"invalid multiline comment":     {"unfinished long comment", true},
	"parse error":                   {"syntax error", false},
	"illegal hexadecimal number":    {"malformed number", false},
	"Invalid token":                 {"unexpected symbol", false},
	"Invalid '~' token":             {"unexpected symbol", false},
}

// unfinished says whether a text that ends too early waits for more: a block or a bracket is open, or the last token asks
// for another. A statement that merely makes no sense, as in "a = 1 b", does not.
func unfinished(source string) bool {
	scanner := parse.NewScanner(strings.NewReader(source), "")
	depth, loops, last := 0, 0, 0
	for {
		token, err := scanner.Scan(&parse.Lexer{})
		if err != nil || token.Type == parse.EOF {
			return err == nil && (depth > 0 || !completes[last])
		}
		last = token.Type
		switch last {
		case parse.TWhile, parse.TFor:
			loops++
			depth++
		case parse.TDo:
			if loops > 0 {
				loops--
			} else {
				depth++
			}
		case parse.TFunction, parse.TIf, parse.TRepeat, '(', '[', '{':
			depth++
		case parse.TEnd, parse.TUntil, ')', ']', '}':
			depth--
		}
	}
}

// completes are the tokens that may be the last of a statement.
var completes = map[int]bool{
	parse.TIdent: true, parse.TString: true, parse.TNumber: true, parse.TEnd: true, parse.TNil: true, parse.TTrue: true,
	parse.TFalse: true, parse.T3Comma: true, parse.TBreak: true, parse.TReturn: true, ')': true, ']': true, '}': true, ';': true,
}
