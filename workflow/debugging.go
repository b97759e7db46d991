package workflow

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// Raised is an error of the last turn, whether it was caught or not, and where the code stood that raised it.
type Raised struct {
	Branch    string // its place in the tree
	Text      string
	Cancelled bool       // it is a CancelledError
	Levels    []vm.Level // innermost first; stores into their variables change only upvalues

	value lua.LValue
}

// mostRaised is how many errors of a turn are kept.
const mostRaised = 100

// noteErrors keeps what errors leave behind, if the config says so.
func (e *Execution) noteErrors() {
	if !e.config.Debug {
		return
	}
	e.state.Raised = func(v lua.LValue) {
		b := e.tree.Current()
		if b == nil || len(e.raised) == mostRaised {
			return
		}
		if n := len(e.raised); n > 0 && e.raised[n-1].value == v && e.raised[n-1].Branch == b.Path() {
			return // it is on its way
		}
		text, cancelled := stdlib.RaisedText(v)
		e.raised = append(e.raised, Raised{b.Path(), text, cancelled, e.state.Levels(), v})
	}
}

// Raised are the errors of the last turn, in order, if Config.Debug is set. Not to be changed.
func (e *Execution) Raised() []Raised { return e.raised }

// Levels are the Lua functions in which the branch at a place waits, innermost first; nil if it is in none.
func (e *Execution) Levels(path string) []vm.Level {
	if b := e.tree.BranchAt(path); b != nil {
		return stdlib.Levels(b)
	}
	return nil
}

// mostEvaluated is how many instructions evaluating takes at most: about a second, however patient the limits of the run are.
const mostEvaluated = 5e7

// Evaluate runs a chunk where a level is, between turns: it sees the variables there, and what it assigns is assigned. It may
// neither wait nor start anything. The run is another one than its history says from then on. After an engine error it is of no
// further use.
func (e *Execution) Evaluate(at vm.Level, name, source string) (values []lua.LValue, err error) {
	if e.state == nil || e.dead != nil {
		return nil, errors.Join(errors.New("the run has not begun, or an engine error has ended it"), e.dead)
	}
	e.state.RefillUpTo(mostEvaluated)
	defer recovered(&err)
	return e.flow.Evaluate(at, name, source)
}
