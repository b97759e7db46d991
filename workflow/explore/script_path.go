package explore

import (
	"encoding/json"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
)

// pathTables makes paths tables of a state. What an invariant does not look at is not made.
type pathTables struct {
	state *vm.State
	path  *Path // of the table that was made last
	meta  *lua.LTable
}

func newPathTables(state *vm.State) *pathTables {
	t := &pathTables{state: state, meta: state.Main().CreateTable(0, 2)}
	methods := map[string]lua.LValue{}
	for name, fn := range map[string]func(l *lua.LState) int{"count": t.count, "calls": t.callsOf, "completed": t.completed} {
		methods[name] = state.Func(name, fn)
	}
	t.meta.RawSetString("__index", state.Func("path", func(l *lua.LState) int {
		self, is := l.Get(1).(*lua.LTable)
		name := l.Get(2).String()
		if method, known := methods[name]; known {
			l.Push(method)
			return 1
		}
		make, known := pathFields[name]
		if !is || !known {
			vm.Throwf(l, 1, "a path has no field '%s'; it has %s", name, pathFieldNames)
		}
		v := make(t)
		if v != lua.LNil {
			self.RawSetString(name, v)
		}
		l.Push(v)
		return 1
	}))
	t.meta.RawSetString("__tostring", state.Func("tostring", func(l *lua.LState) int {
		l.Push(lua.LString(t.path.Choices.String()))
		return 1
	}))
	return t
}

// table is the path as an invariant gets it. It is good for one round of invariants.
func (t *pathTables) table(p *Path) *lua.LTable {
	t.path = p
	table := t.state.Main().CreateTable(0, 8)
	table.Metatable = t.meta
	return table
}

const pathFieldNames = "workflow, input, status, result, error, stuck, awaits, cut, elapsed, cancelled, crashes, faults, activities, signals, statuses, finally, " +
	"and the methods count, calls, completed"

// pathFields makes each field.
var pathFields = map[string]func(*pathTables) lua.LValue{
	"workflow":  func(t *pathTables) lua.LValue { return lua.LString(t.path.Workflow) },
	"input":     func(t *pathTables) lua.LValue { return t.value(t.path.Input, 0) },
	"status":    func(t *pathTables) lua.LValue { return lua.LString(t.path.Status) },
	"stuck":     func(t *pathTables) lua.LValue { return lua.LBool(t.path.Stuck) },
	"cut":       func(t *pathTables) lua.LValue { return lua.LBool(t.path.Cut) },
	"elapsed":   func(t *pathTables) lua.LValue { return lua.LNumber(t.path.Elapsed.Seconds()) },
	"cancelled": func(t *pathTables) lua.LValue { return lua.LBool(t.path.Cancelled) },
	"crashes":   func(t *pathTables) lua.LValue { return lua.LNumber(t.path.Crashes) },
	"faults":    func(t *pathTables) lua.LValue { return lua.LNumber(t.path.Faults) },
	"error":     func(t *pathTables) lua.LValue { return t.failure(t.path.Closing.Failure) },
	"result": func(t *pathTables) lua.LValue {
		if t.path.Closing.Kind != history.RunCompleted {
			return lua.LNil
		}
		return t.value(t.path.Closing.Payload, 0)
	},
	"awaits": func(t *pathTables) lua.LValue {
		list := t.new()
		for _, name := range t.path.Awaits {
			list.Append(lua.LString(name))
		}
		return list
	},
	"activities": func(t *pathTables) lua.LValue {
		list := t.new()
		for _, c := range t.path.Calls {
			list.Append(t.call(c))
		}
		return list
	},
	"signals": func(t *pathTables) lua.LValue {
		list := t.new()
		for i := range t.path.Signals {
			s, one := &t.path.Signals[i], t.new()
			one.RawSetString("name", lua.LString(s.Name))
			one.RawSetString("at", lua.LNumber(s.At.Seconds()))
			one.RawSetString("step", lua.LNumber(s.Step))
			one.RawSetString("args", t.list(s.Args))
			list.Append(one)
		}
		return list
	},
	"statuses": func(t *pathTables) lua.LValue {
		list := t.new()
		for _, s := range t.path.Statuses {
			list.Append(t.value(s, 0))
		}
		return list
	},
	"finally": func(t *pathTables) lua.LValue {
		list := t.new()
		for _, f := range t.path.Finallies {
			one := t.new()
			one.RawSetString("source", lua.LString(f.Source))
			one.RawSetString("line", lua.LNumber(f.Line))
			one.RawSetString("tried", lua.LNumber(f.Tried))
			one.RawSetString("ran", lua.LNumber(f.Ran))
			list.Append(one)
		}
		return list
	},
}

