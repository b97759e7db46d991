// Package vm is Lua for workflow code: the language of Lua 5.1 with goto, run by gopher-lua's parser, code generator and
// interpreter, with everything around them made anew, because as they are they miscompute, leak and can be stopped by
// nothing.
//
//	source (size cap) ─► parse ─► syntax depth check + rewrite of the tree ─► lua.Compile ─► check of every prototype
//
// A [Chunk] is immutable and shared by all runs. A [State] is one run: its globals, its budget, its threads. Each
// protected call, each coroutine and each [State.Call] has a Lua thread of its own, and coroutines are built on
// iter.Pull: a Go function may suspend from anywhere, inside pcall, a metamethod, an iterator or a callback.
//
// A State is used by one goroutine at a time.
package vm
