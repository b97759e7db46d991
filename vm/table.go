package vm

import (
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// maxArray is the index from which on gopher-lua keeps values in a table's hash part; it is a variable of gopher-lua for
// the whole process. A store below it fills the array up to it, at 16 bytes for each index; # and all that goes by it know
// nothing of what is above it. So a list ends before it (Limits.TableSize), and keys above it, such as the numbers of
// orders or dates, cost what other keys cost.
const maxArray = 1 << 20

var _ = setMaxArray()

func setMaxArray() bool {
	lua.MaxArrayIndex = maxArray
	return true
}

// table is gopher-lua's LTable.
type table struct {
	meta    lua.LValue
	array   []lua.LValue
	dict    map[lua.LValue]lua.LValue
	strdict map[string]lua.LValue
	keys    []lua.LValue
	k2i     map[lua.LValue]int
}

// tablesKnown says whether gopher-lua's tables still look like this.
var tablesKnown = sameShape(reflect.TypeFor[lua.LTable](), reflect.TypeFor[table](), "Metatable", "array", "dict", "strdict", "keys", "k2i")

// inside is t; where tables look different, an empty one: nothing is trimmed or measured then.
func inside(t *lua.LTable) *table {
	if !tablesKnown {
		return &table{}
	}
	return (*table)(unsafe.Pointer(t))
}

// Grow pays for a store in t at index i, which fills the array up to it. It panics with *LimitError if no list may be that
// long.
func (s *State) Grow(t *lua.LTable, i int64) {
	in := inside(t)
	array := in.array
	n := int64(len(array))
	if i <= n || i >= maxArray && i > n+1 {
		return
	}
	if i > int64(s.limits.TableSize) {
		s.budget.exceeded("TableSize", strconv.Itoa(s.limits.TableSize)+" items in one list")
	}
	if i > n+1 {
		s.budget.charge(i - n)
		in.array = slices.Grow(array, int(i-n)) // at once, where gopher-lua would make it longer step by step
	} else if len(array) == cap(array) {
		s.budget.charge(n)
	}
}

// Length is #t without its metatable. It drops the nils at the end of the array, so that they are looked through once: a
// list that a script empties from its end would otherwise take square time.
func (s *State) Length(t *lua.LTable) int {
	in := inside(t)
	n := len(in.array)
	if n == 0 || in.array[n-1] != lua.LNil {
		return t.Len()
	}
	for n > 0 && in.array[n-1] == lua.LNil {
		n--
	}
	s.budget.charge(int64(len(in.array)-n) / bytesPerCharge)
	in.array = in.array[:n]
	return n
}
