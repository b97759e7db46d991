package progress

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Screen keeps a block of lines at the end of a terminal's output and redraws it in place. Size is asked at each drawing,
// so the block follows the window.
type Screen struct {
	Out  io.Writer
	Size func() (columns, rows int)

	drawn []int // columns of each line on the screen
}

// Draw replaces the block.
func (s *Screen) Draw(lines []string) {
	var out strings.Builder
	s.rewind(&out)
	s.drawn = s.drawn[:0]
	for _, line := range lines {
		out.WriteString(line + "\n")
		s.drawn = append(s.drawn, Cells(escape.ReplaceAllString(line, "")))
	}
	io.WriteString(s.Out, out.String())
}

// Clear takes the block away, so that other output can be written in its place.
func (s *Screen) Clear() {
	var out strings.Builder
	s.rewind(&out)
	s.drawn = nil
	io.WriteString(s.Out, out.String())
}

// rewind moves to the first line of the block and erases from there. A window that became narrower wraps the lines drawn
// before, so they are counted at its present width.
func (s *Screen) rewind(out *strings.Builder) {
	columns, _ := s.Size()
	rows := 0
	for _, cells := range s.drawn {
		rows++
		if columns > 0 {
			rows += max(0, cells-1) / columns
		}
	}
	if rows > 0 {
		fmt.Fprintf(out, "\x1b[%dA\r\x1b[J", rows)
	}
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")
