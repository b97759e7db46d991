package stdlib

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// luaState is a state with Lua's libraries as workflow code has them; the clock stands at 1e9. What is printed goes to
// out, and so does what io.write writes, as the cases were made for Lua's own command.
func luaState(t testing.TB, limits vm.Limits, out *strings.Builder) *vm.State {
	s := vm.New(vm.Config{Limits: limits, Print: func(line string) { out.WriteString(line + "\n") }})
	t.Cleanup(s.Close)
	OpenString(s)
	OpenTable(s)
	OpenMath(s, nil)
	now := func() time.Time { return time.Unix(1e9, 0) }
	OpenOS(s, now().Add(-time.Second), now)
	io := s.Main().CreateTable(0, 1)
	s.SetFuncs(io, map[string]lua.LGFunction{"write": func(L *lua.LState) int {
		for i := range L.GetTop() {
			out.WriteString(s.ToString(L, L.Get(i+1)))
		}
		return 0
	}})
	s.Globals().RawSetString("io", io)
	return s
}

// runLua runs a source with Lua's libraries and returns what it printed.
func runLua(t testing.TB, name, source string) (string, error) {
	var out strings.Builder
	s := luaState(t, vm.Limits{Instructions: 1e8}, &out)
	chunk, err := vm.Compile(name, source, vm.Limits{})
	if err != nil {
		return "", err
	}
	_, err = s.Call(s.Load(chunk))
	return out.String(), err
}

// TestLuaCases runs the programs of vm that gopher-lua alone computes wrongly: here with the libraries that some of them need.
func TestLuaCases(t *testing.T) {
	files, err := filepath.Glob("../vm/testdata/cases/*.lua")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 15)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			want, err := os.ReadFile(strings.TrimSuffix(file, ".lua") + ".expected")
			require.NoError(t, err)
			out, err := runLua(t, filepath.Base(file), string(source))
			require.NoError(t, err)
			require.Equal(t, string(want), out)
		})
	}
}
