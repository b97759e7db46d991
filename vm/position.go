package vm

import lua "github.com/yuin/gopher-lua"

// An instruction's position holds more than its line: gopher-lua tells nobody at which instruction a function is, but it
// tells the position. From that the names in error messages are found. The lowest bits are the line; then what the value of a
// numeric for is for; then the variables that are visible (scope.go); the highest are the instruction's number and one.
const (
	lineBits  = 24
	boundBits = 2
	scopeBits = 19
	pcShift   = lineBits + boundBits + scopeBits
)

func lineOf(at int) int    { return at & (1<<lineBits - 1) }
func boundOf(at int) bound { return bound(at >> lineBits & (1<<boundBits - 1)) }
func scopeOf(at int) int   { return at >> (lineBits + boundBits) & (1<<scopeBits - 1) }
func pcOf(at int) int      { return at>>pcShift - 1 }

// bound is which value of a numeric for an instruction looks at.
type bound int

const (
	noBound bound = iota
	initial
	limit
	step
)

func (b bound) String() string { return [...]string{"", "initial value", "limit", "step"}[b] }

// gotoMark stands in the place of a bound at the instructions of a goto; the variables beside it are those visible at its
// label.
const gotoMark = 1

// encode puts the instructions' numbers into the positions, and in the place of gopher-lua's list of variables, which does not
// say where their scopes end, that of scope.go.
func encode(p *lua.FunctionProto, scopes []*lua.DbgLocalInfo) {
	p.LineDefined, p.LastLineDefined = lineOf(p.LineDefined), lineOf(p.LastLineDefined)
	last := 0
	for i, position := range p.DbgSourcePositions {
		// A field of a constructor is set where its value ends, not where the constructor begins.
		if op := int(p.Code[i] >> 26); (op == lua.OP_SETTABLE || op == lua.OP_SETTABLEKS) && lineOf(position) < last {
			position += last - lineOf(position)
		}
		if int(p.Code[i]>>26) == lua.OP_CLOSE && boundOf(position) == gotoMark { // ends what is not visible at the label
			register := 0
			if scope := scopeOf(position); scope > 0 {
				register = scopes[scope-1].EndPc + 1
			}
			p.Code[i] = p.Code[i]&^(0xff<<18) | uint32(register)<<18
		}
		last = lineOf(position)
		p.DbgSourcePositions[i] = (i+1)<<pcShift | position
	}
	p.DbgLocals = scopes
}
