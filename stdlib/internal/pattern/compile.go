package pattern

import "strings"

// Faults are Lua's own texts.
const (
	faultEscape     = "malformed pattern (ends with '%')"
	faultBracket    = "malformed pattern (missing ']')"
	faultFrontier   = "missing '[' after '%f' in pattern"
	faultBalance    = "unbalanced pattern"
	faultClose      = "invalid pattern capture"
	faultIndex      = "invalid capture index"
	faultMany       = "too many captures"
	faultUnfinished = "unfinished capture"
	faultComplex    = "pattern too complex"
)

// Compile reads a pattern. It never fails: a fault becomes an item that fails when an attempt reaches it.
// As in Lua 5.1 a pattern ends at its first zero byte. Anchor says whether a leading `^` anchors (it
// does for find, match and gsub, it is an ordinary character for gmatch).
func Compile(source string, anchor bool) *Pattern {
	if i := strings.IndexByte(source, 0); i >= 0 {
		source = source[:i]
	}
	c := compiler{source: source, pattern: &Pattern{}}
	if anchor && strings.HasPrefix(source, "^") {
		c.pattern.anchored = true
		c.at = 1
	}
	for c.at < len(source) && !c.stopped {
		if len(c.pattern.items) == MaxItems {
			c.fail(faultComplex)
			break
		}
		c.next()
	}
	if !c.stopped {
		c.emit(item{op: opMatch})
	}
	p := c.pattern
	for _, i := range c.opened {
		p.open |= 1 << i
	}
	p.look()
	return p
}

type compiler struct {
	source  string
	at      int
	pattern *Pattern
	opened  []int // indexes of the captures that are open here
	stopped bool  // a fault was emitted: nothing behind it can be reached
}

func (c *compiler) emit(it item) { c.pattern.items = append(c.pattern.items, it) }

func (c *compiler) fail(fault string) {
	c.emit(item{op: opFail, fault: fault})
	c.stopped = true
}

// peek is the byte at offset from here, 0 past the end (as the C string's terminator).
func (c *compiler) peek(offset int) byte {
	if c.at+offset < len(c.source) {
		return c.source[c.at+offset]
	}
	return 0
}

func (c *compiler) next() {
	switch c.source[c.at] {
	case '(':
		c.open()
	case ')':
		c.close()
	case '%':
		c.escape()
	case '$':
		if c.at+1 == len(c.source) {
			c.emit(item{op: opEnd})
			c.at++
			return
		}
		c.single()
	default:
		c.single()
	}
}

func (c *compiler) open() {
	p := c.pattern
	if p.captures == MaxCaptures {
		c.fail(faultMany)
		return
	}
	it := item{op: opOpen, capture: p.captures}
	c.at++
	if c.peek(0) == ')' {
		it.op = opPosition
		c.at++
	} else {
		c.opened = append(c.opened, it.capture)
	}
	p.captures++
	c.emit(it)
}

func (c *compiler) close() {
	if len(c.opened) == 0 {
		c.fail(faultClose)
		return
	}
	last := len(c.opened) - 1
	c.emit(item{op: opClose, capture: c.opened[last]})
	c.opened = c.opened[:last]
	c.at++
}

func (c *compiler) escape() {
	switch letter := c.peek(1); {
	case letter == 'b':
		if c.peek(2) == 0 || c.peek(3) == 0 {
			c.fail(faultBalance)
			return
		}
		c.emit(item{op: opBalance, char: c.peek(2), other: c.peek(3)})
		c.at += 4
	case letter == 'f':
		c.at += 2
		if c.peek(0) != '[' {
			c.fail(faultFrontier)
			return
		}
		if end := c.bracketEnd(); end >= 0 {
			c.emit(item{op: opFrontier, set: bracket(c.source[c.at+1 : end])})
			c.at = end + 1
		}
	case isDigit(letter):
		index := int(letter) - '1'
		if index < 0 || index >= c.pattern.captures || c.unfinished(index) {
			c.fail(faultIndex)
			return
		}
		c.emit(item{op: opBack, capture: index})
		c.at += 2
	default:
		c.single()
	}
}

func (c *compiler) unfinished(index int) bool {
	for _, i := range c.opened {
		if i == index {
			return true
		}
	}
	return false
}

// bracketEnd finds the `]` that ends the bracket class here; without one it emits the fault and returns -1.
func (c *compiler) bracketEnd() int {
	i := c.at + 1
	if i < len(c.source) && c.source[i] == '^' {
		i++
	}
	for first := true; i < len(c.source); first = false {
		if c.source[i] == ']' && !first {
			return i
		}
		if c.source[i] == '%' && i+1 < len(c.source) {
			i++
		}
		i++
	}
	c.fail(faultBracket)
	return -1
}

// single reads one character, class or bracket class and the repetition behind it.
func (c *compiler) single() {
	it := item{op: opChar, char: c.source[c.at]}
	switch it.char {
	case '.':
		it.op = opAny
	case '%':
		c.at++
		if c.at == len(c.source) {
			c.fail(faultEscape)
			return
		}
		it.char = c.source[c.at]
		if s := class(it.char); s != nil {
			it.op, it.set = opSet, s
		}
	case '[':
		end := c.bracketEnd()
		if end < 0 {
			return
		}
		it.op, it.set = opSet, bracket(c.source[c.at+1:end])
		c.at = end
	}
	c.at++
	c.repeat(it)
}

func (c *compiler) repeat(it item) {
	it.single = it.op
	switch c.peek(0) {
	case '*':
		it.op = opGreedy
	case '+':
		it.op, it.least = opGreedy, 1
	case '-':
		it.op = opLazy
	case '?':
		it.op = opOptional
	default:
		c.emit(it)
		return
	}
	c.at++
	c.emit(it)
}

// look finds what lets the matcher skip positions: the byte behind each repeated item, the item that
// an attempt begins with and the literal prefix.
func (p *Pattern) look() {
	for i := range p.items {
		it := &p.items[i]
		if it.op != opGreedy && it.op != opLazy {
			continue
		}
		next := p.consuming(i + 1)
		if next.op == opChar || next.op == opGreedy && next.least > 0 && next.single == opChar {
			it.ahead, it.follow = true, next.char
		}
	}
	first := p.consuming(0)
	if first.op == opChar || first.op == opSet || first.op == opGreedy && first.least > 0 && first.single != opAny {
		p.first = first
	}
	if len(p.items) == 2 && p.first != nil && p.first.op == opGreedy && p.items[1].op == opMatch && !p.anchored {
		p.alone = p.first
	}
	var prefix []byte
	for i := 0; p.items[i].op == opChar; i++ {
		prefix = append(prefix, p.items[i].char)
	}
	p.prefix = string(prefix)
}

// consuming is the first item from i on that is not a capture's edge.
func (p *Pattern) consuming(i int) *item {
	for op := p.items[i].op; op == opOpen || op == opClose || op == opPosition; op = p.items[i].op {
		i++
	}
	return &p.items[i]
}
