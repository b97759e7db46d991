package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// spy is a function that knows its calls, or the stub of an activity.
type spy struct {
	name  string
	calls [][]lua.LValue
	fn    lua.LValue // what it does; nil: nothing

	table    *lua.LTable // where it stands instead of original
	key      lua.LValue
	original lua.LValue

	plan *StubPlan // of the stub of an activity
}

// callsOf are its calls, as a script sees them.
func (w *asserts) callsOf(s *spy) [][]lua.LValue {
	if s.plan == nil {
		return s.calls
	}
	for _, payload := range s.plan.calls[len(s.calls):] {
		args, err := w.flow.state.DecodeAll(payload)
		if err != nil {
			args = nil
		}
		s.calls = append(s.calls, args)
	}
	return s.calls
}

func (s *spy) luaKind() string {
	if s.plan != nil {
		return "stub of activity '" + s.name + "'"
	}
	return "spy '" + s.name + "'"
}

func (s *spy) cannotLeave() string { return s.luaKind() + " cannot leave the test" }

// spyMethod may be called with a dot, as luassert does, or with a colon. of is whether it is of stubs of activities, too.
type spyMethod struct {
	name string
	of   bool
	call func(w *asserts, L *lua.LState, s *spy, args []lua.LValue) []lua.LValue
}

func spyMethods() []spyMethod {
	return []spyMethod{
		{"calls", true, (*asserts).spyCalls}, {"clear", true, (*asserts).spyClear}, {"invokes", false, (*asserts).spyInvokes},
		{"returns", false, (*asserts).spyReturns}, {"revert", false, (*asserts).spyRevert},
	}
}

func (w *asserts) openSpies(g *lua.LTable) {
	s := w.flow.state
	spies := s.Main().CreateTable(0, 4)
	spies.RawSetString("new", s.Func("spy.new", w.newSpy))
	spies.RawSetString("on", s.Func("spy.on", w.spyOn))
	spies.RawSetString("is_spy", s.Func("spy.is_spy", func(L *lua.LState) int {
		_, is := held[*spy](L.Get(1))
		L.Push(lua.LBool(is))
		return 1
	}))
	closed(s, spies, "spy", []string{"new", "on", "is_spy"})
	g.RawSetString("spy", spies)
	g.RawSetString("stub", s.Func("stub", w.stubOn))
}

func (w *asserts) spyValue(s *spy) lua.LValue {
	if w.spyMeta == nil {
		state := w.flow.state
		w.spyMeta = state.Main().CreateTable(0, 4)
		w.spyMeta.RawSetString("__index", state.Func("spy", w.spyIndex))
		w.spyMeta.RawSetString("__call", state.Func("spy", w.callSpy))
		w.spyMeta.RawSetString("__metatable", lua.LString("spy"))
	}
	return &lua.LUserData{Value: s, Metatable: w.spyMeta}
}

// spyIndex finds a method, bound to its spy.
func (w *asserts) spyIndex(L *lua.LState) int {
	self := L.Get(1)
	s, _ := held[*spy](self)
	name := keyText(L.Get(2))
	bind := func(call func(L *lua.LState, args []lua.LValue) []lua.LValue) int {
		L.Push(w.flow.state.Func("spy:"+name, func(L *lua.LState) int {
			args := arguments(L, 1)
			if len(args) > 0 && args[0] == self {
				args = args[1:]
			}
			return push(L, call(L, args))
		}))
		return 1
	}
	var known []string
	if s.plan != nil {
		for _, m := range planMethods() {
			known = append(known, m.name)
			if m.name == name {
				return bind(func(L *lua.LState, args []lua.LValue) []lua.LValue {
					m.call(s.plan, w, L, args)
					return []lua.LValue{self}
				})
			}
		}
	}
	for _, m := range spyMethods() {
		if s.plan != nil && !m.of {
			continue
		}
		known = append(known, m.name)
		if m.name == name {
			return bind(func(L *lua.LState, args []lua.LValue) []lua.LValue { return m.call(w, L, s, args) })
		}
	}
	vm.Throwf(L, 1, "a %s has no '%s'%s", s.luaKind(), name, Suggest(name, known))
	return 0
}

