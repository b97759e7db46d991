package progress

import "strings"

// color is an ANSI colour; plain writes none.
type color string

const (
	plain  color = ""
	faint  color = "2"
	red    color = "31"
	green  color = "32"
	yellow color = "33"
	blue   color = "36"
)

func tint(s State) color {
	switch s {
	case Running, Sleeping:
		return blue
	case Retrying:
		return yellow
	case Done:
		return green
	case Failed:
		return red
	}
	return faint
}

// pen writes one line into the room there is, and ends it with "…" when there is not enough.
type pen struct {
	color bool
	room  int // columns left
	full  bool
	strings.Builder
}

func (p *pen) write(c color, text string) {
	if text == "" || p.full || p.room <= 0 {
		return
	}
	text = strings.Map(printable, text)
	if Cells(text) > p.room {
		p.full = true
		text = cut(text, p.room-1) + "…"
	}
	p.room -= Cells(text)
	if p.color && c != plain {
		text = "\x1b[" + string(c) + "m" + text + "\x1b[0m"
	}
	p.WriteString(text)
}

// printable drops control characters: a name must not move the cursor.
func printable(r rune) rune {
	if r < 0x20 || r == 0x7F {
		return -1
	}
	return r
}

// cut keeps as many characters as fit into the columns.
func cut(text string, columns int) string {
	used := 0
	for i, r := range text {
		if used += width(r); used > columns {
			return text[:i]
		}
	}
	return text
}

// Cells is the number of terminal columns a text takes.
func Cells(text string) (n int) {
	for _, r := range text {
		n += width(r)
	}
	return n
}

// width knows the wide scripts and emoji well enough for names of branches and error messages.
func width(r rune) int {
	switch {
	case r < 0x20 || r >= 0x300 && r <= 0x36F || r == 0x200B || r == 0xFE0F:
		return 0
	case r >= 0x1100 && r <= 0x115F, r >= 0x2E80 && r <= 0xA4CF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFE30 && r <= 0xFE6F, r >= 0xFF00 && r <= 0xFF60, r >= 0x1F300 && r <= 0x1FAFF, r >= 0x20000 && r <= 0x3FFFD:
		return 2
	}
	return 1
}

// Fit is a text cut to so many columns, with "…" at its end where something is missing.
func Fit(text string, columns int) string {
	if Cells(text) <= columns {
		return text
	}
	return cut(text, columns-1) + "…"
}
