package vm

import (
	lua "github.com/yuin/gopher-lua"
)

// Number makes a value of a number, for less than Go does it.
func (s *State) Number(f float64) lua.LValue {
	if r := s.numbers; r != nil {
		return r.number(lua.LNumber(f))
	}
	return lua.LNumber(f)
}

// typeNames are the names of types, by lua.LValueType.
var typeNames = func() (names [lua.LTChannel + 1]lua.LValue) {
	for i := range names {
		names[i] = lua.LString(lua.LValueType(i).String())
	}
	return
}()

func quickType(args []lua.LValue) (first, second lua.LValue, n int) {
	if len(args) == 0 {
		return nil, nil, 0
	}
	return typeNames[args[0].Type()], nil, 1
}

// place is where a loop with pairs is among a table's keys.
type place struct {
	table *lua.LTable
	index int // of the key that was given last
}

// quickNext is next for keys that are short or belong to the list.
func (s *State) quickNext(args []lua.LValue) (key, value lua.LValue, n int) {
	if len(args) != 2 {
		return nil, nil, 0
	}
	t, ok := args[0].(*lua.LTable)
	if !ok || !bare(t.Metatable) {
		return nil, nil, 0
	}
	in := inside(t)
	from, j := 0, 0
	switch k := args[1].(type) {
	case lua.LNumber:
		if from = int(k); lua.LNumber(from) != k || from < 1 || from > len(in.array) {
			return nil, nil, 0
		}
	case lua.LString:
		if len(k) > freeText {
			return nil, nil, 0
		}
		from = len(in.array)
		if p := s.place; p.table == t && p.index < len(in.keys) && in.keys[p.index] == args[1] {
			j = p.index + 1
		} else if i, ok := in.k2i[k]; ok {
			j = i + 1
		} else {
			return nil, nil, 0
		}
	default:
		return nil, nil, 0
	}
	for ; from < len(in.array); from++ {
		if v := in.array[from]; v != lua.LNil {
			return s.Number(float64(from + 1)), v, 2
		}
	}
	for ; j < len(in.keys); j++ {
		k := in.keys[j]
		v, ok := lua.LValue(nil), false
		if text, isText := k.(lua.LString); isText {
			v, ok = in.strdict[string(text)]
		} else {
			v, ok = in.dict[k]
		}
		if ok {
			s.place = place{t, j}
			return k, v, 2
		}
	}
	s.place = place{}
	return lua.LNil, nil, 1
}

// quickStep is the iterator of ipairs.
func (s *State) quickStep(args []lua.LValue) (index, value lua.LValue, n int) {
	if len(args) != 2 {
		return nil, nil, 0
	}
	t, ok1 := args[0].(*lua.LTable)
	i, ok2 := args[1].(lua.LNumber)
	if !ok1 || !ok2 {
		return nil, nil, 0
	}
	array := inside(t).array
	if k := int(i); lua.LNumber(k) == i && uint(k) < uint(len(array)) && array[k] != lua.LNil {
		return s.Number(float64(k + 1)), array[k], 2
	}
	return nil, nil, 0
}
