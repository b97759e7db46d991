package stdlib

import (
	"bufio"
	"errors"
	"io"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// readFormats reads what the arguments from the n-th on ask for, a line if there are none, and pushes the results: nil for
// the first that fails, and none after it.
func (m *ioModule) readFormats(L *lua.LState, f *file, n int) int {
	m.stopped(L, f)
	r, err := f.reader()
	if err != nil {
		return m.failed(L, f, err)
	}
	if L.GetTop() < n {
		return m.pushRead(L, f, func() (lua.LValue, error) { return m.readLine(L, r) })
	}
	pushed := 0
	for last := L.GetTop(); n <= last; n++ {
		value, err := m.readFormat(L, r, n)
		if err != nil && err != io.EOF {
			return m.failed(L, f, err)
		}
		L.Push(value)
		pushed++
		if value == lua.LNil {
			break
		}
	}
	m.stopped(L, f) // the output of a command that was killed is not all of it
	return pushed
}

func (m *ioModule) pushRead(L *lua.LState, f *file, read func() (lua.LValue, error)) int {
	value, err := read()
	if err != nil && err != io.EOF {
		return m.failed(L, f, err)
	}
	m.stopped(L, f)
	L.Push(value)
	return 1
}

// failed returns what Lua returns when the system fails; a pipe that the end of ctx woke is a cancellation.
func (m *ioModule) failed(L *lua.LState, f *file, err error) int {
	m.stopped(L, f)
	return failure(L, f.name, err)
}

// stopped raises that the activity must stop, or that the command of the file was told to.
func (m *ioModule) stopped(L *lua.LState, f *file) {
	stopped(m.state, L, m.ctx)
	f.command.raise(L)
}

func (m *ioModule) readFormat(L *lua.LState, r *bufio.Reader, n int) (lua.LValue, error) {
	if size, isNumber := L.Get(n).(lua.LNumber); isNumber {
		return m.readBytes(L, r, int64(max(min(float64(size), 1<<62), 0)))
	}
	format, _ := L.Get(n).(lua.LString)
	switch {
	case strings.HasPrefix(string(format), "*l"):
		return m.readLine(L, r)
	case strings.HasPrefix(string(format), "*a"):
		return m.readAll(L, r)
	case strings.HasPrefix(string(format), "*n"):
		return readNumber(r)
	}
	badArgument(L, n, "invalid format "+describe(L.Get(n))+`: expected "*l", "*a", "*n" or a number of bytes`)
	return nil, nil
}

// readLine reads up to the next newline, without it; nil at the end.
func (m *ioModule) readLine(L *lua.LState, r *bufio.Reader) (lua.LValue, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if err == nil && line == nil { // the usual case: no copy but the string's own
			m.state.ChargeString(len(part))
			return lua.LString(part[:len(part)-1]), nil
		}
		line = append(line, part...)
		m.bounded(L, len(line))
		switch {
		case err == nil:
			m.state.ChargeString(len(line))
			return lua.LString(line[:len(line)-1]), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF && len(line) > 0:
			m.state.ChargeString(len(line))
			return lua.LString(line), nil
		default:
			return lua.LNil, err
		}
	}
}

func (m *ioModule) bounded(L *lua.LState, n int) {
	if int64(n) > m.mostBytes() {
		throw(L, "more than the %d bytes that one read may give: read the file in pieces, file:read(65536)", m.mostBytes())
	}
}

func (m *ioModule) readAll(L *lua.LState, r *bufio.Reader) (lua.LValue, error) {
	data, err := io.ReadAll(io.LimitReader(r, m.mostBytes()+1))
	m.bounded(L, len(data))
	m.state.ChargeString(len(data))
	return lua.LString(data), err
}

// readBytes reads n bytes or what there is; nil at the end. Of 0 bytes it says whether the end is reached.
func (m *ioModule) readBytes(L *lua.LState, r *bufio.Reader, n int64) (lua.LValue, error) {
	if n == 0 {
		_, err := r.Peek(1)
		if err != nil {
			return lua.LNil, err
		}
		return lua.LString(""), nil
	}
	data, err := io.ReadAll(io.LimitReader(r, min(n, m.mostBytes()+1)))
	m.bounded(L, len(data))
	m.state.ChargeString(len(data))
	if len(data) == 0 {
		return lua.LNil, err
	}
	return lua.LString(data), nil
}

// readNumber reads a numeral as Lua writes them, after any spaces; nil if there is none.
func readNumber(r *bufio.Reader) (lua.LValue, error) {
	const longest = 200 // as in Lua
	text := make([]byte, 0, 32)
	for {
		c, err := r.ReadByte()
		if err != nil {
			if err != io.EOF {
				return lua.LNil, err
			}
			break
		}
		if len(text) == 0 && strings.IndexByte(" \t\n\v\f\r", c) >= 0 {
			continue
		}
		if len(text) == longest || !continuesNumber(text, c) {
			if err := r.UnreadByte(); err != nil {
				return lua.LNil, err
			}
			break
		}
		text = append(text, c)
	}
	if f, ok := vm.ParseNumber(string(text)); ok {
		return lua.LNumber(f), nil
	}
	return lua.LNil, nil
}

// continuesNumber says whether c may follow the text of a numeral: the longest such text is what is read.
func continuesNumber(text []byte, c byte) bool {
	isHex := len(text) >= 2 && strings.Contains(string(text[:min(3, len(text))]), "0x")
	switch {
	case c >= '0' && c <= '9':
		return true
	case c == '-' || c == '+':
		return len(text) == 0 || !isHex && (text[len(text)-1]|0x20) == 'e'
	case c == 'x' || c == 'X':
		digits := strings.TrimLeft(string(text), "+-")
		return digits == "0"
	case isHex:
		return 'a' <= c|0x20 && c|0x20 <= 'f'
	case c == '.':
		return !strings.ContainsAny(string(text), ".eE")
	case c|0x20 == 'e':
		return strings.ContainsAny(string(text), "0123456789") && !strings.ContainsAny(string(text), "eE")
	}
	return false
}
