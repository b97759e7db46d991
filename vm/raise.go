package vm

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// errorCost is what raising and catching takes, in instructions.
const errorCost = 160

// raise is what every thread does with an error: it says it in Lua's words and panics with it. The value is on top of
// the stack.
func (s *State) raise(l *lua.LState, trace bool) {
	v := l.Get(-1)
	verbatim := s.verbatim
	s.verbatim = false
	if text, ok := v.(lua.LString); ok && !verbatim {
		v = lua.LString(s.message(l, string(text)))
	}
	if s.Raised != nil {
		s.Raised(v)
	}
	s.Charge(errorCost)
	s.chargeText(v)
	e := &lua.ApiError{Type: lua.ApiErrorRun, Object: v, Cause: s.cause}
	s.cause = nil
	if trace && e.Cause == nil {
		s.chargeTrace()
		e.Cause = &origin{marks: s.capture(traceTop, traceEnd)}
	}
	s.raised = e
	panic(e)
}

// message turns an error text of gopher-lua into Lua's. Texts raised from inside gopher-lua and by L.RaiseError begin
// with the source and an encoded position; no other text can.
func (s *State) message(l *lua.LState, text string) string {
	f, proto, level := luaFrame(l, 0)
	if f == nil {
		return explain(instruction{l: l}, strings.TrimPrefix(text, " "))
	}
	rest, ok := strings.CutPrefix(text, proto.SourceName+":")
	if !ok {
		return strings.TrimPrefix(text, " ")
	}
	number, rest, ok := strings.Cut(rest, ": ")
	at, err := strconv.Atoi(number)
	if !ok || err != nil || at < 1<<pcShift {
		return text
	}
	return proto.SourceName + ":" + strconv.Itoa(lineOf(at)) + ": " + explain(instruction{l: l, dbg: f, proto: proto, pc: pcOf(at), direct: level == 0}, rest)
}

// luaFrame is the innermost Lua function of a thread from a level on.
func luaFrame(l *lua.LState, level int) (*lua.Debug, *lua.FunctionProto, int) {
	for {
		dbg, ok := l.GetStack(level)
		if !ok {
			return nil, nil, 0
		}
		fn, _ := l.GetInfo("fl", dbg, lua.LNil)
		if f := fn.(*lua.LFunction); !f.IsG {
			return dbg, f.Proto, level
		}
		level++
	}
}

// where is "file.lua:12: " for the function at a level, counted over threads, 0 being the running one; "" if that is
// not a Lua function, as for Lua's own error.
func (s *State) where(l *lua.LState, level int) string {
	t := s.top
	for t != nil && t.l != l {
		t = t.parent
	}
	s.chargeLevel(level)
	marks := threadMarks(nil, l, 0, level+1)
	for ; t != nil && len(marks) <= level; t = t.parent {
		if t.parent == nil || t.isBody() {
			return ""
		}
		marks = threadMarks(marks, t.parent.l, 0, level+1)
	}
	if len(marks) <= level || marks[level].proto == nil || lineOf(marks[level].at) == 0 {
		return ""
	}
	return marks[level].proto.SourceName + ":" + strconv.Itoa(lineOf(marks[level].at)) + ": "
}

// isBody says that t is the outermost thread of a coroutine: error levels do not reach into who resumed it.
func (t *thread) isBody() bool { return t.co != nil && (t.parent == nil || t.parent.co != t.co) }
