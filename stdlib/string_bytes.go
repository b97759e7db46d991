package stdlib

import (
	"encoding/binary"
	"math/bits"
	"slices"

	lua "github.com/yuin/gopher-lua"
)

// What maps a text byte by byte takes eight of them at a time.

func (l *stringLibrary) reverse(L *lua.LState) int {
	out := []byte(l.text(L, 1))
	i, j := 0, len(out)
	for ; j-i >= 16; i, j = i+8, j-8 {
		head, tail := binary.LittleEndian.Uint64(out[i:]), binary.LittleEndian.Uint64(out[j-8:])
		binary.LittleEndian.PutUint64(out[i:], bits.ReverseBytes64(tail))
		binary.LittleEndian.PutUint64(out[j-8:], bits.ReverseBytes64(head))
	}
	slices.Reverse(out[i:j])
	return l.result(L, out)
}

func (l *stringLibrary) lower(L *lua.LState) int { return l.turn(L, 'A') }
func (l *stringLibrary) upper(L *lua.LState) int { return l.turn(L, 'a') }

// turn gives the 26 letters from first on the other case.
func (l *stringLibrary) turn(L *lua.LState, first byte) int {
	out := []byte(l.text(L, 1))
	i := 0
	for ; i+8 <= len(out); i += 8 {
		w := binary.LittleEndian.Uint64(out[i:])
		binary.LittleEndian.PutUint64(out[i:], w^lettersFrom(w, first)>>2)
	}
	for ; i < len(out); i++ {
		out[i] ^= byte(lettersFrom(uint64(out[i]), first) >> 2)
	}
	return l.result(L, out)
}

// lettersFrom has the highest bit of each byte that is one of the 26 letters from first on; two places lower is the bit that tells
// upper case from lower.
func lettersFrom(w uint64, first byte) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	low := w &^ high
	reached := low + ones*uint64(0x80-first) // no byte carries into the next
	passed := low + ones*uint64(0x80-first-26)
	return reached &^ passed &^ w & high
}
