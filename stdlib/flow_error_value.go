package stdlib

import (
	"regexp"

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
	v.meta = s.Main().CreateTable(0, 5)
	v.meta.RawSetString("__index", s.Func("error", v.index))
	v.meta.RawSetString("__tostring", s.Func("tostring", func(L *lua.LState) int {
		L.Push(lua.LString(checkError(L, "tostring").Error()))
		return 1
	}))
	v.meta.RawSetString("__concat", s.Func("concat", concatError))
	v.meta.RawSetString("__newindex", s.Func("error", func(L *lua.LState) int {
		return readOnly(L, "an error value")
	}))
	v.meta.RawSetString("__metatable", lua.LString("error value"))
	return v.meta
}

// concatError makes "failed: " .. err what it is meant to be: the handler of an error is no place for another one.
func concatError(L *lua.LState) int {
	text := ""
	for _, side := range []lua.LValue{L.Get(1), L.Get(2)} {
		switch side := side.(type) {
		case lua.LString, lua.LNumber:
			text += lua.LVAsString(side)
		default:
			e, is := toError(side)
			if !is {
				vm.Throwf(L, 2, "attempt to concatenate a %s value", side.Type()) // 1 is the operator
			}
			text += e.Error()
		}
	}
	L.Push(lua.LString(text))
	return 1
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

// where is what Lua puts in front of the text of an error, once for each function that raises it anew. Something like
// "db.local:5432: refused" belongs to the text.
var where = regexp.MustCompile(`^(?:[^\s:]+\.lua:\d+: )+`)

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

// uncaught is raised for what a call has raised, whose stack is the error's if it has none of its own.
func (v *errorValues) uncaught(failed *vm.Error) *Error {
	e := v.raised(failed.Value)
	if e.site == nil && e.trace == nil {
		e.site = place(frames(failed.Frames))
	}
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
	e.site = v.site()
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

func (v *errorValues) site() scheduler.Site { return site{v.state.Site()} }

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

func toError(v lua.LValue) (*Error, bool) { return held[*Error](v) }

func checkError(L *lua.LState, call string) *Error {
	e, is := toError(L.Get(1))
	if !is {
		vm.Throwf(L, 1, "%s expects an error value, got %s; call methods with a colon: err:is(name)", call, describe(L.Get(1)))
	}
	return e
}
