package stdlib

import (
	"strconv"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// entry is one function of a module or one method of a type. Lists of them keep their order, so that pairs() over a module
// is the same in every process.
type entry struct {
	name string
	fn   lua.LGFunction
}

// site lets the tree keep a place in a script without knowing Lua.
type site struct{ *vm.Site }

func (s site) Frames() []scheduler.Frame { return frames(s.Site.Frames()) }

// Same tells the tree that it can fold recursion.
func (s site) Same(other scheduler.Site) bool {
	o, is := other.(site)
	return is && s.Site.Same(o.Site)
}

func frames(of []vm.Frame) []scheduler.Frame {
	list := make([]scheduler.Frame, len(of))
	for i, f := range of {
		list[i] = scheduler.Frame(f)
	}
	return list
}

// place is a stack that was read at once, because it is gone later.
type place []scheduler.Frame

func (p place) Frames() []scheduler.Frame { return p }

// held is the Go value in a userdata, if it is a T.
func held[T any](v lua.LValue) (value T, is bool) {
	if ud, isUserdata := v.(*lua.LUserData); isUserdata {
		value, is = ud.Value.(T)
	}
	return value, is
}

func itoa(n int) string { return strconv.Itoa(n) }

func checkText(L *lua.LState, n int, call, what string) string {
	text, is := L.Get(n).(lua.LString)
	if !is || text == "" {
		vm.Throwf(L, 1, "%s expects %s as argument #%d, got %s", call, what, n, describe(L.Get(n)))
	}
	return string(text)
}

func checkDuration(L *lua.LState, n int, call string) time.Duration {
	v, err := toDuration(L.Get(n))
	if err != nil {
		vm.Throwf(L, 1, "%s %s", call, err)
	}
	return v
}

// checkCallable takes a function or anything else that can be called: a stub, a table with __call.
func checkCallable(L *lua.LState, n int, call, what string) lua.LValue {
	v := L.Get(n)
	if !callable(L, v) {
		hint := ""
		if _, is := toPromise(v); is {
			hint = "; pass the function itself, without calling it"
		}
		vm.Throwf(L, 1, "%s expects %s as argument #%d, got %s%s", call, what, n, describe(v), hint)
	}
	return v
}

func callable(L *lua.LState, v lua.LValue) bool {
	if v.Type() == lua.LTFunction {
		return true
	}
	if _, is := toPromise(v); is {
		return false // its __call only says what was forgotten
	}
	return (v.Type() == lua.LTTable || v.Type() == lua.LTUserData) && L.GetMetaField(v, "__call").Type() == lua.LTFunction
}

// arguments copies the arguments of a Go function from the n-th on.
func arguments(L *lua.LState, n int) []lua.LValue {
	top := L.GetTop()
	if n > top {
		return nil
	}
	list := make([]lua.LValue, 0, top-n+1)
	for ; n <= top; n++ {
		list = append(list, L.Get(n))
	}
	return list
}

func push(L *lua.LState, values []lua.LValue) int {
	for _, v := range values {
		L.Push(v)
	}
	return len(values)
}

func names(list []entry) []string {
	text := make([]string, len(list))
	for i, e := range list {
		text[i] = e.name
	}
	return text
}
