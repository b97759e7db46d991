package stdlib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// OpenJSON installs require "json": JSON for the outside world, by the rules of vm.Values but without its tagged objects.
// It is pure, so that workflow code and activities have the same one.
func OpenJSON(s *vm.State) {
	s.Preload("json", func(*lua.LState) lua.LValue {
		j := jsonModule{s}
		return module(s, "json", []entry{
			{"encode", j.encode}, {"decode", j.decode}, {"array", j.array}, {"object", j.object},
		}, field{"null", s.Null()})
	})
}

type jsonModule struct{ state *vm.State }

// field is a member of a module that is no function.
type field struct {
	name  string
	value lua.LValue
}

// module makes the table of a module, in which a name that it does not have is an error with the nearest that it has.
func module(s *vm.State, name string, functions []entry, fields ...field) *lua.LTable {
	t := s.Main().CreateTable(0, len(functions)+len(fields))
	known := names(functions)
	for _, f := range functions {
		t.RawSetString(f.name, s.Func(name+"."+f.name, f.fn))
	}
	for _, f := range fields {
		t.RawSetString(f.name, f.value)
		known = append(known, f.name)
	}
	closed(s, t, name, known)
	return t
}

// maxIndent is the most spaces that one level may take.
const maxIndent = 16

func (j jsonModule) encode(L *lua.LState) int {
	const call = "json.encode"
	if L.GetTop() == 0 {
		vm.Throwf(L, 1, "%s expects a value as argument #1, got nothing", call)
	}
	o := readOptions(L, call, L.Get(2), "indent", "sort")
	format := vm.Format{Sort: o.flag("sort")}
	switch indent := o.value("indent").(type) {
	case *lua.LNilType:
	case lua.LString:
		if strings.Trim(string(indent), " \t") != "" || len(indent) > maxIndent {
			o.wrong("indent", "spaces or tabs, at most 16", indent)
		}
		format.Indent = string(indent)
	case lua.LBool:
		if indent {
			format.Indent = "  "
		}
	default:
		n := o.count("indent", 0, 0)
		if n > maxIndent {
			o.wrong("indent", "at most 16 spaces", indent)
		}
		format.Indent = strings.Repeat(" ", n)
	}
	text, err := j.state.EncodeText(L.Get(1), "value", format)
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err.Error())
	}
	L.Push(lua.LString(text))
	return 1
}

func (j jsonModule) decode(L *lua.LState) int {
	const call = "json.decode"
	text, isText := L.Get(1).(lua.LString)
	if !isText {
		vm.Throwf(L, 1, "%s expects a string as argument #1, got %s", call, describe(L.Get(1)))
	}
	o := readOptions(L, call, L.Get(2), "keep_null")
	value, err := j.state.DecodeText(string(text), vm.Reading{KeepNull: o.flag("keep_null")})
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err.Error())
	}
	L.Push(value)
	return 1
}

func (j jsonModule) array(L *lua.LState) int {
	t := checkTable(L, 1, "json.array")
	n := 0
	if length := L.Get(2); length != lua.LNil {
		var whole bool
		if n, whole = wholeNumber(length); !whole || n < 0 {
			vm.Throwf(L, 1, "json.array expects a length of 0 or more as argument #2, got %s", describe(length))
		}
	}
	checkUnmarked(L, t, "json.array")
	j.state.MarkArray(t, n)
	L.Push(t)
	return 1
}

func (j jsonModule) object(L *lua.LState) int {
	t := checkTable(L, 1, "json.object")
	checkUnmarked(L, t, "json.object")
	j.state.MarkObject(t)
	L.Push(t)
	return 1
}

func checkTable(L *lua.LState, n int, call string) *lua.LTable {
	t, isTable := L.Get(n).(*lua.LTable)
	if !isTable {
		vm.Throwf(L, 1, "%s expects a table as argument #%d, got %s", call, n, describe(L.Get(n)))
	}
	return t
}

// checkUnmarked refuses a table whose metatable is the script's own: the mark is a metatable and would take its place.
func checkUnmarked(L *lua.LState, t *lua.LTable, call string) {
	meta, has := t.Metatable.(*lua.LTable)
	if has && meta.RawGetString("__jsontype") == lua.LNil {
		vm.Throwf(L, 1, "%s: the table has a metatable of its own; set its field __jsontype to 'array' or 'object' instead", call)
	}
}

// flag reads an option that is true or false; false when missing.
func (o options) flag(name string) bool {
	switch v := o.value(name).(type) {
	case *lua.LNilType:
		return false
	case lua.LBool:
		return bool(v)
	default:
		o.wrong(name, "true or false", v)
		return false
	}
}
