package stdlib

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// openIO installs the `io` of activities: Lua 5.1's, on the real machine. What waits for a pipe or a command ends with
// the context of the commands. The returned function flushes and closes what was left open.
func openIO(s *vm.State, commands *commands, streams Streams) (close func()) {
	ctx := commands.ctx
	m := &ioModule{bounds: bounds{s}, ctx: ctx, commands: commands, standard: streams, files: map[*file]bool{}}
	m.openFileType()
	L := s.Main()
	t := L.CreateTable(0, 16)
	s.SetFuncs(t, map[string]lua.LGFunction{
		"close":   m.close,
		"flush":   m.flush,
		"input":   m.setInput,
		"lines":   m.lines,
		"open":    m.open,
		"output":  m.setOutput,
		"popen":   m.popen,
		"read":    m.read,
		"tmpfile": m.tmpfile,
		"type":    m.typeOf,
		"write":   m.write,
	})
	stdin := streams.Stdin
	if stdin == nil {
		stdin = strings.NewReader("")
	}
	m.input = m.wrap(newStream("stdin", stdin, nil))
	m.output = m.wrap(newStream("stdout", nil, streams.Stdout))
	standard := m.wrap(newStream("stderr", nil, streams.Stderr))
	standard.Value.(*file).mode = "no"
	t.RawSetString("stdin", m.input)
	t.RawSetString("stdout", m.output)
	t.RawSetString("stderr", standard)
	L.SetGlobal("io", t)
	s.Preload("io", func(*lua.LState) lua.LValue { return t })
	stop := context.AfterFunc(ctx, m.interrupt)
	return func() {
		stop()
		m.closeAll()
	}
}

// ioModule is the io library of one state.
type ioModule struct {
	bounds
	ctx           context.Context
	commands      *commands
	standard      Streams // as the host gave them
	meta          *lua.LTable
	input, output *lua.LUserData

	mu    sync.Mutex // ctx may end while files are opened
	files map[*file]bool
}

// wrap makes the Lua value of a file.
func (m *ioModule) wrap(f *file) *lua.LUserData {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[f] = true
	return &lua.LUserData{Value: f, Metatable: m.meta}
}

// interrupt wakes what waits for a pipe; files on disk do not wait.
func (m *ioModule) interrupt() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for f := range m.files {
		if f.os != nil {
			wake(f.os)
		}
	}
}

// wake ends what waits for a file. Not every file has deadlines; those that have none do not block.
func wake(f *os.File) { _ = f.SetDeadline(time.Unix(1, 0)) }

func (m *ioModule) closeAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for f := range m.files {
		if f.command != nil {
			f.command.kill()
		}
		_, _ = f.close() // nobody is left to hear of it
	}
	clear(m.files)
}

func (m *ioModule) forget(f *file) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, f)
}

func (m *ioModule) open(L *lua.LState) int {
	name, mode := m.text(L, 1), "r"
	if L.Get(2) != lua.LNil {
		mode = m.text(L, 2)
	}
	f, err := openFile(name, mode)
	if errors.Is(err, errMode) {
		badArgument(L, 2, "invalid mode '"+mode+"': r, w, a, each with + and b")
	}
	if err != nil {
		return failure(L, name, err)
	}
	L.Push(m.wrap(f))
	return 1
}

func (m *ioModule) tmpfile(L *lua.LState) int {
	f, err := os.CreateTemp("", "lua_")
	if err != nil {
		return failure(L, "", err)
	}
	made := newFile(f, true, true)
	// Where the system allows it the file loses its name at once; elsewhere when it is closed.
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		made.remove = f.Name()
	}
	L.Push(m.wrap(made))
	return 1
}

func (m *ioModule) typeOf(L *lua.LState) int {
	if L.GetTop() == 0 {
		badArgument(L, 1, "value expected")
	}
	f, is := toFile(L.Get(1))
	switch {
	case !is:
		L.Push(lua.LNil)
	case f.closed:
		L.Push(lua.LString("closed file"))
	default:
		L.Push(lua.LString("file"))
	}
	return 1
}
