package vm

import (
	"math"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// cut makes a register the first above the top.
func (r *registry) cut(register int) {
	if register < r.top {
		clear(r.array[register:r.top])
	}
	r.top = register
}

// move copies n values down to a register and cuts behind them. From the top on there is nil.
func (r *registry) move(to, from, n int) {
	have := min(n, max(r.top-from, 0))
	copy(r.array[to:to+have], r.array[from:from+have])
	if have < n {
		r.fill(to+have, n-have)
		return
	}
	r.cut(to + n)
}

// fill puts n nils from a register on and cuts behind them.
func (r *registry) fill(register, n int) {
	if need := register + n; need > len(r.array) {
		array := make([]lua.LValue, need+r.growBy)
		copy(array, r.array[:r.top])
		r.array = array
	}
	for i := range n {
		r.array[register+i] = lua.LNil
	}
	if register+n < r.top {
		r.cut(register + n)
	}
	r.top = register + n
}

// give puts results into registers, and nil where there are more of these.
func give(registers []lua.LValue, first, second lua.LValue, n int) {
	for i := range registers {
		switch {
		case i == 0:
			registers[i] = first
		case i == 1 && n == 2:
			registers[i] = second
		default:
			registers[i] = lua.LNil
		}
	}
}

// number makes a value of a number: small integers are there already, others are allocated in blocks.
func (r *registry) number(n lua.LNumber) lua.LValue {
	if i := int(n); uint(i) < uint(len(integers)) && math.Float64bits(float64(i)) == math.Float64bits(float64(n)) {
		return integers[i]
	}
	a := r.alloc
	if len(a.block) == cap(a.block) {
		a.block = make([]float64, 0, numberBlock)
	}
	i := len(a.block)
	a.block = a.block[:i+1]
	a.block[i] = float64(n)
	v := [2]unsafe.Pointer{numberType, unsafe.Pointer(&a.block[i])}
	return *(*lua.LValue)(unsafe.Pointer(&v))
}

// numberBlock is how many numbers are allocated at once. One that is kept keeps all of its block.
const numberBlock = 64

// integers are the values of small ones.
var integers = func() (values [1024]lua.LValue) {
	for i := range values {
		values[i] = lua.LNumber(i)
	}
	return
}()

// numberType is the first word of a value that is a number.
var numberType = (*[2]unsafe.Pointer)(unsafe.Pointer(&integers[1]))[0]
