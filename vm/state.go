package vm

import (
	"io/fs"
	"slices"
	"sort"

	lua "github.com/yuin/gopher-lua"
)

// Config of a State. The zero value works: nothing is printed, nothing can be required.
type Config struct {
	Limits  Limits
	Print   func(line string)           // gets each print, without the newline
	Modules fs.FS                       // where require finds modules: a.b is a/b.lua or a/b/init.lua
	Cover   func(file string, line int) // is told of each line that is run; nil: nothing is, and it costs nothing
	Absent  map[string]string           // globals that raise on use, and what to say instead; nil: those of workflow code
}

// State is one run's Lua: globals, the base and coroutine libraries, a budget, and threads. Close it when done.
type State struct {
	Values

	// Inside tells what a userdata of the host holds, when memory is counted. It may be nil.
	Inside func(v any, visit func(lua.LValue))
	// Local is what the library that drives the state keeps with it, for its Builtins.
	Local any

	// Raised is told of each error while the code that raises it stands there: Levels reads its variables. It may be nil.
	Raised func(value lua.LValue)

	config  Config
	limits  Limits
	models  *models
	main    *lua.LState
	budget  *budget
	helpers []lua.LValue // what rewritten code calls: hidden upvalues of every chunk

	top      *thread // the innermost thread that runs, nil between calls
	used     *thread // all that have begun and not ended, newest first
	free     []*thread
	deepens  bool  // threads begin with short call stacks
	verbatim bool  // the error being raised carries its own text
	cause    error // and was first raised elsewhere
	covered  covered
	raised   *lua.ApiError // the last error that raise has made, until it is caught
	handling *origin       // the error that an xpcall handler is looking at
	idle     []*worker
	live     map[*coroutine]struct{}
	dropped  *dropped

	sessions []*Session

	meta    *lua.LTable // of strings
	bare    *lua.LTable // of strings, where a script has taken theirs away
	ids     identities
	modules modules

	unfilled map[*lua.LTable]func() // tables that no script has looked into yet

	nextFunc *lua.LFunction // what pairs and ipairs give, the same each time
	stepFunc *lua.LFunction
	place    place     // of the innermost loop with pairs
	numbers  *registry // which makes the values of numbers, nil if gopher-lua does
	closed   bool
}

// New makes a state.
func New(c Config) *State {
	s := &State{config: c, limits: c.Limits.withDefaults(), live: map[*coroutine]struct{}{}, dropped: &dropped{}}
	s.main = newMain()
	// The options that NewThread takes over; NewState would not accept a registry this small.
	s.main.Options.RegistrySize = registrySize
	s.main.Options.CallStackSize = s.limits.CallDepth
	if _, known := innardsOf(s.main); known {
		s.deepens = true
		s.main.Options.CallStackSize = min(s.limits.CallDepth, firstSegments*segmentFrames)
	}
	if threadLayout() != nil {
		s.numbers = threadOf(s.main).reg
	}
	s.main.G.MainThread, s.main.G.CurrentThread = s.main, s.main
	s.main.Panic = func(l *lua.LState) { s.raise(l, true) }
	s.budget = newBudget(s, s.limits)
	s.Values = newValues(s.main, s.limits.StringBytes, s.Charge)
	s.Values.complete = s.Complete
	s.models = standardModels()
	s.helpers = slices.Clone(s.models.helpers)
	s.helpers[0] = quicken(s.helpers[0].(*lua.LFunction), s.quickConcat)
	s.openBase()
	s.openModules()
	s.openAbsent()
	return s
}

// Close stops the coroutines that are suspended. The state must not be used afterwards. Branches that wait in Suspend
// must be unwound before.
func (s *State) Close() {
	if s.closed {
		return
	}
	s.closed = true
	s.stopCoroutines()
	s.free, s.idle = nil, nil
}

// Main is the thread for making tables and functions. Nothing may be called on it.
func (s *State) Main() *lua.LState { return s.main }

// Globals is the table of global variables.
func (s *State) Globals() *lua.LTable { return s.main.G.Global }

// Load makes a function of a chunk. Call it for its effect, with the chunk's arguments.
func (s *State) Load(c *Chunk) *lua.LFunction {
	outer := s.main.NewFunctionFromProto(c.proto)
	out, err := s.Call(outer, s.helpers...)
	if err != nil {
		panic(err) // the outer function only makes a closure
	}
	return out[0].(*lua.LFunction)
}

// Func makes a Lua function of fn. name is what the code that makes it calls it; tracebacks show what scripts call it.
func (s *State) Func(name string, fn lua.LGFunction) *lua.LFunction {
	b := s.budget
	return s.main.NewFunction(func(l *lua.LState) int {
		b.charge(goCallCost)
		return fn(l)
	})
}

// SetFuncs puts functions into t, in the order of their names, as a Go map has none.
func (s *State) SetFuncs(t *lua.LTable, funcs map[string]lua.LGFunction) {
	reserve(t, len(funcs))
	names := make([]string, 0, len(funcs))
	for name := range funcs {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		t.RawSetString(name, s.Func(name, funcs[name]))
	}
}

// reserve makes room in an empty table for n keys, so that it need not grow key by key.
func reserve(t *lua.LTable, n int) {
	if own := inside(t); own.keys == nil {
		own.strdict = make(map[string]lua.LValue, n)
		own.keys, own.k2i = make([]lua.LValue, 0, n), make(map[lua.LValue]int, n)
	}
}

// SetStringMethods says what "text":method() finds: the string library. The metatable itself is out of scripts' reach.
func (s *State) SetStringMethods(t *lua.LTable) { s.meta.RawSetString("__index", t) }

// Suspend runs wait, which parks the branch and comes back when it is resumed; other branches' code runs meanwhile. It
// may be called from any Go function that Lua called, at any depth, in any coroutine.
func (s *State) Suspend(wait func()) {
	top := s.top
	s.top = nil
	s.budget.watch.stop()
	wait()
	s.top = top
}
