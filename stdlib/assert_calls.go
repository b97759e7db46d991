package stdlib

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

func (v *verdict) calls() [][]lua.LValue { return v.callsOf(v.chain.spy) }

func (v *verdict) times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// wanted is the number in called(n).
func (v *verdict) wanted() int {
	n, is := wholeNumber(first(v.args))
	if !is || n < 0 {
		vm.Throwf(v.L, 1, "%s expects a number of calls, got %s", v.chain.luaKind(), describe(first(v.args)))
	}
	return n
}

func (v *verdict) calledText(wanted string) {
	s := v.chain.spy
	v.text = fmt.Sprintf("expected '%s' %sto be called %s, it was called %s%s", s.name, v.not(), wanted, v.times(len(v.calls())), v.callList())
}

func (v *verdict) called() bool {
	n := len(v.calls())
	if len(v.args) == 0 || v.args[0] == lua.LNil {
		v.calledText("at least once")
		return n > 0
	}
	wanted := v.wanted()
	v.calledText(v.times(wanted))
	return n == wanted
}

func (v *verdict) calledAtLeast() bool {
	wanted := v.wanted()
	v.calledText("at least " + v.times(wanted))
	return len(v.calls()) >= wanted
}

func (v *verdict) calledAtMost() bool {
	wanted := v.wanted()
	v.calledText("at most " + v.times(wanted))
	return len(v.calls()) <= wanted
}

func (v *verdict) calledWith() bool {
	for _, args := range v.calls() {
		if v.sameArguments(args) {
			v.text = fmt.Sprintf("expected '%s' not to be called with %s", v.chain.spy.name, v.showAll(v.args))
			return true
		}
	}
	v.text = fmt.Sprintf("expected '%s' to be called with %s, it was called %s%s", v.chain.spy.name, v.showAll(v.args), v.times(len(v.calls())), v.callList())
	return false
}

func (v *verdict) sameArguments(args []lua.LValue) bool {
	for i := range max(len(args), len(v.args)) {
		if i >= len(args) || i >= len(v.args) {
			rest := append(args[min(i, len(args)):len(args):len(args)], v.args[min(i, len(v.args)):]...)
			for _, extra := range rest { // nil at the end is nothing
				if extra != lua.LNil {
					return false
				}
			}
			return true
		}
		if _, same := v.compare(v.args[i], args[i]); !same {
			return false
		}
	}
	return true
}

func (v *verdict) showAll(args []lua.LValue) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = v.show(a)
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// callList are the calls there have been.
func (v *verdict) callList() string {
	const most = 10
	calls := v.calls()
	text := ""
	for i, args := range calls {
		if i == most {
			text += fmt.Sprintf("\n  and %d more", len(calls)-most)
			break
		}
		text += "\n  " + v.showAll(args)
	}
	if text != "" {
		return ":" + text
	}
	return ""
}
