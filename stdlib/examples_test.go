package stdlib

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// luaModules are the declarations of Lua's own libraries; those of the other modules have tests of their own.
var luaModules = []string{"base", "coroutine", "string", "table", "math", "os", "debug", "package"}

// TestLuaExamples runs the examples. "--> text" says what comes out: what is printed, or the values of the expression
// before it.
func TestLuaExamples(t *testing.T) {
	for _, module := range luaModules {
		for _, d := range readDeclared(t, module+".d.lua") {
			if d.example == "" {
				continue
			}
			t.Run(d.name, func(t *testing.T) {
				source, want := exampleSource(d.example)
				require.NotEmpty(t, want, "the example shows nothing")
				out, err := runLua(t, "example.lua", source)
				require.NoError(t, err)
				require.Equal(t, strings.Join(want, "\n")+"\n", out)
			})
		}
	}
}

// exampleSource makes a program of an example, and the lines that it must print.
func exampleSource(example string) (source string, want []string) {
	lines := strings.Split(example, "\n")
	for i, line := range lines {
		code, text, ok := strings.Cut(line, " --> ")
		if !ok {
			continue
		}
		want = append(want, text)
		if _, err := vm.Compile("", "return "+code, vm.Limits{}); err == nil && !strings.Contains(code, "print(") {
			lines[i] = "print(" + code + ")"
		}
	}
	return strings.Join(lines, "\n"), want
}

// TestLuaIsDeclared holds the libraries against their declarations.
func TestLuaIsDeclared(t *testing.T) {
	var out strings.Builder
	s := luaState(t, vm.Limits{}, &out)
	for _, module := range luaModules {
		table, prefix := s.Globals(), ""
		if module != "base" {
			table, prefix = s.Globals().RawGetString(module).(*lua.LTable), module+"."
			s.Complete(table)
		}
		text, err := fs.ReadFile(Declarations(), module+".d.lua")
		require.NoError(t, err)
		for key, value := table.Next(lua.LNil); key != lua.LNil; key, value = table.Next(key) {
			name := prefix + key.String()
			if _, isFunction := value.(*lua.LFunction); isFunction && !onlyRefuses(name) {
				require.Contains(t, string(text), "\nfunction "+name+"(", "%s is not declared", name)
			}
		}
		for _, line := range strings.Split(string(text), "\n") {
			if rest, ok := strings.CutPrefix(line, "function "+prefix); ok {
				name, _, _ := strings.Cut(rest, "(")
				require.Equal(t, lua.LTFunction, table.RawGetString(name).Type(), "%s%s is declared, but not there", prefix, name)
			}
		}
	}
}

// onlyRefuses tells which functions are there only to say where such work belongs.
func onlyRefuses(name string) bool {
	_, absent := vm.WorkflowAbsent()[name]
	return absent || strings.Contains(" os.execute os.exit os.getenv os.remove os.rename os.setlocale os.tmpname ", " "+name+" ")
}
