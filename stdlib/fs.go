package stdlib

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// OpenFS installs require "fs", the parts of a file system that Lua 5.1 lacks, for activities. Its failures are raised
// as FileError, with the kinds NotFound, Exists and PermissionDenied, so that a retry or a catch sees them.
func OpenFS(s *vm.State, ctx context.Context) {
	s.Preload("fs", func(*lua.LState) lua.LValue {
		m := &fsModule{bounds{s}, ctx}
		return module(s, "fs", []entry{
			{"join", m.join}, {"list", m.list}, {"mkdir", m.mkdir}, {"read", m.read}, {"remove_all", m.removeAll},
			{"stat", m.stat}, {"walk", m.walk}, {"write", m.write},
		})
	})
}

type fsModule struct {
	bounds
	ctx context.Context
}

// path reads a file's name. An empty one is a mistake: for most calls the system would take it for the current directory.
func (m *fsModule) path(L *lua.LState, n int, call string) string {
	stopped(m.state, L, m.ctx)
	return checkText(L, n, call, "a path")
}

func (m *fsModule) fail(L *lua.LState, err error) { fileFault(err).raise(m.state, L) }

// join joins the parts of a path and makes it clean.
func (m *fsModule) join(L *lua.LState) int {
	parts := make([]string, L.GetTop())
	for i := range parts {
		parts[i] = m.text(L, i+1)
	}
	L.Push(lua.LString(filepath.Join(parts...)))
	return 1
}

// stat describes a file, or returns nil if there is none.
func (m *fsModule) stat(L *lua.LState) int {
	path := m.path(L, 1, "fs.stat")
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		L.Push(lua.LNil)
		return 1
	case err != nil:
		m.fail(L, err)
	}
	L.Push(m.describe(info))
	return 1
}

// describe is the table of a file: name, type ("file", "directory", "link" or "other"), size in bytes, mtime in
// seconds since 1970.
func (m *fsModule) describe(info fs.FileInfo) *lua.LTable {
	t := m.state.Main().CreateTable(0, 4)
	t.RawSetString("name", lua.LString(info.Name()))
	t.RawSetString("type", lua.LString(fileType(info.Mode())))
	t.RawSetString("size", lua.LNumber(info.Size()))
	t.RawSetString("mtime", lua.LNumber(float64(info.ModTime().UnixMicro())/1e6))
	return t
}

func fileType(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "file"
	case mode.IsDir():
		return "directory"
	case mode&fs.ModeSymlink != 0:
		return "link"
	}
	return "other"
}

func (m *fsModule) list(L *lua.LState) int {
	entries := m.entries(L, m.path(L, 1, "fs.list"))
	t := m.state.Main().CreateTable(len(entries), 0)
	for _, info := range entries {
		t.Append(m.describe(info))
	}
	m.state.MarkArray(t, 0)
	L.Push(t)
	return 1
}

// entries are the files of a directory in the order of their names. Those that vanish meanwhile are left out.
func (m *fsModule) entries(L *lua.LState, dir string) []fs.FileInfo {
	found, err := os.ReadDir(dir)
	if err != nil {
		m.fail(L, err)
	}
	m.state.Charge(int64(4 * len(found)))
	infos := make([]fs.FileInfo, 0, len(found))
	for _, entry := range found {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			m.fail(L, err)
		}
		infos = append(infos, info)
	}
	return infos
}

// unwalked is where a walk has yet to go.
type unwalked struct {
	path string
	info fs.FileInfo
}

// walk iterates over everything below a directory, each directory before what is in it. One directory's list is in memory
// for each level. Links are not followed.
func (m *fsModule) walk(L *lua.LState) int {
	var ahead []unwalked // the next one last
	enter := func(L *lua.LState, dir string) {
		infos := m.entries(L, dir)
		for i := len(infos) - 1; i >= 0; i-- {
			ahead = append(ahead, unwalked{filepath.Join(dir, infos[i].Name()), infos[i]})
		}
	}
	enter(L, m.path(L, 1, "fs.walk"))
	L.Push(m.state.Func("fs.walk", func(L *lua.LState) int {
		stopped(m.state, L, m.ctx)
		if len(ahead) == 0 {
			L.Push(lua.LNil)
			return 1
		}
		next := ahead[len(ahead)-1]
		ahead = ahead[:len(ahead)-1]
		if next.info.IsDir() {
			enter(L, next.path)
		}
		L.Push(lua.LString(next.path))
		L.Push(m.describe(next.info))
		return 2
	}))
	return 1
}
