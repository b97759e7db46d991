package stdlib

import (
	"errors"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
)

// encode lets error values leave the run inside other values: {"$error": {name, message, …}}.
func (v *errorValues) encode(ud *lua.LUserData) (tag string, value lua.LValue, ok bool, err error) {
	if _, is := ud.Value.(*scheduler.Promise); is {
		if v.promises == promisesAllowed {
			return "", lua.LNil, true, nil
		}
		v.promises = promisesSeen
		return "", nil, false, errors.New("a promise cannot leave the run: await it first")
	}
	if named, is := ud.Value.(interface{ cannotLeave() string }); is {
		return "", nil, false, errors.New(named.cannotLeave())
	}
	e, is := ud.Value.(*Error)
	if !is {
		return "", nil, false, nil
	}
	t := v.state.Main().CreateTable(0, 8)
	for _, name := range errorFields {
		if name == "retryable" && e.Retryable == nil {
			continue
		}
		field, _ := v.field(e, name)
		if list, isTable := field.(*lua.LTable); name == "kinds" && isTable && list.Len() == 0 {
			continue
		}
		if field != lua.LNil {
			t.RawSetString(name, field)
		}
	}
	return "error", t, true, nil
}

func (v *errorValues) decode(tag string, value lua.LValue) (lua.LValue, bool) {
	t, isTable := value.(*lua.LTable)
	if tag != "error" || !isTable {
		return nil, false
	}
	e := &Error{Name: nameError}
	text := func(name string, to *string) {
		if s, is := t.RawGetString(name).(lua.LString); is {
			*to = string(s)
		}
	}
	text("name", &e.Name)
	text("message", &e.Message)
	text("activity", &e.Activity)
	text("timeout", &e.Timeout)
	e.Status, _ = wholeNumber(t.RawGetString("status"))
	if b, is := t.RawGetString("retryable").(lua.LBool); is {
		e.Retryable = (*bool)(&b)
	}
	if kinds, is := t.RawGetString("kinds").(*lua.LTable); is {
		for i := 1; i <= kinds.Len(); i++ {
			if s, is := kinds.RawGetInt(i).(lua.LString); is && !slices.Contains(e.Kinds, string(s)) {
				e.Kinds = append(e.Kinds, string(s))
			}
		}
	}
	e.details.lua, e.value.lua, e.reason.lua = t.RawGetString("details"), t.RawGetString("value"), t.RawGetString("reason")
	e.Cause, _ = toError(t.RawGetString("cause"))
	v.finish(e)
	return v.of(e), true
}
