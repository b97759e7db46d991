package stdlib

import (
	"bufio"
	"os"

	lua "github.com/yuin/gopher-lua"
)

// popen starts a shell command and opens its output ("r") or its input ("w"). The command is killed when the activity's
// context ends.
func (m *ioModule) popen(L *lua.LState) int {
	stopped(m.state, L, m.ctx)
	line, mode := m.text(L, 1), "r"
	if L.Get(2) != lua.LNil {
		mode = m.text(L, 2)
	}
	if mode != "r" && mode != "w" {
		badArgument(L, 2, `expected the mode "r" or "w"`)
	}
	f, err := m.start(line, mode)
	if err != nil {
		return failure(L, line, err)
	}
	L.Push(m.wrap(f))
	return 1
}

func (m *ioModule) start(line, mode string) (*file, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := shell(m.ctx, line)
	c.Stderr = m.standard.Stderr
	f := &file{name: line, command: c, mode: "full"}
	theirs := in
	if mode == "r" {
		f.os, f.r = out, bufio.NewReaderSize(out, fileBuffer)
		c.Stdout = in
	} else {
		theirs = out
		f.os, f.w = in, bufio.NewWriterSize(in, fileBuffer)
		c.Stdin, c.Stdout = out, m.standard.Stdout
	}
	err = c.Start()
	theirs.Close() // the command has its own; the pipe ends when it does
	if err != nil {
		f.os.Close()
		return nil, err
	}
	return f, nil
}

// kill ends a command that nobody waits for any more.
func (f *file) kill() {
	if f.command.Cancel != nil {
		_ = f.command.Cancel() // it may have ended by itself
	}
}
