package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
)

// What the tree takes for the run, in bytes, besides values.
const (
	heldByCall = 700 // what a call has started
	heldByItem = 100 // in a channel
)

// visitHeld tells which values are in a promise or a channel, when the run's memory is counted.
func visitHeld(v any, visit func(lua.LValue)) {
	each := func(values []lua.LValue) {
		for _, v := range values {
			visit(v)
		}
	}
	switch v := v.(type) {
	case *scheduler.Promise:
		if value, err := v.Get(); err == nil {
			values, _ := value.([]lua.LValue)
			each(values)
		}
	case *channel:
		for _, item := range v.items {
			each(item)
		}
		for _, s := range v.senders {
			each(s.item)
		}
	}
}
