package vm

import lua "github.com/yuin/gopher-lua"

// Opening every library for each run would cost more than many runs do. So tables can be filled when a script first looks
// into them; no script can tell, as everything that reads a table without its metatable calls Complete first.

// Lazy makes a global library that is opened when a script first looks into it. open sets the global, and makes the same
// table whenever it is called.
func (s *State) Lazy(name string, open func()) *lua.LTable {
	t := s.unopened(name)
	s.Later(t, func() { s.openInto(t, name, open) })
	return t
}

// lazyCopy makes a global library that is copied from a model when a script first looks into it. more adds what is not the same
// in all states; it may be nil.
func (s *State) lazyCopy(name string, model *lua.LTable, more func(t *lua.LTable)) {
	t := s.unopened(name)
	s.Later(t, func() {
		t.Metatable = lua.LNil
		copyFields(t, model)
		if more != nil {
			more(t)
		}
	})
}

func (s *State) unopened(name string) *lua.LTable {
	t := &lua.LTable{Metatable: s.models.unopened}
	s.Globals().RawSetString(name, t)
	return t
}

// unopenedModel is the metatable of libraries that no script has looked into.
func unopenedModel() *lua.LTable {
	return Builtins(map[string]Builtin{
		"__index": func(s *State, l *lua.LState) int {
			t := l.CheckTable(1)
			s.Complete(t)
			l.Push(l.GetTable(t, l.Get(2)))
			return 1
		},
		"__newindex": func(s *State, l *lua.LState) int {
			t := l.CheckTable(1)
			s.Complete(t)
			l.SetTable(t, l.Get(2), l.Get(3))
			return 0
		},
	})
}

// openInto opens a library and moves what it is made of into the table that the script has.
func (s *State) openInto(t *lua.LTable, name string, open func()) {
	t.Metatable = lua.LNil
	g := s.Globals()
	current := g.RawGetString(name) // the script may have put something else there
	g.RawSetString(name, t)
	open()
	made := g.RawGetString(name).(*lua.LTable)
	g.RawSetString(name, current)
	for k, v := made.Next(lua.LNil); k != lua.LNil; k, v = made.Next(k) {
		t.RawSet(k, v)
	}
	t.Metatable = made.Metatable
}

// Later says how to fill t before something reads it without its metatable. The metatable of t, which it must have, sees
// to everything else.
func (s *State) Later(t *lua.LTable, fill func()) {
	if s.unfilled == nil {
		s.unfilled = map[*lua.LTable]func(){}
	}
	s.unfilled[t] = fill
}

// Complete fills t if that was put off.
func (s *State) Complete(t *lua.LTable) {
	if t.Metatable == nil || t.Metatable == lua.LNil {
		return
	}
	if fill := s.unfilled[t]; fill != nil {
		delete(s.unfilled, t)
		fill()
	}
}
