// Package pattern matches Lua 5.1 patterns (reference manual 5.4.1) on bytes, without recursion and
// with every step counted, so that a hostile pattern can cost neither stack nor unbounded time.
//
// A Lua pattern is a straight sequence of items: only single characters repeat, nothing nests. Three
// things follow, and the matcher rests on them: an attempt holds at most one choice per item, so its
// backtracking stack is bounded by the pattern; which captures are open at an item is known before
// any text is seen; and a capture is always written again before it is read, so nothing is undone.
package pattern

// MaxItems bounds a pattern, and with it the backtracking stack of an attempt.
const MaxItems = 100_000

// MaxCaptures is Lua's LUA_MAXCAPTURES.
const MaxCaptures = 32

// opcode is what one item of a compiled pattern does.
type opcode uint8

const (
	opMatch    opcode = iota // end of the pattern: success
	opChar                   // one given byte
	opAny                    // any byte
	opSet                    // a byte of a set or class
	opGreedy                 // a single item, `*` or `+`
	opLazy                   // a single item, `-`
	opOptional               // a single item, `?`
	opOpen                   // `(`
	opPosition               // `()`
	opClose                  // `)`
	opBack                   // `%1`
	opBalance                // `%bxy`
	opFrontier               // `%f[set]`
	opEnd                    // `$` at the end
	opFail                   // a fault of the pattern, raised only when an attempt reaches it, as in Lua
)

// set is the bytes that a class or bracket class accepts.
type set [256]bool

// item is one step of a compiled pattern.
type item struct {
	op     opcode
	single opcode // what a repeated item repeats: opChar, opAny or opSet
	least  uint8  // the fewest repetitions of opGreedy: 0 for `*`, 1 for `+`
	char   byte   // opChar, opBalance (opening)
	other  byte   // opBalance (closing)
	// ahead tells that the next byte consumed after this repeated item must be follow, with nothing
	// between but captures: positions with another byte are skipped without trying them.
	ahead   bool
	follow  byte
	capture int
	set     *set
	fault   string
}

// Pattern is a compiled pattern. It is immutable.
type Pattern struct {
	items    []item
	captures int
	open     uint32 // captures never closed: reading them is "unfinished capture"
	anchored bool
	first    *item  // the item that decides where an attempt can begin, or nil
	prefix   string // literal bytes that every match begins with
	alone    *item  // the item with `+` that the pattern is, as in `%a+`, or nil
}

// Anchored tells whether the pattern began with `^`.
func (p *Pattern) Anchored() bool { return p.anchored }

// Captures is the number of captures a match yields, 0 if the pattern has none.
func (p *Pattern) Captures() int { return p.captures }
