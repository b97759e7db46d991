package vm

import (
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// withSites runs a source in which mark() captures a site.
func withSites(t testing.TB, source string) []*Site {
	s := New(Config{})
	defer s.Close()
	var sites []*Site
	s.Globals().RawSetString("mark", s.Func("mark", func(*lua.LState) int {
		sites = append(sites, s.Site())
		return 0
	}))
	_, err := s.Call(s.Load(compile(t, source)))
	require.NoError(t, err)
	return sites
}

func TestSite(t *testing.T) {
	sites := withSites(t, `local function inner() mark() end
function middle() inner() return 1 end
pcall(function() middle() end)
coroutine.wrap(function() middle() end)()
local function deep(n) if n > 0 then deep(n - 1) else mark() end return 1 end
deep(50)`)
	require.Equal(t, []Frame{
		{"bench.lua", 1, "function 'inner'"},
		{"bench.lua", 2, "function 'middle'"},
		{"bench.lua", 3, "function <bench.lua:3>"},
		{"[C]", 0, "function 'pcall'"},
		{"bench.lua", 3, "main chunk"},
	}, sites[0].Frames())
	require.Equal(t, []Frame{
		{"bench.lua", 1, "function 'inner'"},
		{"bench.lua", 2, "function 'middle'"},
		{"bench.lua", 4, "function <bench.lua:4>"},
		{"[C]", 0, ""},
		{"bench.lua", 4, "main chunk"},
	}, sites[1].Frames())
	require.Len(t, sites[2].Frames(), siteDepth-1)
	require.Nil(t, (*Site)(nil).Frames())
}

// TestThrowfLevels: a library function blames its caller, or that one's.
func TestThrowfLevels(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	s.Globals().RawSetString("fail", s.Func("fail", func(l *lua.LState) int { Throwf(l, l.CheckInt(1), "no %s", "way"); return 0 }))
	for code, want := range map[string]string{
		"fail(1)":                              "bench.lua:1: no way",
		"local function f()\nfail(2) end\nf()": "bench.lua:3: no way",
		"fail(0)":                              "no way",
		"error(select(2, pcall(fail, 1)), 0)":  "no way",
	} {
		_, err := s.Call(s.Load(compile(t, code)))
		require.EqualError(t, err, want, code)
	}
}

func TestErrorIsGoError(t *testing.T) {
	s := New(Config{})
	defer s.Close()
	s.Globals().RawSetString("fail", s.Func("fail", func(l *lua.LState) int {
		ud := l.NewUserData()
		ud.Value = errEngine
		Throw(l, ud)
		return 0
	}))
	_, err := s.Call(s.Load(compile(t, `fail()`)))
	require.ErrorIs(t, err, errEngine)
	_, err = s.Call(s.Load(compile(t, `error({})`)))
	require.EqualError(t, err, "(error object is a table value)")
	_, err = s.Call(s.Load(compile(t, `error()`)))
	require.EqualError(t, err, "(error object is a nil value)")
}

func BenchmarkSite(b *testing.B) {
	s := New(Config{Limits: Limits{Instructions: 1 << 60, Turn: 1 << 60}})
	defer s.Close()
	s.Globals().RawSetString("mark", s.Func("mark", func(*lua.LState) int {
		for range b.N {
			s.Site()
		}
		return 0
	}))
	b.ReportAllocs()
	_, err := s.Call(s.Load(compile(b, `local function f() mark() end local function g() f() return 1 end g()`)))
	require.NoError(b, err)
}
