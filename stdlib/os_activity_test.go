package stdlib

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

func TestMachine(t *testing.T) {
	t.Setenv("FLOWLUA_TEST", "here")
	a := newActivityLua(t, "")
	dir := lua.LString(t.TempDir() + "/")
	require.NoError(t, os.WriteFile(string(dir)+"a", nil, 0o600))
	a.check(t, []activityCase{
		{source: `return os.getenv("FLOWLUA_TEST"), os.getenv("FLOWLUA_TEST_MISSING")`, result: "here\tnil"},
		{source: `return os.rename(... .. "a", ... .. "b")`, result: "true"},
		{source: `return os.rename(... .. "a", ... .. "b")`, result: "nil\t" + string(dir) + "a: No such file or directory\t2"},
		{source: `return os.remove(... .. "b")`, result: "true"},
		{source: `return os.remove(... .. "b")`, result: "nil\t" + string(dir) + "b: No such file or directory\t2"},
		{source: `local n = os.tmpname() local there = io.open(n) ~= nil os.remove(n) return there`, result: "true"},
		{source: `return os.setlocale(), os.setlocale("C"), os.setlocale("de_DE")`, result: "C\tC\tnil"},
		{source: `return os.clock() >= 0, os.difftime(5, 3)`, result: "true\t2"},
		{source: `return os.date("!%Y-%m-%d %H:%M:%S", 1e9), os.date("!*t", 0).year, os.date("%F", 0/0)`, result: "2001-09-09 01:46:40\t1970\tnil"},
		{source: `return os.time(os.date("*t", 1e9)), os.time({year = 2001, month = 1, day = 1}) ~= nil`, result: "1000000000\ttrue"},
		{source: `os.exit(1)`, err: "os.exit is not available in an activity, which must not end its host"},
		{source: `os.getenv()`, err: "string expected, got no value"},
		{source: `return require "os" == os, require "io" == io`, result: "true\ttrue"},
	}, dir)
	zone := time.FixedZone("XYZ", 5400)
	require.Equal(t, "+0130 XYZ", string(formatDate(nil, "%z %Z", time.Unix(0, 0).In(zone))))
	before := time.Now().Unix()
	got, err := a.run(`return os.time() - ..., os.date("%s") - ...`, lua.LNumber(before))
	require.NoError(t, err)
	require.Subset(t, []string{"0", "1", "2", "3"}, got)
}

// A file that is longer than a string may be is an error of the script, which says what to do.
func TestLongFiles(t *testing.T) {
	a := newActivityLua(t, "")
	file := filepath.Join(t.TempDir(), "long")
	f, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(int64(a.Limits().StringBytes)+1))
	require.NoError(t, f.Close())
	a.check(t, []activityCase{
		{source: `require "fs".read(...)`, err: "bytes that one read may give: read it in pieces with io.open"},
		{source: `io.open(...):read("*a")`, err: "bytes that one read may give: read the file in pieces"},
		{source: `io.open(...):read(1e9)`, err: "bytes that one read may give: read the file in pieces"},
		{source: `io.open(...):read("*l")`, err: "bytes that one read may give: read the file in pieces"},
		{source: `return #io.open(...):read(65536)`, result: "65536"},
	}, lua.LString(file))
}

