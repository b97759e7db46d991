package stdlib

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// activityModules are the modules whose examples run in the state of an activity, and what each declares.
var activityModules = map[string][]string{
	"fs":   {"fs.join", "fs.list", "fs.mkdir", "fs.read", "fs.remove_all", "fs.stat", "fs.walk", "fs.write"},
	"hash": {"hash.crc32", "hash.md5", "hash.sha1", "hash.sha256", "hash.file"},
	"http": {"Response:json", "Response:raise", "http.get", "http.post", "http.request"},
	"io": {
		"io.close", "io.flush", "io.input", "io.lines", "io.open", "io.output", "io.popen", "io.read", "io.tmpfile", "io.type",
		"io.write", "file:close", "file:flush", "file:lines", "file:read", "file:seek", "file:setvbuf", "file:write",
	},
	"os_activity": {"os.execute", "os.exit", "os.getenv", "os.remove", "os.rename", "os.setlocale", "os.tmpname"},
	"json":        {"json.encode", "json.decode", "json.array", "json.object"},
}

// TestActivityExamples runs the examples of the declarations. In them `dir` is an empty directory and `base` the address
// of a service.
func TestActivityExamples(t *testing.T) {
	base, _ := testService(t)
	for name, declared := range activityModules {
		t.Run(name, func(t *testing.T) {
			var functions []string
			for _, d := range readDeclared(t, name+".d.lua") {
				if d.function {
					functions = append(functions, d.name)
					require.NotEmpty(t, d.example, "%s has no example", d.name)
				}
				if d.example == "" {
					continue
				}
				t.Run(d.name, func(t *testing.T) {
					runActivityExample(t, d.example, strings.TrimSuffix(name, "_activity"), lua.LString(t.TempDir()), lua.LString(base))
				})
			}
			require.Equal(t, declared, functions)
		})
	}
}

// runActivityExample runs one example. "--> text" says what comes out, in order: the values of the expression before it,
// or what is printed. Newlines within values are written as \n.
func runActivityExample(t *testing.T, example, module string, args ...lua.LValue) {
	a := newActivityLua(t, "")
	var source strings.Builder
	fmt.Fprintf(&source, "local dir, base = ... local %s = require %q\n", module, module)
	var want []string
	for _, line := range strings.Split(strings.TrimSpace(example), "\n") {
		code, expected, has := strings.Cut(line, "--> ")
		if has {
			want = append(want, expected)
		}
		if _, err := vm.Compile("example", "return "+code, vm.Limits{}); has && err == nil && strings.TrimSpace(code) != "" {
			code = "show(" + code + ")"
		}
		source.WriteString(code + "\n")
	}
	a.Globals().RawSetString("show", a.Func("show", func(L *lua.LState) int {
		if L.GetTop() > 0 {
			texts := make([]string, L.GetTop())
			for i := range texts {
				texts[i] = strings.ReplaceAll(a.ToString(L, L.Get(i+1)), "\n", `\n`)
			}
			a.printed = append(a.printed, strings.Join(texts, "\t"))
		}
		return 0
	}))
	_, err := a.run(source.String(), args...)
	require.NoError(t, err)
	printed := strings.Join(a.printed, "\n") + strings.TrimSuffix(a.stdout.String(), "\n")
	require.Equal(t, strings.Join(want, "\n"), printed)
}
