package lint

import "strings"

// globalUse is a name that no local declaration covers.
type globalUse struct {
	name    string
	line    int
	assign  bool
	defines bool     // function name() … end
	nearby  []string // the locals in reach
}

// base lists what Lua itself defines in scripts. The libraries' tables come from their declarations.
const base = `_G _VERSION assert collectgarbage error getmetatable ipairs load loadstring next pairs pcall print rawequal rawget
rawset require select setmetatable tonumber tostring type unpack xpcall coroutine string table math os
io debug package dofile loadfile module`

func (c *checker) reportGlobals() {
	known := map[string]bool{}
	names := strings.Fields(base)
	for _, name := range names {
		known[name] = true
	}
	for _, g := range c.globals {
		switch {
		case g.defines:
			c.report(g.line, g.name, "function %s is global: write 'local function %s'", g.name, g.name)
		case g.assign && known[g.name]:
			c.report(g.line, g.name, "assignment to '%s' replaces Lua's own", g.name)
		case g.assign:
			c.report(g.line, g.name, "assignment to undefined global '%s'%s", g.name, orLocal(g))
		case known[g.name] || c.assigned[g.name]:
		case c.words.required(g.name):
			c.report(g.line, g.name, "undefined global '%s' (is 'local %s = require \"%s\"' missing?)", g.name, g.name, g.name)
		default:
			c.report(g.line, g.name, "undefined global '%s'%s", g.name, suggest(g.name, append(g.nearby, names...)))
		}
	}
}

func orLocal(g globalUse) string {
	if hint := suggest(g.name, g.nearby); hint != "" {
		return hint
	}
	return " (is 'local' missing?)"
}
