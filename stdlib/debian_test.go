package stdlib

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// debianLua is where Debian installs libraries for Lua 5.1.
const debianLua = "/usr/share/lua/5.1"

// debianPackages are libraries in pure Lua that others wrote, and what Debian's packages of them install; .ci/run installs them.
var debianPackages = map[string][]string{
	"lua-ansicolors": {"ansicolors.lua"}, "lua-argparse": {"argparse.lua"}, "lua-basexx": {"basexx.lua"}, "lua-binaryheap": {"binaryheap.lua"},
	"lua-cliargs": {"cliargs.lua", "cliargs"}, "lua-coxpcall": {"coxpcall.lua"}, "lua-dkjson": {"dkjson.lua"}, "lua-fifo": {"fifo.lua"},
	"lua-inifile": {"inifile.lua"}, "lua-inspect": {"inspect.lua"}, "lua-luassert": {"luassert"}, "lua-markdown": {"markdown.lua"},
	"lua-mediator": {"mediator.lua"}, "lua-messagepack": {"MessagePack.lua"}, "lua-moses": {"moses.lua"}, "lua-penlight": {"pl"},
	"lua-say": {"say"}, "lua-unit": {"luaunit.lua"},
	"lua-check": {"luacheck"}, "lua-lemock": {"lemock.lua"}, "lua-logging": {"logging.lua"}, "lua-uri": {"uri.lua", "uri"},
}

// TestDebian runs programs that use most of what these libraries have, from a script's own tree, and expects what lua5.1
// prints: recorded beside them, and, where it is installed, of today.
func TestDebian(t *testing.T) {
	dir := t.TempDir()
	var absent []string
	for name, files := range debianPackages {
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(debianLua, file)); err != nil {
				absent = append(absent, name)
				break
			}
			if out, err := exec.Command("cp", "-rL", filepath.Join(debianLua, file), dir).CombinedOutput(); err != nil {
				require.NoError(t, err, "%s", out)
			}
		}
	}
	if len(absent) > 0 {
		require.Empty(t, os.Getenv("CI"), "apt-get install %s", strings.Join(absent, " "))
		t.Logf("not installed: %s", strings.Join(absent, " "))
		return
	}
	programs, err := filepath.Glob("testdata/debian/*.lua")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(programs), 12)
	for _, program := range programs {
		name := filepath.Base(program)
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(program)
			require.NoError(t, err)
			recorded, err := os.ReadFile(strings.TrimSuffix(program, ".lua") + ".expected")
			require.NoError(t, err)
			want := string(recorded)
			if today, ok := lua51Prints(t, dir, name, string(source)); ok {
				want = today
			}
			require.Equal(t, want, printed(t, dir, name, string(source)))
		})
	}
}

// printed runs a program as workflow code, with a folder for its modules.
func printed(t *testing.T, dir, name, source string) string {
	var out strings.Builder
	s := vm.New(vm.Config{Modules: os.DirFS(dir), Print: func(line string) { out.WriteString(line + "\n") }})
	t.Cleanup(s.Close)
	OpenString(s)
	OpenTable(s)
	OpenMath(s, nil)
	now := func() time.Time { return time.Unix(1e9, 0) }
	OpenOS(s, now().Add(-time.Second), now)
	OpenRefused(s, ActivityModules[:]...)
	chunk, err := vm.Compile(name, source, vm.Limits{})
	require.NoError(t, err)
	_, err = s.Call(s.Load(chunk))
	require.NoError(t, err)
	return out.String()
}

// lua51Prints runs a program under lua5.1, if there is one.
func lua51Prints(t *testing.T, dir, name, source string) (string, bool) {
	path, err := exec.LookPath("lua5.1")
	if err != nil {
		return "", false
	}
	command := exec.Command(path, "-e", "arg = nil assert(loadstring(io.read('*a'), '@"+name+"'))()")
	command.Dir = dir
	command.Env = []string{"LUA_PATH=?.lua;?/init.lua", "LUA_CPATH="}
	command.Stdin = strings.NewReader(source)
	out, err := command.Output()
	require.NoError(t, err)
	return string(out), true
}
