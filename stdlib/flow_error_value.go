package stdlib

import (
	"errors"
	"regexp"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// errorValues are the error values of one Lua state: how scripts make, read and print them, in workflows and in activities.
type errorValues struct {
	state   *vm.State
	meta    *lua.LTable
	methods *lua.LTable
	branch  func() *scheduler.Branch // the running branch, or nil

	promises promiseRule // what encode makes of a promise
}

// promiseRule is how the values of a call are written while its promises are not there.
type promiseRule uint8

const (
	promisesForbidden promiseRule = iota
	promisesSeen                  // there was one
	promisesAllowed               // null stands for them
)

func (v *errorValues) open(s *vm.State, branch func() *scheduler.Branch) {
	v.state, v.branch = s, branch
	s.EncodeUserdata = v.encode
	s.DecodeTagged = v.decode
}

// metatable is made for the first error value.
func (v *errorValues) metatable() *lua.LTable {
	if v.meta != nil {
		return v.meta
	}
	s := v.state
	v.methods = s.Main().CreateTable(0, 2)
	for _, m := range v.entries() {
		v.methods.RawSetString(m.name, s.Func("error:"+m.name, m.fn))
	}
	v.meta = s.Main().CreateTable(0, 3)
	v.meta.RawSetString("__index", s.Func("error", v.index))
	v.meta.RawSetString("__tostring", s.Func("tostring", func(L *lua.LState) int {
		L.Push(lua.LString(checkError(L, "tostring").Error()))
		return 1
	}))
	v.meta.RawSetString("__metatable", lua.LString("error value"))
	return v.meta
}

func (v *errorValues) entries() []entry {
	return []entry{{"is", v.is}, {"trace", v.trace}}
}

// of gives the userdata of an error: always the same one.
func (v *errorValues) of(e *Error) *lua.LUserData {
	if e.userdata == nil {
		e.userdata = &lua.LUserData{Value: e, Metatable: v.metatable()}
	}
	return e.userdata
}

// thrown is what an error is to pcall: what was raised.
func (v *errorValues) thrown(e *Error) lua.LValue {
	if e.raised != nil {
		return e.raised
	}
	return v.of(e)
}

// where is what Lua puts in front of the text of an error.
var where = regexp.MustCompile(`^[^\s:]+:\d+: `)

// raised makes an error of what a script raised without making an error value. A table's name and message are taken over.
func (v *errorValues) raised(value lua.LValue) *Error {
	if e, is := toError(value); is {
		return e
	}
	e := &Error{Name: nameError, value: slot{lua: value}, raised: value}
	switch value := value.(type) {
	case lua.LString:
		e.Message = where.ReplaceAllString(string(value), "")
	case *lua.LTable:
		if name, is := value.RawGetString("name").(lua.LString); is {
			e.Name = string(name)
		}
		if message, is := value.RawGetString("message").(lua.LString); is {
			e.Message = string(message)
		} else {
			e.Message = "a table was raised"
		}
	default:
		e.Message = value.String()
		if value.Type() != lua.LTNumber && value.Type() != lua.LTNil && value.Type() != lua.LTBool {
			e.Message = "a " + value.Type().String() + " was raised"
		}
	}
	e.classify()
	return e
}

// make is flow.error(name, message [, fields]).
func (v *errorValues) make(L *lua.LState) int {
	const call = "flow.error"
	name := checkText(L, 1, call, "the error's name")
	e := &Error{Name: name}
	switch message := L.Get(2).(type) {
	case lua.LString:
		e.Message = string(message)
	case lua.LNumber:
		e.Message = message.String()
	case *lua.LNilType:
	default:
		vm.Throwf(L, 1, "%s expects a message as argument #2, got %s", call, describe(message))
	}
	o := readOptions(L, call, L.Get(3), "status", "details", "cause", "retryable", "kinds", "value", "activity", "reason", "timeout")
	e.Status = o.count("status", 0, 0)
	e.details.lua, e.value.lua, e.reason.lua = o.value("details"), o.value("value"), o.value("reason")
	e.Activity, e.Timeout = o.text("activity"), o.text("timeout")
	e.Kinds = o.names("kinds")
	if o.has("retryable") {
		retryable, is := o.value("retryable").(lua.LBool)
		if !is {
			o.wrong("retryable", "true or false", o.value("retryable"))
		}
		e.Retryable = (*bool)(&retryable)
	}
	if o.has("cause") {
		e.Cause = v.raised(o.value("cause"))
	}
	v.finish(e)
	e.site = v.site(1)
	L.Push(v.of(e))
	return 1
}

// finish gives a new error value its kinds and its place.
func (v *errorValues) finish(e *Error) {
	e.classify()
	if e.Name == nameCancelled {
		e.cancelled = &scheduler.Cancelled{}
	}
	if v.branch != nil {
		e.branch = v.branch()
	}
}

func (v *errorValues) site(skip int) scheduler.Site { return site{v.state.Site(skip)} }

func (v *errorValues) is(L *lua.LState) int {
	e := checkError(L, "err:is")
	L.Push(lua.LBool(e.Matches(checkText(L, 2, "err:is", "the name of an error or of a kind"))))
	return 1
}

func (v *errorValues) trace(L *lua.LState) int {
	e := checkError(L, "err:trace")
	text := e.Error()
	for _, line := range e.Trace() {
		text += "\n  " + line
	}
	L.Push(lua.LString(text))
	return 1
}

var errorFields = []string{"name", "message", "status", "details", "cause", "retryable", "kinds", "value", "activity", "timeout", "reason"}

// index reads a field. Names that no error has are mistakes of the script, not nil.
func (v *errorValues) index(L *lua.LState) int {
	e := checkError(L, "error")
	name, _ := L.Get(2).(lua.LString)
	value, known := v.field(e, string(name))
	if !known {
		vm.Throwf(L, 1, "an error value has no field '%s'%s", L.Get(2).String(), suggest(string(name), append(errorFields, "is", "trace")))
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

func toError(v lua.LValue) (*Error, bool) {
	ud, is := v.(*lua.LUserData)
	if !is {
		return nil, false
	}
	e, is := ud.Value.(*Error)
	return e, is
}

func checkError(L *lua.LState, call string) *Error {
	e, is := toError(L.Get(1))
	if !is {
		vm.Throwf(L, 1, "%s expects an error value, got %s; call methods with a colon: err:is(name)", call, describe(L.Get(1)))
	}
	return e
}
