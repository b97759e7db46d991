// Package syntax reads Lua source into the syntax tree of gopher-lua. Unlike gopher-lua's own parser it takes what Lua 5.1
// takes, in no more depth than it is told, says what is wrong in Lua's words, and gives each node the line that Lua gives
// to the instruction made of it: an operator that of the end of its right side, a call that of its parenthesis.
//
// Of later Luas it knows goto and labels. goto is a name wherever no name follows.
package syntax

// Error is why a source text is not Lua.
type Error struct {
	Line, Column int
	Near         string // the token, as it is written; "<eof>" at the end
	Message      string
	Incomplete   bool // more text may complete it
}

func (e *Error) Error() string {
	if e.Near == "" {
		return e.Message
	}
	return e.Message + " near '" + e.Near + "'"
}

// kind of a token: a keyword or sign is its text, the others are below.
type kind string

const (
	end    kind = "<eof>"
	name   kind = "<name>"
	text   kind = "<string>"
	number kind = "<number>"
)

type token struct {
	kind
	value        string // of a name, string or number
	line, column int
	from, to     int // where it is in the source
}

var keywords = map[string]kind{
	"and": "and", "break": "break", "do": "do", "else": "else", "elseif": "elseif", "end": "end", "false": "false", "for": "for",
	"function": "function", "if": "if", "in": "in", "local": "local", "nil": "nil", "not": "not", "or": "or", "repeat": "repeat",
	"return": "return", "then": "then", "true": "true", "until": "until", "while": "while",
}

// unary and binary operators; a binary one takes what binds stronger than its left number, and its right side until something
// binds weaker than the right one.
const unaryPriority = 8

var binary = map[kind]struct{ left, right int }{
	"+": {6, 6}, "-": {6, 6}, "*": {7, 7}, "/": {7, 7}, "%": {7, 7}, "^": {10, 9}, "..": {5, 4}, "~=": {3, 3}, "==": {3, 3},
	"<": {3, 3}, "<=": {3, 3}, ">": {3, 3}, ">=": {3, 3}, "and": {2, 2}, "or": {1, 1},
}
