package stdlib

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// options reads a table of named options: every name known, every value of the right type, or an error that says what was
// expected and what to do. A nil table has none.
type options struct {
	L     *lua.LState
	call  string // what the options are of, as in "flow.retry"
	table *lua.LTable
}

// readOptions checks that v is a table (or nil) with no other names than the given ones.
func readOptions(L *lua.LState, call string, v lua.LValue, known ...string) options {
	o := options{L: L, call: call}
	switch v := v.(type) {
	case *lua.LNilType:
		return o
	case *lua.LTable:
		o.table = v
	default:
		o.fail("expects a table of options, got %s", describe(v))
	}
	for key, _ := o.table.Next(lua.LNil); key != lua.LNil; key, _ = o.table.Next(key) {
		name, isName := key.(lua.LString)
		switch {
		case !isName:
			o.fail("expects options by name (%s), got [%s]", strings.Join(known, ", "), keyText(key))
		case !slices.Contains(known, string(name)):
			hint := Suggest(string(name), known)
			if hint == "" {
				hint = "; it has " + strings.Join(known, ", ")
			}
			o.fail("unknown option '%s'%s", string(name), hint)
		}
	}
	return o
}

func (o options) fail(format string, args ...any) {
	vm.Throwf(o.L, 1, "%s: %s", o.call, fmt.Sprintf(format, args...))
}

// wrong reports an option of the wrong type or value.
func (o options) wrong(name, expected string, got lua.LValue) {
	o.fail("option '%s' expects %s, got %s", name, expected, describe(got))
}

func (o options) value(name string) lua.LValue {
	if o.table == nil {
		return lua.LNil
	}
	return o.table.RawGetString(name)
}

func (o options) has(name string) bool { return o.value(name) != lua.LNil }

func (o options) duration(name string) time.Duration {
	v := o.value(name)
	if v == lua.LNil {
		return 0
	}
	d, err := toDuration(v)
	if err != nil {
		o.fail("option '%s' %s", name, err)
	}
	return d
}

// number reads a number of at least min.
func (o options) number(name string, missing, min float64) float64 {
	switch v := o.value(name).(type) {
	case *lua.LNilType:
		return missing
	case lua.LNumber:
		if float64(v) >= min {
			return float64(v)
		}
	}
	o.wrong(name, fmt.Sprintf("a number of at least %v", lua.LNumber(min)), o.value(name))
	return 0
}

// count reads a whole number of at least min.
func (o options) count(name string, missing, min int) int {
	v := o.value(name)
	if v == lua.LNil {
		return missing
	}
	n, whole := wholeNumber(v)
	if !whole || n < min {
		o.wrong(name, wholeFrom(min, v), v)
	}
	return n
}

// wholeFrom says what is expected instead of v: the upper limit is told to those who have met it.
func wholeFrom(least int, v lua.LValue) string {
	if n, is := v.(lua.LNumber); is && n > math.MaxInt32 {
		return fmt.Sprintf("a whole number from %d to %d", least, math.MaxInt32)
	}
	return fmt.Sprintf("a whole number of at least %d", least)
}

func (o options) text(name string) string {
	switch v := o.value(name).(type) {
	case *lua.LNilType:
		return ""
	case lua.LString:
		return string(v)
	}
	o.wrong(name, "a string", o.value(name))
	return ""
}

// oneOf reads one of a few words; "" when missing.
func (o options) oneOf(name string, words ...string) string {
	v := o.text(name)
	if v != "" && !slices.Contains(words, v) {
		o.fail("option '%s' expects one of '%s', got '%s'%s", name, strings.Join(words, "', '"), v, Suggest(v, words))
	}
	return v
}

// names reads a list of names; nil when missing.
func (o options) names(name string) []string {
	t, isTable := o.value(name).(*lua.LTable)
	if !isTable {
		if o.has(name) {
			o.wrong(name, "a list of error names", o.value(name))
		}
		return nil
	}
	list := []string{}
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		text, isText := v.(lua.LString)
		if _, inList := key.(lua.LNumber); !inList || !isText {
			o.wrong(name, "a list of error names", v)
		}
		list = append(list, string(text))
	}
	return list
}

// wholeNumber reads a number without fraction that Go's int holds exactly on every machine.
func wholeNumber(v lua.LValue) (int, bool) {
	n, isNumber := v.(lua.LNumber)
	if !isNumber || n != lua.LNumber(int32(max(min(float64(n), 1<<31-1), -1<<31))) {
		return 0, false
	}
	return int(n), true
}

// describe says what a value is, in an error message.
func describe(v lua.LValue) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case lua.LNumber:
		return "number " + v.String()
	case lua.LString:
		if len(v) > 40 {
			v = v[:37] + "..."
		}
		return fmt.Sprintf("%q", string(v))
	case *lua.LUserData:
		if _, is := v.Value.(*scheduler.Promise); is {
			return "promise"
		}
		if named, has := v.Value.(interface{ luaKind() string }); has {
			return named.luaKind()
		}
	}
	return v.Type().String()
}

// callable reads a function, or anything else that can be called.
func (o options) callable(name string) lua.LValue {
	v := o.value(name)
	if !callable(o.L, v) {
		o.wrong(name, "a function", v)
	}
	return v
}
