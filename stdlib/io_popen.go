package stdlib

import (
	"bufio"
	"os"

	lua "github.com/yuin/gopher-lua"
)

// popen starts a shell command and opens its output ("r") or its input ("w").
func (m *ioModule) popen(L *lua.LState) int {
	line, mode := m.text(L, 1), "r"
	if L.Get(2) != lua.LNil {
		mode = m.text(L, 2)
	}
	if mode != "r" && mode != "w" {
		badArgument(L, 2, `expected the mode "r" or "w"`)
	}
	f, err := m.start(L, line, mode)
	if err != nil {
		return failure(L, line, err)
	}
	L.Push(m.wrap(f))
	return 1
}

func (m *ioModule) start(L *lua.LState, line, mode string) (*file, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	f := &file{name: line, mode: "full"}
	theirs := in
	if mode == "r" {
		f.os, f.r = out, bufio.NewReaderSize(out, fileBuffer)
	} else {
		theirs = out
		f.os, f.w = in, bufio.NewWriterSize(in, fileBuffer)
	}
	started := false
	defer func() {
		theirs.Close() // the command has its own; the pipe ends when it does
		if !started {
			f.os.Close()
		}
	}()
	f.command, err = m.commands.start(L, line, func(c *command) {
		c.Stderr = m.standard.Stderr
		c.killed = func() { wake(f.os) }
		if mode == "r" {
			c.Stdout = in
		} else {
			c.Stdin, c.Stdout = out, m.standard.Stdout
		}
	})
	if err != nil {
		return nil, err
	}
	started = true
	return f, nil
}
