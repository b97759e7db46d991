package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// Limits of what is shown of a value.
const (
	deepest   = 5    // tables inside each other
	mostItems = 100  // of one table
	longest   = 2000 // bytes of a string by itself
	inside    = 200  // bytes of a string in a table
	wide      = 100  // columns of a table on one line, where the terminal sets no limit
)

// show is a value for people: what it holds, without asking any metamethod, so that looking changes nothing.
func (s *Session) show(v lua.LValue) string {
	if text, is := v.(lua.LString); is {
		return cut(string(text), longest)
	}
	e, err := s.execution()
	if err != nil {
		return v.Type().String()
	}
	p := printer{state: e.State(), width: wide}
	if columns := s.width(); columns > 0 {
		p.width = columns - 1
	}
	return p.text(v, "", 0)
}

type printer struct {
	state   *vm.State
	width   int
	parents []*lua.LTable
}

// text is a value with the indentation that it stands at; used is how much of its line is taken besides.
func (p *printer) text(v lua.LValue, indent string, used int) string {
	switch v := v.(type) {
	case lua.LString:
		return quoted(cut(string(v), inside))
	case lua.LNumber:
		return vm.FormatNumber(float64(v))
	case *lua.LTable:
		return p.table(v, indent, used)
	case *lua.LFunction:
		if v.IsG {
			return "function: builtin"
		}
		return fmt.Sprintf("function: %s:%d", v.Proto.SourceName, v.Proto.LineDefined)
	case *lua.LUserData:
		if promise, is := v.Value.(*scheduler.Promise); is {
			return p.promise(v, promise, indent, used)
		}
		if v == p.state.Null() {
			return "json.null"
		}
		return cmp.Or(stdlib.Text(v), "userdata")
	case *lua.LState:
		return "thread"
	}
	return v.String()
}

// promise shows its state: what it has got, or what it waits for.
func (p *printer) promise(ud *lua.LUserData, promise *scheduler.Promise, indent string, used int) string {
	text := stdlib.Text(ud)
	switch value, err := promise.Get(); {
	case !promise.Settled():
	case err != nil:
		text = strings.TrimSuffix(text, ")") + ": " + oneLine(stdlib.ErrorOf(err).Error(), inside) + ")"
	default:
		values, _ := value.([]lua.LValue)
		for i, v := range values {
			sign := ", "
			if i == 0 {
				sign = ": "
			}
			text = strings.TrimSuffix(text, ")") + sign + p.text(v, indent, used+len(text)) + ")"
		}
	}
	return text
}

func (p *printer) table(t *lua.LTable, indent string, used int) string {
	p.state.Complete(t)
	switch {
	case slices.Contains(p.parents, t):
		return "<cycle>"
	case t == p.state.Globals():
		if len(p.parents) > 0 {
			return "_G"
		}
	}
	if first, _ := t.Next(lua.LNil); first == lua.LNil {
		return "{}"
	}
	if len(p.parents) == deepest {
		return "{…}"
	}
	p.parents = append(p.parents, t)
	defer func() { p.parents = p.parents[:len(p.parents)-1] }()
	items := p.items(t, indent+"  ")
	line := "{ " + strings.Join(items, ", ") + " }"
	if !strings.Contains(line, "\n") && len(indent)+used+progress.Cells(line) <= p.width {
		return line
	}
	return "{\n" + indent + "  " + strings.Join(p.rows(items, len(indent)+2), ",\n"+indent+"  ") + "\n" + indent + "}"
}

// rows puts short items of a list several on a line.
func (p *printer) rows(items []string, indent int) []string {
	const short = 20
	var rows []string
	open := false // the last row takes more
	for _, item := range items {
		plain := progress.Cells(item) <= short && !strings.ContainsAny(item, "=\n…")
		if n := len(rows); plain && open && indent+progress.Cells(rows[n-1])+2+progress.Cells(item) < p.width {
			rows[n-1] += ", " + item
			continue
		}
		rows, open = append(rows, item), plain
	}
	return rows
}

// items are the list first, then the other keys in order.
func (p *printer) items(t *lua.LTable, indent string) []string {
	var items []string
	count := 0
	add := func(key string, v lua.LValue) {
		count++
		if count <= mostItems {
			items = append(items, key+p.text(v, indent, len(key)+1))
		}
	}
	n := 0
	for v := t.RawGetInt(1); v != lua.LNil; v = t.RawGetInt(n + 1) {
		n++
		add("", v)
	}
	var keys []lua.LValue
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if i, is := k.(lua.LNumber); !is || i < 1 || int(i) > n || lua.LNumber(int(i)) != i {
			keys = append(keys, k)
		}
	}
	slices.SortStableFunc(keys, compareKeys)
	for _, k := range keys {
		add(p.key(k), t.RawGet(k))
	}
	if count > mostItems {
		items = append(items, fmt.Sprintf("… %d more", count-mostItems))
	}
	return items
}

func (p *printer) key(k lua.LValue) string {
	if name, is := k.(lua.LString); is && plainName.MatchString(string(name)) {
		return string(name) + " = "
	}
	if _, is := k.(*lua.LTable); is {
		return "[table] = "
	}
	return "[" + p.text(k, "", 0) + "] = "
}

func compareKeys(a, b lua.LValue) int {
	if d := cmp.Compare(keyRank(a), keyRank(b)); d != 0 {
		return d
	}
	switch a := a.(type) {
	case lua.LNumber:
		return cmp.Compare(a, b.(lua.LNumber))
	case lua.LString:
		return cmp.Compare(a, b.(lua.LString))
	case lua.LBool:
		return cmp.Compare(a.String(), b.String())
	}
	return 0
}

func keyRank(v lua.LValue) int {
	return slices.Index([]lua.LValueType{lua.LTNumber, lua.LTString, lua.LTBool}, v.Type()) & 3
}

func quoted(text string) string {
	out := strconv.Quote(text)
	return strings.NewReplacer(`\u00a0`, "\u00a0", `\x1b`, `\27`).Replace(out)
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… (%d bytes)", len(text))
}
