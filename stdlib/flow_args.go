package stdlib

import (
	"encoding/json"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// argument is the place of a promise among the arguments of a call: in a table, or the n-th one itself.
type argument struct {
	in  *lua.LTable
	key lua.LValue
	n   int
}

// prepare checks and keeps the arguments of a call at the line that makes it: what cannot leave the run is an error there,
// and later changes of a table change nothing. Promises in them are to be waited for.
func (f *Flow) prepare(L *lua.LState, s *stub, args []lua.LValue) (*call, []*scheduler.Promise) {
	c := &call{flow: f, stub: s, site: f.site()}
	f.errors.promises = promisesForbidden
	payload, err := f.state.EncodeAll(args, "input")
	if err == nil {
		c.payload = payload
		return c, nil
	}
	if f.errors.promises != promisesSeen {
		vm.Throwf(L, 1, "%s: %s", s.luaKind(), err)
	}
	copier := copier{seen: map[*lua.LTable]*lua.LTable{}}
	c.args = make([]lua.LValue, len(args))
	for i, v := range args {
		c.args[i] = copier.value(v, argument{n: i})
	}
	c.holes = copier.holes
	f.errors.promises = promisesAllowed
	_, err = f.state.EncodeAll(c.args, "input")
	f.errors.promises = promisesForbidden
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", s.luaKind(), err)
	}
	return c, copier.promises
}

// encode puts the values of the promises in their places.
func (c *call) encode(in []any) (json.RawMessage, error) {
	if c.payload != nil {
		return c.payload, nil
	}
	for i, h := range c.holes {
		v := first(valuesOf(in[i]))
		switch {
		case h.in == nil:
			c.args[h.n] = v
		case v == lua.LNil && h.key.Type() == lua.LTNumber:
			h.in.RawSet(h.key, c.flow.state.Null()) // a list has no holes
		default:
			h.in.RawSet(h.key, v)
		}
	}
	payload, err := c.flow.state.EncodeAll(c.args, "input")
	if err != nil {
		e := &Error{Name: nameError, Message: c.stub.luaKind() + ": " + err.Error()}
		c.place(e)
		return nil, e
	}
	return payload, nil
}

// copier copies tables and notes where promises are. What it copies was charged by the first attempt to encode it.
type copier struct {
	seen     map[*lua.LTable]*lua.LTable
	holes    []argument
	promises []*scheduler.Promise
	depth    int
}

func (c *copier) value(v lua.LValue, at argument) lua.LValue {
	switch v := v.(type) {
	case *lua.LUserData:
		if p, is := v.Value.(*scheduler.Promise); is {
			c.holes = append(c.holes, at)
			c.promises = append(c.promises, p)
		}
	case *lua.LTable:
		if done, again := c.seen[v]; again {
			return done
		}
		if c.depth > vm.MaxDepth {
			return v // too deep to leave anyway, which encoding it says
		}
		c.depth++
		defer func() { c.depth-- }()
		t := &lua.LTable{Metatable: v.Metatable}
		c.seen[v] = t
		for key, item := v.Next(lua.LNil); key != lua.LNil; key, item = v.Next(key) {
			t.RawSet(key, c.value(item, argument{in: t, key: key}))
		}
		return t
	}
	return v
}
