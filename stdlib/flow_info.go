package stdlib

import (
	"log/slog"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// info is flow.info().
func (f *Flow) info(L *lua.LState) int {
	f.state.Charge(infoCost)
	i := f.out.Info()
	t := L.CreateTable(0, 8)
	t.RawSetString("id", lua.LString(i.ID))
	t.RawSetString("run", lua.LNumber(i.Run))
	t.RawSetString("workflow", lua.LString(i.Workflow))
	t.RawSetString("started", lua.LNumber(float64(i.Started.UnixNano())/1e9))
	t.RawSetString("parent", textOrNil(i.Parent))
	t.RawSetString("replaying", lua.LBool(i.Replaying))
	t.RawSetString("turn", lua.LNumber(i.Turn))
	L.Push(t)
	return 1
}

var logLevels = []struct {
	name  string
	level slog.Level
}{{"debug", slog.LevelDebug}, {"error", slog.LevelError}, {"info", slog.LevelInfo}, {"warn", slog.LevelWarn}}

func (f *Flow) logTable() *lua.LTable { return logTable(f.state, f.out.Log) }

// logTable makes flow.log: info, warn, error, debug(message [, fields]).
func logTable(s *vm.State, log func(slog.Level, string, ...slog.Attr)) *lua.LTable {
	t := s.Main().CreateTable(0, len(logLevels))
	var known []string
	for _, l := range logLevels {
		known = append(known, l.name)
		t.RawSetString(l.name, s.Func("flow.log."+l.name, func(L *lua.LState) int {
			s.Charge(logCost)
			text, fields := logText(L.Get(1)), logFields(L, s, "flow.log."+l.name)
			s.ChargeOutput(len(text) + 1)
			for _, field := range fields {
				s.ChargeOutput(len(field.Key) + len(field.Value.String()))
			}
			log(l.level, text, fields...)
			return 0
		}))
	}
	closed(s, t, "flow.log", known)
	return t
}

func logText(v lua.LValue) string {
	if text, is := v.(lua.LString); is {
		return string(text)
	}
	if ud, is := v.(*lua.LUserData); is {
		if e, is := ud.Value.(error); is {
			return e.Error()
		}
	}
	return textOf(v)
}

// logFields reads { name = value, … } in the order of pairs. What is not a plain value is written as JSON.
func logFields(L *lua.LState, s *vm.State, call string) []slog.Attr {
	if L.Get(2) == lua.LNil {
		return nil
	}
	t, is := L.Get(2).(*lua.LTable)
	if !is {
		vm.Throwf(L, 1, "%s expects a table of fields as argument #2, got %s", call, describe(L.Get(2)))
	}
	var attrs []slog.Attr
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		name := textOf(key)
		switch v := v.(type) {
		case lua.LString:
			attrs = append(attrs, slog.String(name, string(v)))
		case lua.LNumber:
			attrs = append(attrs, slog.Float64(name, float64(v)))
		case lua.LBool:
			attrs = append(attrs, slog.Bool(name, bool(v)))
		default:
			text, err := s.Encode(v, name)
			if err != nil {
				text = []byte(describe(v))
			}
			attrs = append(attrs, slog.String(name, string(text)))
		}
	}
	return attrs
}