// newSpy is spy.new([fn]).
func (w *asserts) newSpy(L *lua.LState) int {
	s := &spy{name: "new"}
	if L.Get(1) != lua.LNil {
		s.fn = checkCallable(L, 1, "spy.new", "a function")
	}
	L.Push(w.spyValue(s))
	return 1
}

// spyOn is spy.on(table, name): what is there goes on being called.
func (w *asserts) spyOn(L *lua.LState) int {
	s := w.replace(L, "spy.on")
	s.fn = s.original
	L.Push(w.spyValueIn(s))
	return 1
}

// stubOn is stub(table, name [, …]): what is there is not called any more.
func (w *asserts) stubOn(L *lua.LState) int {
	s := w.replace(L, "stub")
	if results := arguments(L, 3); len(results) > 0 {
		w.spyReturns(L, s, results)
	}
	L.Push(w.spyValueIn(s))
	return 1
}

func (w *asserts) replace(L *lua.LState, call string) *spy {
	t, is := L.Get(1).(*lua.LTable)
	if !is {
		vm.Throwf(L, 1, "%s expects a table and the name of a function in it, got %s; for activities there is flow.test.stub", call, describe(L.Get(1)))
	}
	if L.Get(2) == lua.LNil {
		vm.Throwf(L, 1, "%s expects the name of a function in the table as its second argument, got nil", call)
	}
	original := t.RawGet(L.Get(2))
	if !callable(L, original) {
		vm.Throwf(L, 1, "%s: there is no function '%s' in the table, but %s", call, keyText(L.Get(2)), describe(original))
	}
	if old, is := held[*spy](original); is {
		original = old.original
	}
	return &spy{name: keyText(L.Get(2)), table: t, key: L.Get(2), original: original}
}

func (w *asserts) spyValueIn(s *spy) lua.LValue {
	v := w.spyValue(s)
	s.table.RawSet(s.key, v)
	return v
}

// callSpy is a call of the function that a spy is.
func (w *asserts) callSpy(L *lua.LState) int {
	s, _ := held[*spy](L.Get(1))
	if s.plan != nil {
		vm.Throwf(L, 1, "the %s is called by the workflow; start it with flow.test.start", s.luaKind())
	}
	args := arguments(L, 2)
	s.calls = append(s.calls, w.copyAll(args))
	if s.fn == nil {
		return 0
	}
	top := L.GetTop()
	L.Push(s.fn)
	push(L, args)
	L.Call(len(args), lua.MultRet)
	return L.GetTop() - top
}

// copyAll keeps what a call was given as it was then.
func (w *asserts) copyAll(args []lua.LValue) []lua.LValue {
	c := copier{seen: map[*lua.LTable]*lua.LTable{}}
	out := make([]lua.LValue, len(args))
	for i, v := range args {
		w.flow.state.Charge(memberCost)
		out[i] = c.value(v, argument{n: i})
	}
	return out
}

func (w *asserts) spyCalls(L *lua.LState, s *spy, _ []lua.LValue) []lua.LValue {
	list := L.CreateTable(len(s.calls), 0)
	for _, args := range w.callsOf(s) {
		one := L.CreateTable(len(args), 1)
		for i, v := range args {
			one.RawSetInt(i+1, v)
		}
		list.Append(one)
	}
	return []lua.LValue{list}
}

func (w *asserts) spyClear(_ *lua.LState, s *spy, _ []lua.LValue) []lua.LValue {
	s.calls = nil
	if s.plan != nil {
		s.plan.calls = nil
	}
	return nil
}

func (w *asserts) spyInvokes(L *lua.LState, s *spy, args []lua.LValue) []lua.LValue {
	if !callable(L, first(args)) {
		vm.Throwf(L, 1, "stub.invokes expects a function, got %s", describe(first(args)))
	}
	s.fn = args[0]
	return []lua.LValue{w.spyValue(s)}
}

func (w *asserts) spyReturns(_ *lua.LState, s *spy, results []lua.LValue) []lua.LValue {
	s.fn = w.flow.state.Func("stub", func(L *lua.LState) int { return push(L, results) })
	return []lua.LValue{w.spyValue(s)}
}

func (w *asserts) spyRevert(_ *lua.LState, s *spy, _ []lua.LValue) []lua.LValue {
	if s.table != nil {
		s.table.RawSet(s.key, s.original)
	}
	return []lua.LValue{s.original}
}
