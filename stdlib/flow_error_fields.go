package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

var errorFields = []string{"name", "message", "status", "details", "cause", "retryable", "kinds", "value", "activity", "timeout", "reason"}

// index reads a field. Names that no error has are mistakes of the script, not nil.
func (v *errorValues) index(L *lua.LState) int {
	e := checkError(L, "error")
	name, _ := L.Get(2).(lua.LString)
	value, known := v.field(e, string(name))
	if !known {
		vm.Throwf(L, 1, "an error value has no field '%s'%s", keyText(L.Get(2)), Suggest(string(name), append(errorFields, "is", "trace")))
	}
	L.Push(value)
	return 1
}

func (v *errorValues) field(e *Error, name string) (lua.LValue, bool) {
	switch name {
	case "name":
		return lua.LString(e.Name), true
	case "message":
		return lua.LString(e.Message), true
	case "status":
		if e.Status == 0 {
			return lua.LNil, true
		}
		return lua.LNumber(e.Status), true
	case "details":
		if e.All != nil {
			e.details.lua = v.list(e.All)
			e.All = nil
		}
		return e.details.get(v.state), true
	case "value":
		return e.value.get(v.state), true
	case "reason":
		return e.reason.get(v.state), true
	case "cause":
		if e.Cause == nil {
			return lua.LNil, true
		}
		return v.of(e.Cause), true
	case "retryable":
		if yes, known := e.MayRetry(); known {
			return lua.LBool(yes), true
		}
		return lua.LNil, true
	case "kinds":
		t := v.state.Main().CreateTable(len(e.Kinds), 0)
		for _, kind := range e.Kinds {
			t.Append(lua.LString(kind))
		}
		return t, true
	case "activity":
		return textOrNil(e.Activity), true
	case "timeout":
		return textOrNil(e.Timeout), true
	case "is", "trace":
		return v.methods.RawGetString(name), true
	}
	return nil, false
}

func (v *errorValues) list(all []*Error) *lua.LTable {
	t := v.state.Main().CreateTable(len(all), 0)
	for _, e := range all {
		t.Append(v.of(e))
	}
	return t
}

func textOrNil(s string) lua.LValue {
	if s == "" {
		return lua.LNil
	}
	return lua.LString(s)
}
