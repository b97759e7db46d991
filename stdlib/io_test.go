package stdlib

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

func TestReadFormats(t *testing.T) {
	cases := []struct{ content, formats, result string }{
		{"a\nb\n", `"*l", "*l", "*l"`, "a\tb\tnil"},
		{"a\nb", `"*l", "*l"`, "a\tb"},
		{"\n\nx", `"*l", "*l", "*l"`, "\t\tx"},
		{"", `"*l"`, "nil"},
		{"", `"*a"`, ""},
		{"", `0`, "nil"},
		{"x", `0, 1, 0`, "\tx\tnil"},
		{"abc", `2, 2, 2`, "ab\tc\tnil"},
		{"abc", `"*a", "*a"`, "abc\t"},
		{"a\r\nb\x00c\n", `"*l", "*l"`, "a\r\tb\x00c"},
		{"12 -3.5e2,0x1F .5 5. 1e", `"*n", "*n", 1, "*n", "*n", "*n", "*n"`, "12\t-350\t,\t31\t0.5\t5\tnil"},
		{"x", `"*n", "*a"`, "nil"},
		{" \n\t7rest", `"*n", "*a"`, "7\trest"},
		{strings.Repeat("9", 300), `"*n", "*a"`, "1e+200\t" + strings.Repeat("9", 100)},
		{"--1", `"*n"`, "nil"},
		{strings.Repeat("x", 10_000) + "\ny", `"*l", "*l"`, strings.Repeat("x", 10_000) + "\ty"},
		{"line\n", `"*line", "*all"`, "line\t"},
	}
	a := newActivityLua(t, "")
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range cases {
		t.Run(c.formats, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
			got, err := a.run(`local f = assert(io.open(...)); local function show(...) f:close() return ... end return show(f:read(`+c.formats+`))`, lua.LString(path))
			require.NoError(t, err)
			require.Equal(t, c.result, strings.Join(got, "\t"))
		})
	}
}

func TestFiles(t *testing.T) {
	a := newActivityLua(t, "first\nsecond\n12")
	dir := lua.LString(t.TempDir() + "/")
	a.check(t, []activityCase{
		{source: `local f = io.open(... .. "a", "w"); return io.type(f), f:write("one\n", 2):write("\n"):close(), io.type(f)`, result: "file\ttrue\tclosed file"},
		{source: `local f = io.open(... .. "a", "r"); return f:read(), f:read("*n"), f:read("*a"), f:read("*a"), f:read()`, result: "one\t2\t\n\t\tnil"},
		{source: `local f = io.open(... .. "a", "a"); f:write("three"); f:close(); return io.open(... .. "a"):read("*a")`, result: "one\n2\nthree"},
		{source: `local f = io.open(... .. "a", "r+b"); f:read(); f:write("X"); f:seek("set"); return f:read("*a")`, result: "one\nX\nthree"},
		{source: `local f = io.open(... .. "a", "a+"); f:read(1); f:write("!"); f:seek("set", 0); return f:read("*a")`, result: "one\nX\nthree!"},
		{source: `local f = io.open(... .. "a"); return f:seek("end"), f:seek("set", 2), f:read(2), f:seek(), f:seek("cur", -1)`, result: "12\t2\te\n\t4\t3"},
		{source: `return io.open(... .. "a"):seek("set", -1)`, result: "nil\t" + string(dir) + "a: Invalid argument\t22"},
		{source: `local s = "" for l in io.lines(... .. "a") do s = s .. l .. "," end return s`, result: "one,X,three!,"},
		{source: `local f = io.open(... .. "a") local n = 0 for l in f:lines() do n = n + 1 end return n, io.type(f), f:read()`, result: "3\tfile\tnil"},
		{source: `local f = io.open(... .. "b", "w") f:setvbuf("no") f:write("x") return io.open(... .. "b"):read("*a")`, result: "x"},
		{source: `local f = io.open(... .. "b", "w") f:setvbuf("line") f:write("x\n") return io.open(... .. "b"):read("*a")`, result: "x\n"},
		{source: `local f = io.open(... .. "b", "w") f:write("x") local before = io.open(... .. "b"):read() f:flush() return before, io.open(... .. "b"):read()`, result: "nil\tx"},
		{source: `local f = io.tmpfile() f:write("t") f:seek("set") return f:read("*a")`, result: "t"},
		{source: `return io.open(... .. "missing")`, result: "nil\t" + string(dir) + "missing: No such file or directory\t2"},
		{source: `return io.open(... .. "a"):write("x")`, result: "nil\t" + string(dir) + "a: the file is not open for writing\t0"},
		{source: `return io.open(... .. "a", "w"):read()`, result: "nil\t" + string(dir) + "a: the file is not open for reading\t0"},
		{source: `return io.read(), io.read("*l"), io.stdin:read("*n"), io.read()`, result: "first\tsecond\t12\tnil"},
		{source: `io.output(... .. "c") io.write("to c") io.close() io.output(io.stdout) io.input(... .. "c") return io.read("*a")`, result: "to c"},
		{source: `return tostring(io.stdout), io.type(io.stderr), io.type({}), tostring(io.open(... .. "a"))`, result: "file (stdout)\tfile\tnil\tfile (" + string(dir) + "a)"},
		{source: `io.open("x", "rw")`, err: "invalid mode 'rw'"},
		{source: `io.open(... .. "a"):read("*x")`, err: `invalid format "*x"`},
		{source: `io.lines(... .. "missing")`, err: "missing: No such file or directory"},
		{source: `local f = io.open(... .. "a") f:close() f:read()`, err: "attempt to use a closed file"},
		{source: `local f = io.open(... .. "a") local l = f:lines() f:close() l()`, err: "file is already closed"},
		{source: `io.stdout.write("x")`, err: "file expected"},
		{source: `io.output():close() io.write("x")`, err: "the standard output file is closed"},
		{source: `io.type()`, err: "value expected"},
		{source: `io.open(... .. "a"):seek("start")`, err: `expected "set", "cur" or "end"`},
	}, dir)
}

