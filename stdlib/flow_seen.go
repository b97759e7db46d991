package stdlib

import (
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
)

// Expected is a signal that the script has asked for: flow.signal or flow.on with its name has been called.
type Expected struct {
	Name    string
	Awaited bool // a branch waits for it now
	Handled bool // it has a handler
}

// Expected are the signals that the script has asked for, by name.
func (f *Flow) Expected() []Expected {
	list := make([]Expected, 0, len(f.signals))
	for _, name := range slices.Sorted(maps.Keys(f.signals)) {
		s := f.signals[name]
		list = append(list, Expected{Name: name, Awaited: len(s.inbox.waiters) > 0, Handled: s.handler != nil})
	}
	return list
}

// Finally is a finally function of the script: how many scopes with it have begun their try, and how often it has begun to run.
type Finally struct {
	Source     string // of the chunk
	Line       int    // where the function begins
	Tried, Ran int
}

// Finallies are the finally functions of the scopes that have begun so far, in the order in which they were first seen.
func (f *Flow) Finallies() []Finally { return slices.Clone(f.finallies) }

// countFinally counts what becomes of a scope.
func (f *Flow) countFinally(spec *scheduler.ScopeSpec, finally lua.LValue) {
	fn, is := finally.(*lua.LFunction)
	if !is || fn.IsG {
		return
	}
	source, line := fn.Proto.SourceName, fn.Proto.LineDefined
	at := slices.IndexFunc(f.finallies, func(c Finally) bool { return c.Line == line && c.Source == source })
	if at < 0 {
		at = len(f.finallies)
		f.finallies = append(f.finallies, Finally{Source: source, Line: line})
	}
	try, run := spec.Try, spec.Finally
	spec.Try = func(b *scheduler.Branch, in []any) (any, error) {
		f.finallies[at].Tried++
		return try(b, in)
	}
	spec.Finally = func(b *scheduler.Branch) error {
		f.finallies[at].Ran++
		return run(b)
	}
}

// Within runs Go code that calls functions of the script which may neither wait nor start anything; world says what that is, as in
// "an invariant".
func (f *Flow) Within(world string, run func()) { f.within(world, run) }
