package stdlib

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// sideEffect is flow.side_effect(fn): what fn returns, recorded once.
func (f *Flow) sideEffect(L *lua.LState) int {
	fn := checkCallable(L, 1, "flow.side_effect", "a function")
	b := f.branch(L, "flow.side_effect")
	if err := b.Cancelled(); err != nil {
		return f.raise(L, b, err)
	}
	payload, err := f.out.Record(b, history.SideEffectRecorded, f.branchName(fn), func() (payload json.RawMessage, err error) {
		f.within("a side effect", func() {
			var results []lua.LValue
			if results, err = f.state.Call(fn); err == nil {
				payload, err = f.state.EncodeAll(results, "result")
			} else {
				err = f.failure(b, err)
			}
		})
		return payload, err
	})
	if err != nil {
		return f.rethrow(L, b, err)
	}
	list, err := f.state.DecodeAll(payload)
	if err != nil {
		vm.Throwf(L, 1, "flow.side_effect: %s", err)
	}
	return push(L, list)
}

// rethrow raises what a function called from Go has raised, the same object.
func (f *Flow) rethrow(L *lua.LState, b *scheduler.Branch, err error) int {
	if raised, is := err.(*vm.Error); is {
		return f.raise(L, b, f.failure(b, raised))
	}
	if e, is := err.(*Error); is { // recorded
		return f.raise(L, b, e)
	}
	vm.Throwf(L, 1, "%s", err)
	return 0
}

// uuid is flow.uuid(): a random one (version 4) out of the branch's own stream.
func (f *Flow) uuid(L *lua.LState) int {
	f.branch(L, "flow.uuid")
	r := f.Random()
	high, low := r.next(), r.next()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	L.Push(lua.LString(fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&(1<<48-1))))
	return 1
}

// Random is the random stream of the running branch: made of the run's seed and the branch's place in the tree, so that
// branches do not disturb each other. What a replay does not run has a stream beside them.
func (f *Flow) Random() *Random {
	b := f.tree.Current()
	if b == nil || f.world != "" {
		if f.spare == nil {
			f.spare = NewRandom(f.out.Seed() + 1)
		}
		return f.spare
	}
	l := localOf(b)
	if l.random == nil {
		h := fnv.New64a()
		h.Write([]byte(b.Path()))
		l.random = NewRandom(f.out.Seed() ^ h.Sum64())
	}
	return l.random
}

// version is flow.version(change, min, max).
func (f *Flow) version(L *lua.LState) int {
	const call = "flow.version"
	change := checkText(L, 1, call, "the name of the change")
	low, isLow := wholeNumber(L.Get(2))
	high, isHigh := wholeNumber(L.Get(3))
	if !isLow || !isHigh || low > high {
		vm.Throwf(L, 1, "%s '%s' expects the lowest and the highest version it knows, got %s and %s", call, change, describe(L.Get(2)), describe(L.Get(3)))
	}
	b := f.branch(L, call)
	n, err := f.out.Version(b, change, low, high)
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(lua.LNumber(n))
	return 1
}

// status is flow.status(value).
func (f *Flow) status(L *lua.LState) int {
	f.branch(L, "flow.status")
	payload, err := f.state.EncodeAll([]lua.LValue{L.Get(1)}, "status")
	if err != nil {
		vm.Throwf(L, 1, "flow.status: %s", err)
	}
	f.out.Status(payload)
	return 0
}

// continueAsNew is flow.continue_as_new(…).
func (f *Flow) continueAsNew(L *lua.LState) int {
	f.branch(L, "flow.continue_as_new")
	payload, err := f.state.EncodeAll(arguments(L, 1), "input")
	if err != nil {
		vm.Throwf(L, 1, "flow.continue_as_new: %s", err)
	}
	f.out.ContinueAsNew(payload)
	return 0
}
