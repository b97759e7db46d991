package stdlib

import (
	"io"

	lua "github.com/yuin/gopher-lua"
)

// The functions of io that use the default input and output, or a file by name.

func (m *ioModule) read(L *lua.LState) int {
	return m.readFormats(L, m.current(L, m.input, "input"), 1)
}

func (m *ioModule) write(L *lua.LState) int {
	return m.writeValues(L, m.current(L, m.output, "output"), 1, m.output)
}

func (m *ioModule) current(L *lua.LState, ud *lua.LUserData, which string) *file {
	f := ud.Value.(*file)
	if f.closed {
		throw(L, "the standard %s file is closed", which)
	}
	return f
}

func (m *ioModule) setInput(L *lua.LState) int { return m.choose(L, &m.input, "r") }

func (m *ioModule) setOutput(L *lua.LState) int { return m.choose(L, &m.output, "w") }

// choose makes a file, or the file of a name, the default; without an argument it only returns it.
func (m *ioModule) choose(L *lua.LState, to **lua.LUserData, mode string) int {
	switch v := L.Get(1).(type) {
	case *lua.LNilType:
	case *lua.LUserData:
		m.check(L, 1)
		*to = v
	default:
		*to = m.mustOpen(L, m.text(L, 1), mode)
	}
	L.Push(*to)
	return 1
}

func (m *ioModule) mustOpen(L *lua.LState, name, mode string) *lua.LUserData {
	f, err := openFile(name, mode)
	if err != nil {
		failure(L, name, err)
		throw(L, "%s", L.Get(-2).String())
	}
	return m.wrap(f)
}

func (m *ioModule) close(L *lua.LState) int {
	ud := m.output
	if L.GetTop() > 0 {
		m.check(L, 1)
		ud = L.Get(1).(*lua.LUserData)
	}
	return m.closeFile(L, ud.Value.(*file))
}

func (m *ioModule) flush(L *lua.LState) int {
	f := m.current(L, m.output, "output")
	if err := f.flush(); err != nil {
		return m.failed(L, f, err)
	}
	L.Push(lua.LTrue)
	return 1
}

// lines iterates over the lines of a named file, which it closes at the end, or of the default input.
func (m *ioModule) lines(L *lua.LState) int {
	if L.Get(1) == lua.LNil {
		return m.iterate(L, m.current(L, m.input, "input"), false)
	}
	ud := m.mustOpen(L, m.text(L, 1), "r")
	return m.iterate(L, ud.Value.(*file), true)
}

func (m *ioModule) iterate(L *lua.LState, f *file, closes bool) int {
	L.Push(m.state.Func("lines", func(L *lua.LState) int {
		m.stopped(L, f)
		if f.closed {
			throw(L, "file is already closed")
		}
		r, err := f.reader()
		line := lua.LValue(lua.LNil)
		if err == nil {
			line, err = m.readLine(L, r)
			m.stopped(L, f)
		}
		if line == lua.LNil {
			m.endOfLines(L, f, err, closes)
		}
		L.Push(line)
		return 1
	}))
	return 1
}

// endOfLines closes the file; what went wrong is raised, as a loop has no other place for it.
func (m *ioModule) endOfLines(L *lua.LState, f *file, err error, closes bool) {
	if err != nil && err != io.EOF {
		m.failed(L, f, err)
		throw(L, "%s", L.Get(-2).String())
	}
	if closes {
		m.forget(f)
		_, _ = f.close() // it was only read
	}
}