func (t *pathTables) new() *lua.LTable { return t.state.Main().CreateTable(0, 0) }

// list is a payload as a list.
func (t *pathTables) list(payload json.RawMessage) *lua.LTable {
	list := t.new()
	values, err := t.state.DecodeAll(payload)
	if err != nil {
		return list
	}
	for _, v := range values {
		if v == lua.LNil {
			v = t.state.Null()
		}
		list.Append(v)
	}
	return list
}

// value is the i-th value of a payload, from 0.
func (t *pathTables) value(payload json.RawMessage, i int) lua.LValue {
	values, err := t.state.DecodeAll(payload)
	if err != nil || i >= len(values) {
		return lua.LNil
	}
	return values[i]
}

func (t *pathTables) failure(f *history.Failure) lua.LValue {
	if f == nil {
		return lua.LNil
	}
	out := t.new()
	out.RawSetString("name", lua.LString(f.Name))
	out.RawSetString("message", lua.LString(f.Message))
	if f.Status != 0 {
		out.RawSetString("status", lua.LNumber(f.Status))
	}
	if f.Timeout != "" {
		out.RawSetString("timeout", lua.LString(f.Timeout))
	}
	if f.Activity != "" {
		out.RawSetString("activity", lua.LString(f.Activity))
	}
	if f.Cause != nil {
		out.RawSetString("cause", t.failure(f.Cause))
	}
	return out
}

func (t *pathTables) call(c *Call) *lua.LTable {
	out := t.new()
	out.RawSetString("name", lua.LString(c.Name))
	out.RawSetString("args", t.list(c.Args))
	out.RawSetString("outcome", lua.LString(c.Outcome))
	out.RawSetString("key", lua.LString(c.Key))
	out.RawSetString("at", lua.LNumber(c.At.Seconds()))
	out.RawSetString("step", lua.LNumber(c.Step))
	if c.Outcome != "open" {
		out.RawSetString("ended", lua.LNumber(c.Ended.Seconds()))
	}
	out.RawSetString("worked", lua.LNumber(c.worked()))
	if c.Outcome == "completed" {
		out.RawSetString("result", t.value(c.Result, 0))
	}
	if c.Failure != nil {
		out.RawSetString("error", t.failure(c.Failure))
	}
	attempts := t.new()
	for i := range c.Attempts {
		a, one := &c.Attempts[i], t.new()
		one.RawSetString("outcome", lua.LString(a.Outcome))
		one.RawSetString("worked", lua.LBool(a.Worked))
		one.RawSetString("at", lua.LNumber(a.At.Seconds()))
		attempts.Append(one)
	}
	out.RawSetString("attempts", attempts)
	return out
}

// named is the argument of a method.
func (t *pathTables) named(l *lua.LState, method string) string {
	name, is := l.Get(2).(lua.LString)
	if _, path := l.Get(1).(*lua.LTable); !path || !is {
		vm.Throwf(l, 1, "path:%s expects the name of an activity; call it with a colon: path:%s(\"charge\")", method, method)
	}
	return string(name)
}

// count is path:count(name): how often the work of the activity was done.
func (t *pathTables) count(l *lua.LState) int {
	l.Push(lua.LNumber(t.path.Worked(t.named(l, "count"))))
	return 1
}

// completed is path:completed(name): how many calls have completed.
func (t *pathTables) completed(l *lua.LState) int {
	name, n := t.named(l, "completed"), 0
	for _, c := range t.path.Calls {
		if c.Name == name && c.Outcome == "completed" {
			n++
		}
	}
	l.Push(lua.LNumber(n))
	return 1
}

// callsOf is path:calls(name): the calls of one activity.
func (t *pathTables) callsOf(l *lua.LState) int {
	name, list := t.named(l, "calls"), t.new()
	for _, c := range t.path.Calls {
		if c.Name == name {
			list.Append(t.call(c))
		}
	}
	l.Push(list)
	return 1
}
