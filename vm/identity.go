package vm

import (
	"fmt"
	"maps"
	"weak"

	lua "github.com/yuin/gopher-lua"
)

// identities number the tables, functions and so on that a script has asked the text of: an address would differ from
// run to run. They keep nothing alive.
type identities struct {
	known map[any]int // by weak pointer
	last  int
	most  int // how many there may be before those that are gone are looked for
}

// fewIdentities are never looked through.
const fewIdentities = 256

// sweep forgets what is gone.
func (i *identities) sweep() {
	maps.DeleteFunc(i.known, func(key any, _ int) bool { return gone(key) })
	i.most = max(fewIdentities, 2*len(i.known))
}

func gone(key any) bool {
	switch p := key.(type) {
	case weak.Pointer[lua.LTable]:
		return p.Value() == nil
	case weak.Pointer[lua.LFunction]:
		return p.Value() == nil
	case weak.Pointer[lua.LState]:
		return p.Value() == nil
	case weak.Pointer[lua.LUserData]:
		return p.Value() == nil
	}
	return false
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
		if len(i.known) >= i.most {
			i.sweep()
		}
		i.last++
		id = i.last
		i.known[key] = id
	}
	return fmt.Sprintf("%s: 0x%08x", v.Type(), id)
}
