package stdlib

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// mkdir makes a directory and those above it; one that exists is no error.
func (m *fsModule) mkdir(L *lua.LState) int {
	if err := os.MkdirAll(m.path(L, 1, "fs.mkdir"), 0o777); err != nil {
		m.fail(L, err)
	}
	return 0
}

// removeAll removes a file, or a directory and all in it; one that does not exist is no error.
func (m *fsModule) removeAll(L *lua.LState) int {
	path := m.path(L, 1, "fs.remove_all")
	whole, err := filepath.Abs(path)
	if err != nil {
		m.fail(L, err)
	}
	if here, err := os.Getwd(); whole == filepath.Dir(whole) || err == nil && isWithin(here, whole) {
		vm.Throwf(L, 1, "fs.remove_all: %s is or holds the current directory: name what is to be removed", path)
	}
	if err := os.RemoveAll(path); err != nil {
		m.fail(L, err)
	}
	return 0
}

// isWithin says whether path is dir or lies below it. Both are absolute and clean.
func isWithin(path, dir string) bool {
	relative, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(relative)
}

// read reads a whole file.
func (m *fsModule) read(L *lua.LState) int {
	path := m.path(L, 1, "fs.read")
	f, err := os.Open(path)
	if err != nil {
		m.fail(L, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, m.mostBytes()+1))
	if err != nil {
		m.fail(L, err)
	}
	if int64(len(data)) > m.mostBytes() {
		throw(L, "fs.read: %s is longer than the %d bytes that one read may give: read it in pieces with io.open", path, m.mostBytes())
	}
	m.state.ChargeString(len(data))
	L.Push(lua.LString(data))
	return 1
}

// write writes a whole file: a reader sees the old content or the new, never a part.
func (m *fsModule) write(L *lua.LState) int {
	path, data := m.path(L, 1, "fs.write"), m.text(L, 2)
	m.chargeBytes(len(data))
	if err := replaceFile(path, data); err != nil {
		m.fail(L, err)
	}
	return 0
}

// replaceFile writes a temporary file beside path and renames it. The permissions of a file that exists are kept.
func replaceFile(path, data string) (err error) {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("write %s: is a directory", path)
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".flowlua-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.WriteString(data); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
