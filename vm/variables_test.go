package vm

import (
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// TestLevels: every function of the stack shows its variables, and what is evaluated there sees and sets them.
func TestLevels(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	var seen []string
	s.Globals().RawSetString("look", s.Func("look", func(l *lua.LState) int {
		for _, level := range s.Stack().Levels() {
			text := ""
			for _, v := range level.Variables {
				sign := " "
				if v.Upvalue {
					sign = " ^"
				}
				text += sign + v.Name + "=" + s.ToString(s.main, v.Value())
			}
			for _, v := range level.Rest {
				text += " ..." + s.ToString(s.main, v)
			}
			seen = append(seen, level.Function+text)
		}
		levels := s.Stack().Levels()
		s.Suspend(func() {
			out, err := s.Evaluate(levels[0], "typed", "a = a * 10; shared = 'set'; return a, shared, select('#', ...)")
			require.NoError(t, err)
			require.Equal(t, "20 set 2", texts(s, out))
			out, err = s.Evaluate(levels[2], "typed", "i + #list")
			require.NoError(t, err)
			require.Equal(t, "4", texts(s, out))
			_, err = s.Evaluate(levels[0], "typed", "a = 7 error('late', 0)")
			require.ErrorContains(t, err, "late")
			_, err = s.Evaluate(levels[0], "typed", "a +")
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
		})
		return 0
	}))
	out, err := s.Call(s.Load(compile(t, `local shared = "own"
		local function inner(a, ...) local hidden = 1 do local hidden = 2 local gone = 3 end look() return a, shared end
		local list = { 1, 2 }
		for i, v in ipairs(list) do if i == 2 then return pcall(function() local got, text = inner(v, "x", "y") return got, text end) end end`)))
	require.NoError(t, err)
	require.Equal(t, "true 7 set", texts(s, out))
	require.Equal(t, []string{"function 'inner' hidden=1 a=2 ^shared=own ...x ...y", "function <bench.lua:4> ^inner=function: 0x00000001 ^v=2",
		"main chunk v=2 i=2 list=table: 0x00000002 inner=function: 0x00000001 shared=own"}, seen)
}

// TestRaised: the variables are those of the moment at which an error is raised.
func TestRaised(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	var first []Level
	s.Raised = func(v lua.LValue) { first = s.Levels() }
	_, err := s.Call(s.Load(compile(t, `local n = 1 local ok = pcall(function() local m = n + 1 error("x") end) n = 5 return n`)))
	require.NoError(t, err)
	require.Equal(t, lua.LNumber(2), first[0].Variables[0].Value())
	require.Equal(t, lua.LNumber(1), first[1].Variables[0].Value())
}
