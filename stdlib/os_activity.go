package stdlib

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// openActivityOS installs the `os` of activities: Lua 5.1's, on the real machine. Os.exit is an error, as an activity must not
// end its host.
func openActivityOS(s *vm.State, commands *commands, streams Streams) {
	m := &machine{osLibrary{bounds{s}, time.Now(), time.Now}, commands, streams}
	L := s.Main()
	t := L.CreateTable(0, 16)
	s.SetFuncs(t, map[string]lua.LGFunction{
		"clock":     m.clock,
		"date":      m.localDate,
		"difftime":  m.difftime,
		"execute":   m.execute,
		"exit":      m.exit,
		"getenv":    m.getenv,
		"remove":    m.remove,
		"rename":    m.rename,
		"setlocale": m.setlocale,
		"time":      m.localTime,
		"tmpname":   m.tmpname,
	})
	L.SetGlobal("os", t)
	s.Preload("os", func(*lua.LState) lua.LValue { return t })
}

type machine struct {
	osLibrary
	commands *commands
	streams  Streams
}

// execute runs a shell command, with nothing to read, and returns its exit code (128 + n when signal n ended it), or without a command 1: there
// is a shell.
func (m *machine) execute(L *lua.LState) int {
	if L.Get(1) == lua.LNil {
		L.Push(lua.LNumber(1))
		return 1
	}
	x, err := m.commands.start(L, m.text(L, 1), func(c *command) { c.Stdout, c.Stderr = m.streams.Stdout, m.streams.Stderr })
	if err != nil {
		return failure(L, "", err)
	}
	code, err := x.wait()
	stopped(m.state, L, m.commands.ctx)
	x.raise(L)
	if err != nil {
		return failure(L, "", err)
	}
	L.Push(lua.LNumber(code))
	return 1
}

// exitCode is the code of a command that ran, whatever it was.
func exitCode(err error) (int, error) {
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		return 0, err
	}
	if code := ended.ExitCode(); code >= 0 {
		return code, nil
	}
	return 128 + signalOf(ended), nil
}

func (m *machine) exit(L *lua.LState) int {
	vm.Throwf(L, 1, "os.exit is not available in an activity, which must not end its host: return from it, or raise an error")
	return 0
}

func (m *machine) getenv(L *lua.LState) int {
	value, has := os.LookupEnv(m.text(L, 1))
	if !has {
		L.Push(lua.LNil)
	} else {
		L.Push(lua.LString(value))
	}
	return 1
}

func (m *machine) remove(L *lua.LState) int {
	name := m.text(L, 1)
	if err := os.Remove(name); err != nil {
		return failure(L, name, err)
	}
	L.Push(lua.LTrue)
	return 1
}

func (m *machine) rename(L *lua.LState) int {
	from, to := m.text(L, 1), m.text(L, 2)
	if err := os.Rename(from, to); err != nil {
		return failure(L, from, err)
	}
	L.Push(lua.LTrue)
	return 1
}

// tmpname makes an empty file, so that no one else takes its name.
func (m *machine) tmpname(L *lua.LState) int {
	f, err := os.CreateTemp("", "lua_")
	if err != nil {
		vm.Throwf(L, 1, "os.tmpname: unable to generate a unique filename: %s", err)
	}
	f.Close()
	L.Push(lua.LString(f.Name()))
	return 1
}

// setlocale knows the C locale only.
func (m *machine) setlocale(L *lua.LState) int {
	if L.Get(1) == lua.LNil {
		L.Push(lua.LString("C"))
		return 1
	}
	switch locale := m.text(L, 1); locale {
	case "", "C", "POSIX":
		L.Push(lua.LString("C"))
	default:
		L.Push(lua.LNil)
	}
	return 1
}

// localDate is os.date in the machine's time zone, or in UTC with "!".
func (m *machine) localDate(L *lua.LState) int {
	layout, isUTC := "%c", false
	if L.Get(1) != lua.LNil {
		layout, isUTC = strings.CutPrefix(m.text(L, 1), "!")
	}
	moment := m.now()
	if L.Get(2) != lua.LNil {
		second := m.number(L, 2)
		if second != second || second > farthest || second < -farthest {
			L.Push(lua.LNil)
			return 1
		}
		moment = time.Unix(int64(second), 0)
	}
	if isUTC {
		moment = moment.In(greenwich)
	}
	if layout == "*t" {
		t := dateTable(L, moment)
		t.RawSetString("isdst", lua.LBool(moment.IsDST()))
		L.Push(t)
		return 1
	}
	L.Push(lua.LString(formatDate(nil, layout, moment)))
	return 1
}

// localTime is os.time of fields in the machine's time zone.
func (m *machine) localTime(L *lua.LState) int {
	if L.Get(1) == lua.LNil {
		L.Push(lua.LNumber(m.now().Unix()))
		return 1
	}
	t := m.table(L, 1)
	moment := dateOf(L, t, time.Local)
	if isDST, is := L.GetField(t, "isdst").(lua.LBool); is && bool(isDST) != moment.IsDST() {
		shift := time.Hour
		if isDST {
			shift = -shift
		}
		moment = moment.Add(shift)
	}
	L.Push(lua.LNumber(moment.Unix()))
	return 1
}
