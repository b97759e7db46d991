package vm

import (
	"fmt"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// identities number the tables, functions and so on that a script has asked the text of: an address would differ from
// run to run. They keep nothing alive.
type identities struct {
	known map[any]int // by weak pointer
	last  int
}

func (i *identities) text(v lua.LValue) string {
	var key any
	switch v := v.(type) {
	case *lua.LTable:
		key = weak.Make(v)
	case *lua.LFunction:
		key = weak.Make(v)
	case *lua.LState:
		key = weak.Make(v)
	case *lua.LUserData:
		key = weak.Make(v)
	default:
		return v.Type().String()
	}
	id, ok := i.known[key]
	if !ok {
		if i.known == nil {
			i.known = map[any]int{}
		}
		i.last++
		id = i.last
		i.known[key] = id
	}
	return fmt.Sprintf("%s: 0x%08x", v.Type(), id)
}
