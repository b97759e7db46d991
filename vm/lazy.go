package vm

import lua "github.com/yuin/gopher-lua"

// lazy is a library that no script has looked into yet.
type lazy struct {
	name string
	open func()
}

// Lazy makes a global library that is opened when a script first looks into it: opening every library for each run would
// cost more than many runs do. open sets the global, and makes the same table whenever it is called.
func (s *State) Lazy(name string, open func()) *lua.LTable {
	if s.unopened == nil {
		s.unopened = map[*lua.LTable]lazy{}
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
	s.unopened[t] = lazy{name, open}
	s.Globals().RawSetString(name, t)
	return t
}

// Complete opens t if it is a library that was not looked into yet. What reads tables without their metatables calls it first.
func (s *State) Complete(t *lua.LTable) {
	if t.Metatable != s.lazyMeta || s.lazyMeta == nil {
		return
	}
	library := s.unopened[t]
	delete(s.unopened, t)
	t.Metatable = lua.LNil
	g := s.Globals()
	current := g.RawGetString(library.name) // the script may have put something else there
	g.RawSetString(library.name, t)
	library.open()
	made := g.RawGetString(library.name).(*lua.LTable)
	g.RawSetString(library.name, current)
	for k, v := made.Next(lua.LNil); k != lua.LNil; k, v = made.Next(k) {
		t.RawSet(k, v)
	}
	t.Metatable = made.Metatable
}
