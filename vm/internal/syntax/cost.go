package syntax

import "fmt"

// gopher-lua's code generator looks for each constant among all of the function, for each label among all of the block, goes
// down chains of operators one by one, and allocates much for each function. What would take it seconds is refused while the
// text is read; Lua has limits at the same places, but for labels.
const (
	maxChain     = 3400       // operators, fields, indexes and calls in a row
	maxLookups   = 50_000_000 // comparisons of constants in one function: 10,000 different ones that are each said once
	maxLabels    = 1000       // in one function
	maxFunctions = 10_000     // in one text
	maxLinks     = 6_000_000  // steps down chains, in one text: one chain of 3,400, or 1,000 of 100
	maxCode      = 131_071    // instructions of one function, as far as they can be counted here: the rest the caller of Parse sees
)

// What reading and compiling takes, in units of Parse's pay.
const (
	tokenCost    = 18
	functionCost = 900
	payEvery     = 64 // tokens
)

// TooLong is the message about a function with more code than there may be.
const TooLong = "the function is too long (control structure too long)"

// cost is what a function has of these.
type cost struct {
	constants map[string]struct{}
	lookups   int
	code      int
	labels    int
}

func (p *parser) refuse(message string, args ...any) {
	at := p.now
	panic(&Error{Line: at.line, Column: at.column, Message: fmt.Sprintf(message, args...)})
}

// count takes note of a token that has been read: a name may be a constant, as that of a global variable is.
func (p *parser) count() {
	p.tokens++
	if p.tokens%payEvery == 0 {
		p.pay(payEvery * tokenCost)
	}
	switch p.now.kind {
	case name, text, number:
	default:
		return
	}
	c := &p.scope.cost
	if c.constants == nil {
		c.constants = map[string]struct{}{}
	}
	c.constants[p.now.value] = struct{}{}
	c.lookups += len(c.constants)
	if c.lookups > maxLookups {
		p.refuse("function has too many constants (%d different ones): put some of them into other functions", len(c.constants))
	}
}

func (p *parser) countLabel() {
	p.scope.cost.labels++
	if p.scope.cost.labels > maxLabels {
		p.refuse("function has more than %d labels", maxLabels)
	}
}

// countCode counts instructions that there will be at least.
func (p *parser) countCode(n int) {
	p.scope.cost.code += n
	if p.scope.cost.code > maxCode {
		p.refuse(TooLong)
	}
}

func (p *parser) countFunction() {
	p.pay(functionCost)
	p.functions++
	if p.functions > maxFunctions {
		p.refuse("chunk has more than %d functions", maxFunctions)
	}
}

// link counts one more operator, field, index or call of a chain.
func (p *parser) link(n *int) {
	*n++
	if *n > maxChain {
		p.refuse("expression has more than %d operators in a row", maxChain)
	}
	p.links += *n
	if p.links > maxLinks {
		p.refuse("chunk has too many operators in a row")
	}
}
