package vm

import (
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// What the loop does itself with tables. nil and false mean that it is left to gopher-lua.

// bare tells whether there is no metatable.
func bare(meta lua.LValue) bool {
	_, none := meta.(*lua.LNilType)
	return none || meta == nil
}

// field is t[key] for a short key: of a table, or of the tables that its metatables lead to.
func (b *budget) field(t *lua.LTable, key string) lua.LValue {
	for hops := range lua.MaxTableGetLoop {
		in := (*table)(unsafe.Pointer(t))
		if v, ok := in.strdict[key]; ok {
			if hops > 0 {
				b.charge(int64(hops * hopCost))
			}
			return v
		}
		if bare(in.meta) {
			if hops > 0 {
				b.charge(int64(hops * hopCost))
			}
			return lua.LNil
		}
		meta, ok := in.meta.(*lua.LTable)
		if !ok {
			return nil
		}
		if t, ok = (*table)(unsafe.Pointer(meta)).strdict["__index"].(*lua.LTable); !ok {
			return nil
		}
	}
	return nil
}

// method is field of what strings have for methods.
func (b *budget) method(key string) lua.LValue {
	if t, ok := (*table)(unsafe.Pointer(b.state.meta)).strdict["__index"].(*lua.LTable); ok {
		return b.field(t, key)
	}
	return nil
}

// item is t[key].
func (b *budget) item(t *lua.LTable, key lua.LValue) lua.LValue {
	switch k := key.(type) {
	case lua.LNumber:
		in := (*table)(unsafe.Pointer(t))
		if i := int(k); uint(i-1) < uint(len(in.array)) && lua.LNumber(i) == k {
			if v := in.array[i-1]; v != lua.LNil || bare(in.meta) {
				return v
			}
		}
	case lua.LString:
		if len(k) <= freeText {
			return b.field(t, string(k))
		}
	}
	return nil
}

// setItem is t[key] = v where a value is replaced, or one added at the end of a list that has room.
func (b *budget) setItem(t *lua.LTable, key, v lua.LValue) bool {
	in := (*table)(unsafe.Pointer(t))
	switch k := key.(type) {
	case lua.LNumber:
		i := int(k)
		if lua.LNumber(i) != k {
			return false
		}
		switch n := len(in.array); {
		case uint(i-1) < uint(n):
			if !bare(in.meta) && in.array[i-1] == lua.LNil {
				return false
			}
			in.array[i-1] = v
			return true
		case i == n+1 && n < cap(in.array) && i <= b.state.limits.TableSize && bare(in.meta) && v != lua.LNil:
			in.array = append(in.array, v)
			return true
		}
	case lua.LString:
		if len(k) > freeText || v == lua.LNil {
			return false
		}
		if _, ok := in.strdict[string(k)]; ok {
			in.strdict[string(k)] = v
			return true
		}
	}
	return false
}

// sameValue is x == y; false: a metamethod has to be asked, or much to be compared.
func sameValue(x, y lua.LValue) (same, known bool) {
	switch x := x.(type) {
	case lua.LNumber:
		y, ok := y.(lua.LNumber)
		return ok && x == y, true
	case lua.LString:
		y, ok := y.(lua.LString)
		if !ok || len(x) != len(y) {
			return false, true
		}
		if len(x) > freeText {
			return false, false
		}
		return x == y, true
	case *lua.LNilType:
		_, ok := y.(*lua.LNilType)
		return ok, true
	case lua.LBool:
		y, ok := y.(lua.LBool)
		return ok && x == y, true
	case *lua.LTable:
		y, ok := y.(*lua.LTable)
		if !ok || x == y {
			return ok, true
		}
		return false, bare(x.Metatable)
	}
	return false, false
}
