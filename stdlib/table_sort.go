package stdlib

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// sort is stable, and its calls of the order function depend on nothing but the table, so that they are
// the same in a replay. The table is written when all is sorted: an order function may wait meanwhile.
func (l *tableLibrary) sort(L *lua.LState) int {
	t := l.table(L, 1)
	var order *lua.LFunction
	if L.Get(2) != lua.LNil {
		order = l.function(L, 2)
	}
	n := l.state.Length(t)
	l.chargeBytes(2 * valueBytes * n)
	items := make([]lua.LValue, n)
	for i := range items {
		items[i] = t.RawGetInt(i + 1)
	}
	less := l.order(L, items, order)
	mergeSort(items, make([]lua.LValue, n), less)
	if order != nil {
		checkOrder(L, items, less)
	}
	for i, value := range items {
		t.RawSetInt(i+1, value)
	}
	return 0
}

// order gives the comparison to sort by.
func (l *tableLibrary) order(L *lua.LState, items []lua.LValue, order *lua.LFunction) func(a, b lua.LValue) bool {
	if order != nil {
		return func(a, b lua.LValue) bool { return lua.LVAsBool(l.visit(L, order, a, b)) }
	}
	allText, allNumbers := true, true
	for _, v := range items {
		_, isText := v.(lua.LString)
		_, isNumber := v.(lua.LNumber)
		allText, allNumbers = allText && isText, allNumbers && isNumber
	}
	switch {
	case allNumbers:
		return func(a, b lua.LValue) bool {
			l.state.Charge(1)
			return a.(lua.LNumber) < b.(lua.LNumber)
		}
	case allText:
		return func(a, b lua.LValue) bool {
			l.state.Charge(1)
			l.chargeOrder(a, b)
			return a.(lua.LString) < b.(lua.LString)
		}
	}
	return func(a, b lua.LValue) bool {
		l.state.Charge(1)
		l.chargeOrder(a, b)
		return lessThan(L, a, b)
	}
}

// chargeOrder pays for comparing long texts.
func (l *tableLibrary) chargeOrder(a, b lua.LValue) {
	x, first := a.(lua.LString)
	y, second := b.(lua.LString)
	if first && second && len(x) > 64 {
		l.state.ChargeOrder(string(x), string(y))
	}
}

// lessThan is a < b as sort sees it; values that have no order are an error without a position, as in Lua,
// because no Lua code compares here.
func lessThan(L *lua.LState, a, b lua.LValue) bool {
	kind := a.Type()
	if kind == b.Type() {
		if kind == lua.LTNumber || kind == lua.LTString {
			return L.LessThan(a, b)
		}
		if op := L.GetMetaField(a, "__lt"); op != lua.LNil && op == L.GetMetaField(b, "__lt") {
			return L.LessThan(a, b)
		}
		vm.Throw(L, lua.LString(fmt.Sprintf("attempt to compare two %s values", kind)))
	}
	vm.Throw(L, lua.LString(fmt.Sprintf("attempt to compare %s with %s", kind, b.Type())))
	return false
}

// checkOrder asks for each neighbour whether it belongs before the one it follows. No order can say so
// of a sorted list: Lua's "invalid order function", most often one that uses <= where < is meant.
func checkOrder(L *lua.LState, items []lua.LValue, less func(a, b lua.LValue) bool) {
	for i := 1; i < len(items); i++ {
		if less(items[i], items[i-1]) {
			throw(L, "invalid order function for sorting")
		}
	}
}

// runLength is the length of the runs that insertion sorts before merging begins.
const runLength = 8

// mergeSort sorts stably; spare has the length of items. Both keep to their memory: items ends sorted.
func mergeSort(items, spare []lua.LValue, less func(a, b lua.LValue) bool) {
	n := len(items)
	for from := 0; from < n; from += runLength {
		insertionSort(items[from:min(from+runLength, n)], less)
	}
	from, to := items, spare
	for width := runLength; width < n; width *= 2 {
		for i := 0; i < n; i += 2 * width {
			middle, end := min(i+width, n), min(i+2*width, n)
			merge(to[i:end], from[i:middle], from[middle:end], less)
		}
		from, to = to, from
	}
	copy(items, from)
}

func insertionSort(items []lua.LValue, less func(a, b lua.LValue) bool) {
	for i := 1; i < len(items); i++ {
		value := items[i]
		j := i
		for ; j > 0 && less(value, items[j-1]); j-- {
			items[j] = items[j-1]
		}
		items[j] = value
	}
}

func merge(out, left, right []lua.LValue, less func(a, b lua.LValue) bool) {
	if len(left) > 0 && len(right) > 0 && !less(right[0], left[len(left)-1]) {
		copy(out[copy(out, left):], right)
		return
	}
	for i := range out {
		if len(left) == 0 || len(right) > 0 && less(right[0], left[0]) {
			out[i], right = right[0], right[1:]
		} else {
			out[i], left = left[0], left[1:]
		}
	}
}
