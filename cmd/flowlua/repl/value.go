package repl

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/stdlib"
)

// wide is how many columns a table on one line has, where the terminal sets no limit.
const wide = 100

// show is a value for people.
func (s *Session) show(v lua.LValue) string {
	if _, is := v.(lua.LString); is {
		return (&stdlib.Printer{}).Text(v)
	}
	e, err := s.execution()
	if err != nil {
		return v.Type().String()
	}
	p := stdlib.Printer{State: e.State(), Width: wide, Cells: progress.Cells}
	if columns := s.width(); columns > 0 {
		p.Width = columns - 1
	}
	return p.Text(v)
}
