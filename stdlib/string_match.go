package stdlib

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib/internal/pattern"
)

type patternKey struct {
	source string
	anchor bool
}

const (
	mostPatterns  = 256 // compiled patterns kept
	longestKept   = 512 // bytes of a pattern worth keeping
	idleMatchers  = 8
	specialSigns  = "^$*+?.([%-"
	matchCost     = 10 // of a match, in instructions
	stepsPerUnit  = 3  // pattern steps that cost as much as one instruction
	stepsPerByte  = 32
	replaceNumber = "string/function/table expected"
)

// compile gives the compiled pattern. The charge does not depend on whether it was kept.
func (l *stringLibrary) compile(source string, anchor bool) *pattern.Pattern {
	l.chargeBytes(len(source))
	if len(source) > longestKept {
		l.state.Charge(4 * int64(len(source)))
	}
	key := patternKey{source, anchor}
	if p, ok := l.patterns[key]; ok {
		return p
	}
	p := pattern.Compile(source, anchor)
	if len(source) <= longestKept {
		if len(l.patterns) >= mostPatterns {
			clear(l.patterns)
		}
		key.source = strings.Clone(source)
		l.patterns[key] = p
	}
	return p
}

// matcher takes a matcher for one call; release gives it back. One that a failing call kept is garbage.
func (l *stringLibrary) matcher(subject string) *pattern.Matcher {
	l.state.Charge(matchCost)
	if n := len(l.idle); n > 0 {
		m := l.idle[n-1]
		l.idle = l.idle[:n-1]
		m.Subject, m.Spent = subject, 0
		return m
	}
	m := &pattern.Matcher{Subject: subject}
	most := l.state.Limits().PatternSteps
	m.Charge = func(steps int64) {
		l.state.Charge(steps / stepsPerUnit)
		if m.Spent > most+stepsPerByte*int64(len(m.Subject)) {
			l.state.Exceed("PatternSteps", fmt.Sprintf("%d, and %d for each byte of the text", most, stepsPerByte))
		}
	}
	return m
}

func (l *stringLibrary) release(m *pattern.Matcher) {
	m.Reset("")
	if len(l.idle) < idleMatchers {
		l.idle = append(l.idle, m)
	}
}

// capture gives capture i of a match as a Lua value: a text or, for `()`, a position.
func (l *stringLibrary) capture(L *lua.LState, m *pattern.Matcher, p *pattern.Pattern, i, start, end int) lua.LValue {
	from, to, isPosition, err := m.Capture(p, i, start, end)
	switch {
	case err != nil:
		throw(L, "%s", err)
	case isPosition:
		return lua.LNumber(from + 1)
	}
	return l.captured(m.Subject, from, to)
}

// pushCaptures pushes all captures; whole says that a pattern without any gives the whole match.
func (l *stringLibrary) pushCaptures(L *lua.LState, m *pattern.Matcher, p *pattern.Pattern, start, end int, whole bool) int {
	n := p.Captures()
	l.state.Charge(2 * int64(n))
	if n == 0 && whole {
		L.Push(l.captured(m.Subject, start, end))
		return 1
	}
	for i := range n {
		L.Push(l.capture(L, m, p, i, start, end))
	}
	return n
}

// chargeSearch pays for going through n bytes, which takes longer where more than some bytes are looked for at once.
func (l *stringLibrary) chargeSearch(n int, wanted string) {
	if len(wanted) > 64 {
		n += n/2 + len(wanted)
	}
	l.chargeBytes(n)
}

func (l *stringLibrary) find(L *lua.LState) int {
	text, source, from := l.search(L)
	if lua.LVAsBool(L.Get(4)) || isPlain(source) {
		i := strings.Index(text[from:], source)
		if i < 0 {
			l.chargeSearch(len(text)-from, source)
			L.Push(lua.LNil)
			return 1
		}
		l.chargeSearch(i, source)
		L.Push(lua.LNumber(from + i + 1))
		L.Push(lua.LNumber(from + i + len(source)))
		return 2
	}
	p, m, start, end := l.first(L, text, source, from)
	if start < 0 {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(lua.LNumber(start + 1))
	L.Push(lua.LNumber(end))
	n := l.pushCaptures(L, m, p, start, end, false)
	l.release(m)
	return n + 2
}

func (l *stringLibrary) match(L *lua.LState) int {
	text, source, from := l.search(L)
	p, m, start, end := l.first(L, text, source, from)
	if start < 0 {
		L.Push(lua.LNil)
		return 1
	}
	n := l.pushCaptures(L, m, p, start, end, true)
	l.release(m)
	return n
}

// search reads the arguments of find and match.
func (l *stringLibrary) search(L *lua.LState) (text, source string, from int) {
	text, source = l.text(L, 1), l.text(L, 2)
	init := position(l.optionalInteger(L, 3, 1), len(text)) - 1
	return text, source, int(min(max(init, 0), int64(len(text))))
}

// first finds the first match; start is -1 without one (and the matcher is given back).
func (l *stringLibrary) first(L *lua.LState, text, source string, from int) (p *pattern.Pattern, m *pattern.Matcher, start, end int) {
	p = l.compile(source, true)
	m = l.matcher(text)
	start, end, err := m.Find(p, from)
	if err != nil {
		throw(L, "%s", err)
	}
	if start < 0 {
		l.release(m)
	}
	return p, m, start, end
}

// isPlain tells whether find may search for the bytes themselves. Lua looks no further than the first zero.
func isPlain(source string) bool {
	if i := strings.IndexByte(source, 0); i >= 0 {
		source = source[:i]
	}
	return !strings.ContainsAny(source, specialSigns)
}

func (l *stringLibrary) gmatch(L *lua.LState) int {
	text, source := l.text(L, 1), l.text(L, 2)
	p := l.compile(source, false)
	at := 0
	L.Push(l.state.Func("gmatch", func(L *lua.LState) int {
		if at > len(text) {
			return 0
		}
		m := l.matcher(text)
		start, end, err := m.Find(p, at)
		if err != nil {
			throw(L, "%s", err)
		}
		if start < 0 {
			// Lua scans again at each further call; the answer is the same.
			at = len(text) + 1
			l.release(m)
			return 0
		}
		at = end
		if end == start {
			at++
		}
		n := l.pushCaptures(L, m, p, start, end, true)
		l.release(m)
		return n
	}))
	return 1
}
