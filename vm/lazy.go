package vm

import lua "github.com/yuin/gopher-lua"

// Opening every library for each run would cost more than many runs do. So tables can be filled when a script first looks
// into them; no script can tell, as everything that reads a table without its metatable calls Complete first.

// Lazy makes a global library that is opened when a script first looks into it. open sets the global, and makes the same
// table whenever it is called.
func (s *State) Lazy(name string, open func()) *lua.LTable {
	if s.lazyMeta == nil {
		s.lazyMeta = s.main.CreateTable(0, 2)
		s.lazyMeta.RawSetString("__index", s.Func("__index", func(l *lua.LState) int {
			t := l.CheckTable(1)
			s.Complete(t)
			l.Push(l.GetTable(t, l.Get(2)))
			return 1
		}))
		s.lazyMeta.RawSetString("__newindex", s.Func("__newindex", func(l *lua.LState) int {
			t := l.CheckTable(1)
			s.Complete(t)
			l.SetTable(t, l.Get(2), l.Get(3))
			return 0
		}))
	}
	t := &lua.LTable{Metatable: s.lazyMeta}
	s.Later(t, func() { s.openInto(t, name, open) })
	s.Globals().RawSetString(name, t)
	return t
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
