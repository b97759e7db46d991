package stdlib

import (
	"hash/maphash"
	"strings"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// singles are the texts of one byte and codes the numbers of bytes, made once.
var singles, codes = func() (texts, numbers [256]lua.LValue) {
	for c := range texts {
		texts[c], numbers[c] = lua.LString([]byte{byte(c)}), lua.LNumber(c)
	}
	return
}()

// sharing above this many bytes, a short piece is copied so that it does not keep the whole text alive.
const sharing = 8 << 10

// piece makes a Lua string of a part of a text.
func (l *stringLibrary) piece(text string, from, to int) lua.LValue {
	switch n := to - from; {
	case n == 1:
		return singles[text[from]]
	case len(text) > sharing && n < len(text)/8:
		return lua.LString(strings.Clone(text[from:to]))
	}
	return lua.LString(text[from:to])
}

// words are short texts that were captured last: in what is taken apart the same ones come again and again, and to find one
// here takes less than to make it anew.
type words [256]lua.LValue

const (
	longestWord = 24
	manyWords   = 256 // bytes of a text that is worth it
)

var wordSeed = maphash.MakeSeed()

// captured is piece for what comes again and again: the captures of a pattern, and short pieces.
func (l *stringLibrary) captured(text string, from, to int) lua.LValue {
	if n := to - from; n < 2 || n > longestWord || len(text) < manyWords {
		return l.piece(text, from, to)
	}
	if l.words == nil {
		l.words = new(words)
	}
	word := text[from:to]
	at := &l.words[maphash.String(wordSeed, word)%uint64(len(l.words))]
	if known, ok := (*at).(lua.LString); !ok || string(known) != word {
		*at = lua.LString(strings.Clone(word))
	}
	return *at
}

// largestSpare is how large a scratch is kept.
const largestSpare = 4 << 10

// scratch is room to make a text in; done gives it back. A call that fails or that is within another's makes its own.
func (l *stringLibrary) scratch() []byte {
	out := l.spare
	l.spare = nil
	return out[:0]
}

// done pushes the text that was made in a scratch.
func (l *stringLibrary) done(L *lua.LState, out []byte) int {
	if cap(out) > largestSpare {
		return l.result(L, out)
	}
	l.spare = out
	l.state.ChargeString(len(out))
	L.Push(lua.LString(out))
	return 1
}

// addMore is add, where about more bytes are to follow.
func (l *stringLibrary) addMore(out []byte, piece string, more int) []byte {
	if n := len(out) + len(piece); n > cap(out) {
		l.state.ChargeString(n)
		out = append(room(n+more), out...)
	}
	return append(out, piece...)
}

// room is memory for n bytes, which is not cleared first where that takes longer than to ask for it.
func room(n int) []byte {
	if n < 1<<10 {
		return make([]byte, 0, n)
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)[:0]
}
