package spec_test

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// example is a block of Lua in a chapter that is followed by the text it prints, with what happens to it from outside.
type example struct {
	file     string // of the chapter
	line     int    // of the block's first line, from 1
	source   string
	want     string
	input    string // JSON, "" for none
	workflow string
	outside  []outside
}

// outside is a signal, or without a name a request to cancel, some time after the start.
type outside struct {
	at     time.Duration
	signal string
	text   string // the signal's arguments as a JSON array, or the reason
}

// goBlock is a block of Go and the file that it says it is part of.
type goBlock struct {
	line   int
	file   string
	source string
}

var directive = regexp.MustCompile(`^<!-- (\w+): (.*?) -->`)

// examples cuts a chapter into what can be run. Every block of Lua must be an example.
func examples(file, text string) ([]example, []goBlock, error) {
	var found []example
	var foreign []goBlock
	next := example{}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if m := directive.FindStringSubmatch(lines[i]); m != nil {
			if err := next.direct(m[1], m[2]); err != nil {
				return nil, nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
			continue
		}
		switch lines[i] {
		case "```lua":
			source, end := block(lines, i+1)
			want, after := "", end
			if end+1 >= len(lines) || lines[end+1] != "```text" {
				return nil, nil, fmt.Errorf("%s:%d: a block of Lua without the text it prints after it", file, i+1)
			}
			want, after = block(lines, end+2)
			next.file, next.line, next.source, next.want = file, i+2, source, want
			found = append(found, next)
			next, i = example{}, after
		case "```go":
			source, end := block(lines, i+1)
			name, rest, ok := strings.Cut(source, "\n")
			if !ok || !strings.HasPrefix(name, "// ") {
				return nil, nil, fmt.Errorf("%s:%d: a block of Go that does not name its file in its first line", file, i+1)
			}
			foreign = append(foreign, goBlock{line: i + 2, file: strings.TrimPrefix(name, "// "), source: rest})
			i = end
		}
	}
	return found, foreign, nil
}

// block is the text from line i to the closing fence, and where that is.
func block(lines []string, i int) (string, int) {
	for end := i; end < len(lines); end++ {
		if strings.HasPrefix(lines[end], "```") {
			return strings.Join(lines[i:end], "\n") + "\n", end
		}
	}
	return strings.Join(lines[i:], "\n"), len(lines)
}

func (e *example) direct(word, text string) error {
	switch word {
	case "input":
		e.input = text
	case "workflow":
		e.workflow = text
	case "signal", "cancel":
		at, rest, _ := strings.Cut(text, " ")
		d, err := time.ParseDuration(at)
		if err != nil {
			return err
		}
		o := outside{at: d, text: rest}
		if word == "signal" {
			o.signal, o.text, _ = strings.Cut(rest, " ")
		}
		e.outside = append(e.outside, o)
	default:
		return fmt.Errorf("unknown directive %q (input, workflow, signal, cancel)", word)
	}
	return nil
}
