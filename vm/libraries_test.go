package vm

import (
	"cmp"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// openTestLibraries gives tests as much of string, table and math as they need: the real ones are above this package.
func openTestLibraries(s *State, out *strings.Builder) {
	lua.OpenString(s.Main())
	str := s.Globals().RawGetString("string").(*lua.LTable)
	s.SetStringMethods(str)
	s.main.SetMetatable(lua.LString(""), s.meta)
	s.SetFuncs(str, map[string]lua.LGFunction{
		"rep": func(l *lua.LState) int {
			n := max(0, l.CheckInt(2))
			s.ChargeString(len(l.CheckString(1)) * n)
			l.Push(lua.LString(strings.Repeat(l.CheckString(1), n)))
			return 1
		},
	})
	lua.OpenTable(s.Main())
	table := s.Globals().RawGetString("table").(*lua.LTable)
	s.SetFuncs(table, map[string]lua.LGFunction{
		"sort": func(l *lua.LState) int {
			t, less := l.CheckTable(1), l.Get(2)
			items := make([]lua.LValue, t.Len())
			for i := range items {
				items[i] = t.RawGetInt(i + 1)
			}
			slices.SortFunc(items, func(a, b lua.LValue) int {
				if less == lua.LNil {
					if x, ok := a.(lua.LNumber); ok {
						return cmp.Compare(x, b.(lua.LNumber))
					}
					return strings.Compare(a.String(), b.String())
				}
				call := func(a, b lua.LValue) bool {
					l.Push(less)
					l.Push(a)
					l.Push(b)
					l.Call(2, 1)
					v := l.ToBool(-1)
					l.Pop(1)
					return v
				}
				switch {
				case call(a, b):
					return -1
				case call(b, a):
					return 1
				}
				return 0
			})
			for i, v := range items {
				t.RawSetInt(i+1, v)
			}
			return 0
		},
	})
	io := s.Globals().RawGetString("io").(*lua.LTable)
	s.SetFuncs(io, map[string]lua.LGFunction{
		"write": func(l *lua.LState) int {
			for i := 1; i <= l.GetTop(); i++ {
				out.WriteString(s.ToString(l, l.Get(i)))
			}
			return 0
		},
	})
	lua.OpenMath(s.Main())
	s.Globals().RawGetString("math").(*lua.LTable).RawSetString("huge", lua.LNumber(math.Inf(1)))
}