func TestFileSystem(t *testing.T) {
	a := newActivityLua(t, "")
	dir := t.TempDir()
	require.NoError(t, os.Symlink("b", filepath.Join(dir, "link")))
	a.check(t, []activityCase{
		{source: `local fs = require "fs" fs.mkdir(... .. "/a/b/c") fs.mkdir(... .. "/a") return fs.stat(... .. "/a/b").type, fs.stat(... .. "/x")`, result: "directory\tnil"},
		{source: `local fs = require "fs" fs.write(... .. "/b", "12\0") fs.write(... .. "/b", "123\0") return fs.read(... .. "/b") == "123\0", fs.stat(... .. "/b").size`, result: "true\t4"},
		{source: `local s = "" for _, e in ipairs(require "fs".list(...)) do s = s .. e.name .. ":" .. e.type .. " " end return s`, result: "a:directory b:file link:link "},
		{source: `local fs, s = require "fs", "" for p, e in fs.walk(...) do s = s .. p:sub(#... + 1) .. " " end return s`, result: "/a /a/b /a/b/c /b /link "},
		{source: `local fs = require "fs" fs.remove_all(... .. "/a") fs.remove_all(... .. "/a") return fs.stat(... .. "/a")`, result: "nil"},
		{source: `return require "fs".join("a", "", "../b", "c")`, result: "b/c"},
		{source: `local ok, e = pcall(require "fs".read, ... .. "/x") return e.name, e:is("NotFound"), e.retryable`, result: "FileError\ttrue\tnil"},
		{source: `require "fs".read(...)`, err: "FileError: read " + dir},
		{source: `require "fs".mkdir(... .. "/b")`, err: "FileError: mkdir " + dir + "/b"},
		{source: `require "fs".write(..., "x")`, err: "is a directory"},
		{source: `require "fs".write(... .. "/x/y", "x")`, err: "FileError"},
		{source: `require "fs".list(... .. "/x")`, err: "FileError"},
		{source: `require "fs".walk(... .. "/x")`, err: "FileError"},
		{source: `require "fs".remove_all(".")`, err: "fs.remove_all: . is or holds the current directory"},
		{source: `require "fs".remove_all("..")`, err: "is or holds the current directory"},
		{source: `require "fs".remove_all("/")`, err: "is or holds the current directory"},
		{source: `require "fs".remove_all("")`, err: "fs.remove_all expects a path as argument #1"},
		{source: `require "fs".lst(...)`, err: "fs has no 'lst' (did you mean 'list'?)"},
	}, lua.LString(dir))
	left, err := filepath.Glob(filepath.Join(dir, ".flowlua-*"))
	require.NoError(t, err)
	require.Empty(t, left, "no temporary file stays behind")
	a.cancel(nil)
	for _, source := range []string{`require "fs".list(...)`, `require "hash".file(... .. "/b")`} {
		_, err = a.run(source, lua.LString(dir))
		require.EqualError(t, err, "CancelledError: the activity was told to stop")
	}
}

// TestWriteKeepsPermissions: replacing a file is not noticed by who may read it.
func TestWriteKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o640))
	require.NoError(t, replaceFile(path, "new"))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

func TestHash(t *testing.T) {
	a := newActivityLua(t, "")
	path := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(path, make([]byte, 200_000), 0o600))
	a.check(t, []activityCase{
		{source: `local h = require "hash" return h.crc32(""), h.md5(""), h.sha1("")`, result: "00000000\td41d8cd98f00b204e9800998ecf8427e\tda39a3ee5e6b4b0d3255bfef95601890afd80709"},
		{source: `local h, z = require "hash", ("\0"):rep(200000) return h.file(...) == h.sha256(z), h.file(..., "md5") == h.md5(z)`, result: "true\ttrue"},
		{source: `require "hash".file(..., "sha512")`, err: "unknown algorithm 'sha512'"},
		{source: `require "hash".file(... .. "x")`, err: "FileError"},
	}, lua.LString(path))
}

// TestRefused: workflow code may name the modules of activities, and only learns at a call that they are not its own.
func TestRefused(t *testing.T) {
	s := vm.New(vm.Config{})
	t.Cleanup(s.Close)
	OpenHash(s, nil)
	OpenRefused(s, ActivityModules[:]...)
	run := func(source string) error {
		chunk, err := vm.Compile("w.lua", source, vm.Limits{})
		require.NoError(t, err)
		_, err = s.Call(s.Load(chunk))
		return err
	}
	require.NoError(t, run(`local http, fs, io2 = require "http", require "fs", require "io" local get, open = http.get, io.open local out = io.stdout assert(io2 == io and require "hash".md5(""))`))
	require.EqualError(t, run(`require "http".get("http://x")`), "w.lua:1: http.get is not available in workflow code: move it into an activity (flow.activity)")
	require.EqualError(t, run("local open = io.open\nopen('x')"), "w.lua:2: io.open is not available in workflow code: move it into an activity (flow.activity)")
	require.EqualError(t, run(`io.stdout:write("x")`), "w.lua:1: io.stdout.write is not available in workflow code: move it into an activity (flow.activity)")
	require.EqualError(t, run(`require "hash".file("x")`), "w.lua:1: hash.file is not available in workflow code: move it into an activity (flow.activity)")
	require.ErrorContains(t, run(`io.x = 1`), "io is not available in workflow code")
}
