package stdlib

import (
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib/internal/printf"
	"github.com/flowlua/flowlua/vm"
)

// OpenOS installs the `os` of workflow code: time, date, clock and difftime by the run's clock, in UTC.
// What reaches the machine is there only to say where it belongs. Now is asked at each call; clock counts
// the seconds since started.
func OpenOS(s *vm.State, started time.Time, now func() time.Time) {
	l := &osLibrary{bounds{s}, started, now}
	L := s.Main()
	t := L.CreateTable(0, 16)
	funcs := map[string]lua.LGFunction{
		"clock":    l.clock,
		"date":     l.date,
		"difftime": l.difftime,
		"time":     l.time,
	}
	for _, name := range []string{"execute", "exit", "getenv", "remove", "rename", "setlocale", "tmpname"} {
		funcs[name] = func(L *lua.LState) int {
			throw(L, "os.%s is not available in workflow code: do it in an activity", name)
			return 0
		}
	}
	s.SetFuncs(t, funcs)
	L.SetGlobal("os", t)
}

type osLibrary struct {
	bounds
	started time.Time
	now     func() time.Time
}

func (l *osLibrary) clock(L *lua.LState) int {
	L.Push(lua.LNumber(l.now().Sub(l.started).Seconds()))
	return 1
}

func (l *osLibrary) difftime(L *lua.LState) int {
	later, earlier := l.number(L, 1), 0.0
	if L.Get(2) != lua.LNil {
		earlier = l.number(L, 2)
	}
	L.Push(lua.LNumber(printf.Int64(later) - printf.Int64(earlier)))
	return 1
}

func (l *osLibrary) time(L *lua.LState) int {
	if L.Get(1) == lua.LNil {
		L.Push(lua.LNumber(l.now().Unix()))
		return 1
	}
	l.state.Charge(conversionCost)
	t := l.table(L, 1)
	moment := dateOf(L, t, time.UTC).Unix()
	if lua.LVAsBool(L.GetField(t, "isdst")) {
		moment -= 3600
	}
	if moment == -1 {
		L.Push(lua.LNil)
	} else {
		L.Push(lua.LNumber(moment))
	}
	return 1
}

// dateOf is the moment of os.time's table.
func dateOf(L *lua.LState, t *lua.LTable, zone *time.Location) time.Time {
	field := func(name string, missing int) int { return dateField(L, t, name, missing) }
	second, minute, hour := field("sec", 0), field("min", 0), field("hour", 12)
	day, month, year := field("day", required), field("month", required), field("year", required)
	return time.Date(year, time.Month(month), day, hour, minute, second, 0, zone)
}

// required marks a field of os.time's table that has no default.
const required = -1

func dateField(L *lua.LState, t *lua.LTable, name string, missing int) int {
	value, ok := vm.ToNumber(L.GetField(t, name))
	switch {
	case ok:
		return int(min(max(printf.Int64(value), -1<<31), 1<<31-1))
	case missing == required:
		throw(L, "field '%s' missing in date table", name)
	}
	return missing
}
