package operate

import (
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
)

// table writes rows in columns that are as wide as what is in them. The last cell of a row has the room that is left. Rows are
// indented, and empty columns left out.
func (c *Console) table(indent string, rows [][]string) error {
	return c.painted(indent, rows, func(int, int) string { return "" })
}

// painted is table with a colour for each cell.
func (c *Console) painted(indent string, rows [][]string, color func(row, column int) string) error {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	widths := make([]int, columns)
	for _, row := range rows {
		for i, text := range row {
			if i == len(row)-1 && len(row) < columns {
				break // it reaches into the next columns
			}
			widths[i] = max(widths[i], progress.Cells(clean(text)))
		}
	}
	for n, row := range rows {
		var b strings.Builder
		b.WriteString(indent)
		used := len(indent)
		for i, text := range row {
			text = clean(text)
			if i == len(row)-1 {
				b.WriteString(c.paint(color(n, i), c.fit(text, used)))
				break
			}
			if widths[i] == 0 {
				continue
			}
			pad := widths[i] - progress.Cells(text) + 2
			b.WriteString(c.paint(color(n, i), text) + strings.Repeat(" ", pad))
			used += widths[i] + 2
		}
		if err := c.say("%s", strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// fit cuts a text to the room on a line of which so much is used.
func (c *Console) fit(text string, used int) string {
	if c.Width <= 0 {
		return text
	}
	return progress.Fit(text, max(c.Width-used, 10))
}

// clean makes one line without control characters of a text: it must not move the cursor.
func clean(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7F }) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7F {
			return -1
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
}

// paint colours a text.
func (c *Console) paint(color, text string) string {
	if !c.Color || text == "" || color == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

const (
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)
