package lint

import (
	"strings"

	"github.com/yuin/gopher-lua/parse"
)

// places knows the columns of every name in a source text. The parser's tree has lines only; the scanner knows columns.
type places map[place]*[]int

type place struct {
	line int
	text string
}

func locate(source string) places {
	found := places{}
	scanner := parse.NewScanner(strings.NewReader(source), "")
	lexer := &parse.Lexer{}
	for {
		token, err := scanner.Scan(lexer)
		if err != nil || token.Type < 0 {
			return found
		}
		at := place{token.Pos.Line, token.Str}
		if found[at] == nil {
			found[at] = &[]int{}
		}
		*found[at] = append(*found[at], token.Pos.Column)
	}
}

// next is the column of the name's next occurrence on the line: two problems with one name on one line get a column each.
func (p places) next(line int, name string) int {
	columns := p[place{line, name}]
	if columns == nil {
		return 1
	}
	first := (*columns)[0]
	if len(*columns) > 1 {
		*columns = (*columns)[1:]
	}
	return first
}

// first is the column of the token's first occurrence on the line, 0 if it has none.
func (p places) first(line int, text string) int {
	if columns := p[place{line, text}]; columns != nil {
		return (*columns)[0]
	}
	return 0
}