func TestOutput(t *testing.T) {
	a := newActivityLua(t, "")
	_, err := a.run(`io.write("a", 1, "\n") io.stderr:write("e") io.write("rest")`)
	require.NoError(t, err)
	require.Equal(t, "a1\ne", a.stdout.String(), "lines are written when they are complete")
	_, err = a.run(`io.flush()`)
	require.NoError(t, err)
	require.Equal(t, "a1\nerest", a.stdout.String())
}

func TestWhatIsLeftOpenIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	t.Run("activity", func(t *testing.T) {
		a := newActivityLua(t, "")
		_, err := a.run(`io.open(..., "w"):write("kept")`, lua.LString(path))
		require.NoError(t, err)
	})
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "kept", string(data))
}

func TestFileCannotLeave(t *testing.T) {
	a := newActivityLua(t, "")
	chunk, err := a.run(`return io.stdout`)
	require.NoError(t, err)
	require.Len(t, chunk, 1)
	_, err = a.Encode(a.Globals().RawGetString("io").(*lua.LTable).RawGetString("stdout"), "result")
	require.EqualError(t, err, "result: an open file cannot leave the activity: return its name or its content")
}

func TestCommands(t *testing.T) {
	a := newActivityLua(t, "in")
	a.check(t, []activityCase{
		{source: `return os.execute()`, result: "1"},
		{source: `return os.execute("exit 3")`, result: "3"},
		{source: `return os.execute("true")`, result: "0"},
		{source: `return os.execute("kill -9 $$")`, result: "137"},
		{source: `local p = io.popen("cat; echo in-$(cat); exit 2") local s = p:read("*a") return s, p:close()`, result: "in-\n\tnil\texit\t2"},
		{source: `local p = io.popen("cat > $F", "w") return p:close()`, result: "nil\texit\t2"},
		{source: `local p = io.popen("read x; test $x = hello", "w") p:write("hello\n") return p:close()`, result: "true\texit\t0"},
		{source: `return io.type(io.popen("true"))`, result: "file"},
		{source: `io.popen("true", "rw")`, err: `expected the mode "r" or "w"`},
		{source: `return io.popen("true"):seek()`, result: "nil\ttrue: Illegal seek\t0"},
	})
	_, err := a.run(`os.execute("echo hello")`)
	require.NoError(t, err)
	require.Contains(t, a.stdout.String(), "hello\n")
}

// TestCancelledCommands: what waits for a command ends at once when the activity must stop, and so do the command's
// own children.
func TestCancelledCommands(t *testing.T) {
	dir := t.TempDir()
	for i, source := range []string{
		`os.execute("sleep 60 & touch $MARK; wait")`,
		`local p = io.popen("sleep 60 & touch $MARK; wait") p:read("*a")`,
		`for line in io.popen("touch $MARK; sleep 60"):lines() do end`,
		`local p = io.popen("touch $MARK; exec sleep 60", "w") p:close()`,
	} {
		t.Run(source, func(t *testing.T) {
			mark := filepath.Join(dir, strconv.Itoa(i))
			a := newActivityLua(t, "")
			go func() {
				for t.Context().Err() == nil { // the command says by a file that it runs
					if _, err := os.Stat(mark); err == nil {
						a.cancel(errors.New("the deadline passed"))
						return
					}
					runtime.Gosched()
				}
			}()
			_, err := a.run(strings.ReplaceAll(source, "$MARK", mark))
			require.EqualError(t, err, "CancelledError: the activity was told to stop: the deadline passed")
			_, err = a.run(`io.popen("true")`)
			require.ErrorContains(t, err, "CancelledError")
		})
	}
}
