package stdlib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib/internal/pattern"
)

// substitution is one call of gsub.
type substitution struct {
	*stringLibrary
	text    string
	pattern *pattern.Pattern
	matcher *pattern.Matcher
	with    lua.LValue // what replaces: text, function or table
	repl    string     // with, if it is a text
	plain   bool       // repl has no `%`
	out     []byte
	copied  int // text[:copied] is in out
}

func (l *stringLibrary) gsub(L *lua.LState) int {
	text, source := l.text(L, 1), l.text(L, 2)
	s := substitution{stringLibrary: l, text: text, with: L.Get(3)}
	most := l.optionalInteger(L, 4, int64(len(text))+1)
	switch s.with.(type) {
	case lua.LString, lua.LNumber:
		s.repl = l.text(L, 3)
		s.plain = strings.IndexByte(s.repl, '%') < 0
	case *lua.LFunction, *lua.LTable:
	default:
		badArgument(L, 3, replaceNumber)
	}
	s.pattern = l.compile(source, true)
	s.matcher = l.matcher(text)
	s.out = l.scratch()
	n := s.run(L, most)
	l.release(s.matcher)
	l.chargeBytes(len(text))
	if n == 0 {
		l.spare = s.out
		L.Push(lua.LString(text))
	} else {
		s.append(text[s.copied:])
		l.done(L, s.out)
	}
	L.Push(lua.LNumber(n))
	return 2
}

// run replaces at most most matches and returns how many there were.
func (s *substitution) run(L *lua.LState, most int64) (n int64) {
	for at := 0; n < most && at <= len(s.text); {
		start, end, err := s.matcher.Find(s.pattern, at)
		if err != nil {
			throw(L, "%s", err)
		}
		if start < 0 {
			break
		}
		n++
		s.append(s.text[s.copied:start])
		s.replace(L, start, end)
		s.copied = end
		at = end
		if end == start {
			at++ // the byte behind an empty match is copied with the next piece
		}
		if s.pattern.Anchored() {
			break
		}
	}
	return n
}

func (s *substitution) append(piece string) {
	if len(s.out) < len(s.text) {
		s.out = s.addMore(s.out, piece, len(s.text)-len(s.out)+len(s.text)/8)
	} else {
		s.out = s.add(s.out, piece)
	}
}

// replace adds what stands for one match.
func (s *substitution) replace(L *lua.LState, start, end int) {
	var value lua.LValue
	switch with := s.with.(type) {
	case *lua.LFunction:
		L.Push(with)
		L.Call(s.pushCaptures(L, s.matcher, s.pattern, start, end, true), 1)
		value = L.Get(-1)
		L.Pop(1)
	case *lua.LTable:
		value = L.GetTable(with, s.capture(L, s.matcher, s.pattern, 0, start, end))
	default:
		s.replaceText(L, start, end)
		return
	}
	switch v := value.(type) {
	case lua.LString:
		s.append(string(v))
	case lua.LNumber:
		s.append(numberText(v))
	default:
		if lua.LVAsBool(value) {
			throw(L, "invalid replacement value (a %s)", value.Type())
		}
		s.append(s.text[start:end])
	}
	s.chargeBytes(end - start)
}

// replaceBytes is what making a replacement takes, in bytes that are copied.
const replaceBytes = 64

// replaceText adds the replacement text with its `%0` to `%9`; `%` before anything else gives that
// itself, and at the end, as in Lua 5.1, a zero byte.
func (s *substitution) replaceText(L *lua.LState, start, end int) {
	s.chargeBytes(len(s.repl) + replaceBytes)
	if s.plain {
		s.append(s.repl)
		return
	}
	rest := s.repl
	for {
		i := strings.IndexByte(rest, '%')
		if i < 0 {
			s.append(rest)
			return
		}
		s.append(rest[:i])
		if i+1 == len(rest) {
			s.append("\x00")
			return
		}
		switch c := rest[i+1]; {
		case c == '0':
			s.append(s.text[start:end])
		case c >= '1' && c <= '9':
			s.append(textOf(s.capture(L, s.matcher, s.pattern, int(c-'1'), start, end)))
		default:
			s.append(rest[i+1 : i+2])
		}
		rest = rest[i+2:]
	}
}
