package vm

import (
	"slices"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// marked is what a table's metatable says that it is.
type marked struct {
	kind   string // "array", "object", or nothing
	length int    // items that an array has at least
}

func (e *encoder) marked(t *lua.LTable) marked {
	meta, ok := t.Metatable.(*lua.LTable)
	if !ok || meta == e.values.hint {
		return marked{}
	}
	kind, ok := meta.RawGetString(typeField).(lua.LString)
	if !ok {
		return marked{}
	}
	length, _ := meta.RawGetString(lengthField).(lua.LNumber)
	return marked{string(kind), int(length)}
}

func (e *encoder) tooDeep() *ValueError {
	return problem("more than %d tables are nested here", MaxDepth)
}

func (e *encoder) table(t *lua.LTable) *ValueError {
	if len(e.parents) >= MaxDepth {
		return e.tooDeep()
	}
	if len(e.buf) > e.values.maxBytes {
		return e.tooLong()
	}
	if slices.Contains(e.parents, t) {
		return problem("the table contains itself: JSON has no way to say that")
	}
	e.values.charge(itemsCost)
	e.parents = append(e.parents, t)
	err := e.tableBody(t)
	e.parents = e.parents[:len(e.parents)-1]
	return err
}

func (e *encoder) tableBody(t *lua.LTable) *ValueError {
	var mark marked
	if t.Metatable != lua.LNil {
		if e.values.complete != nil {
			e.values.complete(t)
		}
		mark = e.marked(t)
	}
	n := t.MaxN()
	// The first key that is not a list item. Next(0) would skip a key, so an empty list starts with nil.
	start := lua.LValue(lua.LNil)
	if n > 0 {
		start = lua.LNumber(n)
	}
	key, value := t.Next(start)
	switch {
	case key == lua.LNil && mark.kind == "object":
		if n > 0 {
			return problem("it is marked by json.object but holds the list items 1 to %d", n)
		}
		e.buf = append(e.buf, "{}"...)
		return nil
	case key == lua.LNil && n == 0 && mark.length == 0:
		if t.Metatable == e.values.hint {
			e.buf = append(e.buf, "{}"...)
		} else {
			e.buf = append(e.buf, "[]"...)
		}
		return nil
	case key == lua.LNil:
		return e.array(t, n, mark.length)
	case n > 0 || mark.kind == "array":
		return e.mixed(key, n, mark)
	default:
		return e.object(t, key, value)
	}
}

func (e *encoder) mixed(key lua.LValue, n int, mark marked) *ValueError {
	name := "the key " + keyText(key)
	if mark.kind == "array" {
		return problem("it is marked by json.array but has %s", name)
	}
	return problem("it has list items (1 to %d) and %s: a table must be a list or have only string keys", n, name)
}

func (e *encoder) array(t *lua.LTable, n, length int) *ValueError {
	e.buf = append(e.buf, '[')
	for i := 1; i <= max(n, length); i++ {
		if i > 1 {
			e.buf = append(e.buf, ',')
		}
		e.line()
		v := t.RawGetInt(i)
		if v == lua.LNil && i > length {
			return hole(i, n)
		}
		if err := e.value(v); err != nil {
			err.under(indexStep(i))
			return err
		}
		if len(e.buf) > e.values.maxBytes {
			return e.tooLong()
		}
	}
	return e.end(']')
}

func hole(i, n int) *ValueError {
	return problem("item %d of the list is nil but item %d is not: put json.null there, or mark it with json.array(t, %d) "+
		"(or, if these are not positions, use string keys: t[tostring(id)])", i, n, n)
}

func (e *encoder) object(t *lua.LTable, key, value lua.LValue) *ValueError {
	if e.Sort {
		return e.sorted(t, key)
	}
	e.buf = append(e.buf, '{')
	for first := true; key != lua.LNil; first = false {
		if !first {
			e.buf = append(e.buf, ',')
		}
		if err := e.field(t, key, value, first); err != nil {
			return err
		}
		key, value = t.Next(key)
	}
	return e.end('}')
}

func (e *encoder) sorted(t *lua.LTable, key lua.LValue) *ValueError {
	var names []string
	for ; key != lua.LNil; key, _ = t.Next(key) {
		name, ok := key.(lua.LString)
		if !ok {
			return badKey(key)
		}
		names = append(names, string(name))
	}
	slices.Sort(names)
	e.buf = append(e.buf, '{')
	for i, name := range names {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		if err := e.field(t, lua.LString(name), t.RawGetString(name), len(names) == 1); err != nil {
			return err
		}
	}
	return e.end('}')
}

func badKey(key lua.LValue) *ValueError {
	return problem("it has the key %s: a table must be a list (1 to n without holes) or have only string keys", keyText(key))
}

// keyText names a key without an address: messages are part of what is replayed.
func keyText(key lua.LValue) string {
	switch key := key.(type) {
	case lua.LString:
		return quoted(string(key))
	case lua.LNumber, lua.LBool:
		return key.String() + " (a " + key.Type().String() + ")"
	default:
		return "(a " + key.Type().String() + ")"
	}
}

func (e *encoder) field(t *lua.LTable, key, value lua.LValue, first bool) *ValueError {
	name, ok := key.(lua.LString)
	if !ok {
		return badKey(key)
	}
	if !utf8.ValidString(string(name)) {
		return problem("the key %s is not UTF-8 text", quoted(string(name)))
	}
	e.values.charge(fieldCost)
	e.line()
	if e.Tags && first && looksTagged(string(name)) {
		if next, _ := t.Next(key); next == lua.LNil {
			name = "$" + name
		}
	}
	e.buf = appendText(e.buf, string(name))
	e.buf = append(e.buf, ':')
	if e.Indent != "" {
		e.buf = append(e.buf, ' ')
	}
	if err := e.value(value); err != nil {
		err.under(keyStep(string(key.(lua.LString))))
		return err
	}
	if len(e.buf) > e.values.maxBytes {
		return e.tooLong()
	}
	return nil
}

// looksTagged: a reserved tag with one $ or more in front.
func looksTagged(key string) bool {
	name := strings.TrimLeft(key, "$")
	return len(name) < len(key) && slices.Contains(reserved[:], name)
}

func (e *encoder) line() {
	if e.Indent != "" {
		e.margin(len(e.parents))
	}
}

// margin begins a line. An encoding of many levels is mostly margins.
func (e *encoder) margin(levels int) {
	n := levels * len(e.Indent)
	e.values.charge(int64(n / marginPerCharge))
	if n > len(e.blank) {
		e.blank = strings.Repeat(e.Indent, 2*levels)
	}
	e.buf = append(append(e.buf, '\n'), e.blank[:n]...)
}

func (e *encoder) end(c byte) *ValueError {
	if e.Indent != "" {
		e.margin(len(e.parents) - 1)
	}
	e.buf = append(e.buf, c)
	return nil
}
