package stdlib

import (
	"io"

	lua "github.com/yuin/gopher-lua"
)

// openFileType makes the metatable of files.
func (m *ioModule) openFileType() {
	l := m.state.Main()
	methods := l.CreateTable(0, 8)
	m.state.SetFuncs(methods, map[string]lua.LGFunction{
		"close":   func(L *lua.LState) int { return m.closeFile(L, m.check(L, 1)) },
		"flush":   m.flushFile,
		"lines":   func(L *lua.LState) int { return m.iterate(L, m.check(L, 1), false) },
		"read":    func(L *lua.LState) int { return m.readFormats(L, m.check(L, 1), 2) },
		"seek":    m.seek,
		"setvbuf": m.setvbuf,
		"write": func(L *lua.LState) int {
			return m.writeValues(L, m.check(L, 1), 2, L.Get(1))
		},
	})
	m.meta = l.CreateTable(0, 3)
	m.meta.RawSetString("__index", methods)
	m.meta.RawSetString("__metatable", lua.LString("file"))
	m.meta.RawSetString("__tostring", m.state.Func("tostring", func(L *lua.LState) int {
		f, is := toFile(L.Get(1))
		switch {
		case !is:
			wrongType(L, 1, "file")
		case f.closed:
			L.Push(lua.LString("file (closed)"))
		default:
			L.Push(lua.LString("file (" + f.name + ")"))
		}
		return 1
	}))
}

func toFile(v lua.LValue) (*file, bool) { return held[*file](v) }

// luaKind names files in messages.
func (f *file) luaKind() string { return "a file" }

// cannotLeave tells why a file is no value that an activity can return.
func (f *file) cannotLeave() string {
	return "an open file cannot leave the activity: return its name or its content"
}

// check reads an open file.
func (m *ioModule) check(L *lua.LState, n int) *file {
	f, is := toFile(L.Get(n))
	if !is {
		wrongType(L, n, "file")
	}
	if f.closed {
		throw(L, "attempt to use a closed file")
	}
	return f
}

// writeValues writes strings and numbers and returns the file, so that calls can be chained.
func (m *ioModule) writeValues(L *lua.LState, f *file, n int, self lua.LValue) int {
	for ; n <= L.GetTop(); n++ {
		text := m.text(L, n)
		m.chargeBytes(len(text))
		if err := f.write(text); err != nil {
			return m.failed(L, f, err)
		}
	}
	L.Push(self)
	return 1
}

func (m *ioModule) flushFile(L *lua.LState) int {
	f := m.check(L, 1)
	if err := f.flush(); err != nil {
		return m.failed(L, f, err)
	}
	L.Push(L.Get(1))
	return 1
}

// closeFile returns true; for a command also "exit" and its exit code, and nil instead of true when that is not 0.
func (m *ioModule) closeFile(L *lua.LState, f *file) int {
	m.forget(f)
	code, err := f.close()
	if err != nil {
		return m.failed(L, f, err)
	}
	if f.command == nil {
		L.Push(lua.LTrue)
		return 1
	}
	stopped(m.state, L, m.ctx)
	if !m.commands.request.known() {
		f.command.raise(L)
	}
	if code == 0 {
		L.Push(lua.LTrue)
	} else {
		L.Push(lua.LNil)
	}
	L.Push(lua.LString("exit"))
	L.Push(lua.LNumber(code))
	return 3
}

func (m *ioModule) seek(L *lua.LState) int {
	f := m.check(L, 1)
	whence, offset := io.SeekCurrent, int64(0)
	if L.Get(2) != lua.LNil {
		switch m.text(L, 2) {
		case "set":
			whence = io.SeekStart
		case "cur":
		case "end":
			whence = io.SeekEnd
		default:
			badArgument(L, 2, `expected "set", "cur" or "end"`)
		}
	}
	offset = m.optionalInteger(L, 3, 0)
	at, err := f.seek(offset, whence)
	if err != nil {
		return m.failed(L, f, err)
	}
	L.Push(lua.LNumber(at))
	return 1
}

// setvbuf sets when writing reaches the file; the buffer's size is always the same.
func (m *ioModule) setvbuf(L *lua.LState) int {
	f := m.check(L, 1)
	switch mode := m.text(L, 2); mode {
	case "no", "line", "full":
		f.mode = mode
	default:
		badArgument(L, 2, `expected "no", "line" or "full"`)
	}
	if f.mode == "no" {
		if err := f.flush(); err != nil {
			return m.failed(L, f, err)
		}
	}
	L.Push(lua.LTrue)
	return 1
}
