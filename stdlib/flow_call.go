package stdlib

import (
	"errors"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// Body makes a function of a script the body of a branch.
func (f *Flow) Body(fn lua.LValue, args []lua.LValue) scheduler.Func {
	return func(b *scheduler.Branch, _ []any) (any, error) { return f.call(b, fn, args...) }
}

// call runs a function of a script in a branch. Promises among its results are awaited.
func (f *Flow) call(b *scheduler.Branch, fn lua.LValue, args ...lua.LValue) (any, error) {
	results, err := f.state.Call(fn, args...)
	if err != nil {
		return nil, f.failure(b, err)
	}
	return f.resolve(b, results)
}

// resolve puts values in the place of promises: all of its values if it is the last, else its first. A single promise is
// left to the tree, which awaits it as the branch's last act.
func (f *Flow) resolve(b *scheduler.Branch, results []lua.LValue) (any, error) {
	for i := 0; i < len(results); i++ {
		p, is := toPromise(results[i])
		switch {
		case !is:
			continue
		case len(results) == 1:
			return p, nil
		}
		v, err := b.Await(p)
		if err != nil {
			return nil, err
		}
		if i < len(results)-1 {
			results[i] = first(valuesOf(v))
			continue
		}
		results = append(results[:i:i], valuesOf(v)...)
	}
	return results, nil
}

// failure makes an error of the tree of what a script raised. An error value is itself; a string that an await of this
// branch raised before is still that failure, with its stack.
func (f *Flow) failure(b *scheduler.Branch, err error) error {
	var failed *vm.Error
	if !errors.As(err, &failed) {
		return err
	}
	_, isValue := toError(failed.Value)
	if l, has := b.Local.(*local); !isValue && has && l.raised != nil && l.raised.raised == failed.Value {
		return l.raised
	}
	e := f.errors.uncaught(failed)
	if isValue {
		e.raised = nil // from now on it is the error value that was raised
	}
	if e.branch == nil {
		e.branch = b
	}
	return e
}

// branchName names branches by the function that they run: "orders.lua:12".
func (f *Flow) branchName(fn lua.LValue) string {
	function, is := fn.(*lua.LFunction)
	if !is {
		if s, is := toStub(fn); is {
			return s.name
		}
		return "call"
	}
	if function.IsG {
		return "function"
	}
	name, known := f.names[function.Proto]
	if !known {
		if f.names == nil {
			f.names = map[*lua.FunctionProto]string{}
		}
		name = function.Proto.SourceName + ":" + itoa(function.Proto.LineDefined)
		f.names[function.Proto] = name
	}
	return name
}
