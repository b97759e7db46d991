package stdlib

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// Limits of what is shown of a value.
const (
	deepest   = 5    // tables inside each other
	mostItems = 100  // of one table
	longest   = 2000 // bytes of a string by itself
	inside    = 200  // bytes of a string in a table
)

// Printer writes values for people: what they hold, without asking any metamethod, so that looking changes nothing.
type Printer struct {
	State *vm.State
	Width int              // columns of a table on one line
	Cells func(string) int // how many columns a text takes; nil: one for each letter

	parents []*lua.LTable
}

// Text shows a string by itself as it is, in a table with quotes.
func (p *Printer) Text(v lua.LValue) string {
	if text, is := v.(lua.LString); is {
		return cut(string(text), longest)
	}
	return p.text(v, "", 0)
}

func (p *Printer) cells(text string) int {
	if p.Cells == nil {
		return utf8.RuneCountInString(text)
	}
	return p.Cells(text)
}

// text is a value with the indentation that it stands at; used is how much of its line is taken besides.
func (p *Printer) text(v lua.LValue, indent string, used int) string {
	switch v := v.(type) {
	case lua.LString:
		return quotedText(cut(string(v), inside))
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
		if v == p.State.Null() {
			return "json.null"
		}
		return cmp.Or(Text(v), "userdata")
	case *lua.LState:
		return "thread"
	}
	return v.String()
}

// promise shows its state: what it has got, or what it waits for.
func (p *Printer) promise(ud *lua.LUserData, promise *scheduler.Promise, indent string, used int) string {
	text := Text(ud)
	switch value, err := promise.Get(); {
	case !promise.Settled():
	case err != nil:
		text = strings.TrimSuffix(text, ")") + ": " + shortened(ErrorOf(err).Error(), inside) + ")"
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

func (p *Printer) table(t *lua.LTable, indent string, used int) string {
	p.State.Complete(t)
	switch {
	case slices.Contains(p.parents, t):
		return "<cycle>"
	case t == p.State.Globals():
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
	if !strings.Contains(line, "\n") && len(indent)+used+p.cells(line) <= p.Width {
		return line
	}
	return "{\n" + indent + "  " + strings.Join(p.rows(items, len(indent)+2), ",\n"+indent+"  ") + "\n" + indent + "}"
}

// rows puts short items of a list several on a line.
func (p *Printer) rows(items []string, indent int) []string {
	const short = 20
	var rows []string
	open := false // the last row takes more
	for _, item := range items {
		plain := p.cells(item) <= short && !strings.ContainsAny(item, "=\n…")
		if n := len(rows); plain && open && indent+p.cells(rows[n-1])+2+p.cells(item) < p.Width {
			rows[n-1] += ", " + item
			continue
		}
		rows, open = append(rows, item), plain
	}
	return rows
}

// items are the list first, then the other keys in order.
func (p *Printer) items(t *lua.LTable, indent string) []string {
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

func (p *Printer) key(k lua.LValue) string {
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

func quotedText(text string) string {
	out := strconv.Quote(text)
	return strings.NewReplacer(`\u00a0`, "\u00a0", `\x1b`, `\27`).Replace(out)
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("… (%d bytes)", len(text))
}

// shortened is a text on one line, no longer than that.
func shortened(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

var plainName = regexp.MustCompile(`^[A-Za-z_]\w*$`)
