package vm

import lua "github.com/yuin/gopher-lua"

// hasHad says whether a table has the key, or has had it: what a traversal may go on from. gopher-lua keeps the keys of values
// that were set to nil, but tells nobody; asked for what follows a key that it does not know, it takes it for the first one.
func hasHad(t *lua.LTable, key lua.LValue) bool {
	if t.RawGet(key) != lua.LNil || !tablesKnown {
		return true
	}
	own := inside(t)
	if i, ok := key.(lua.LNumber); ok && i >= 1 && i <= lua.LNumber(cap(own.array)) && i == lua.LNumber(int(i)) {
		return true // the list may have become shorter meanwhile
	}
	_, ok := own.k2i[key]
	return ok
}
