package lint

import (
	"maps"
	"slices"
)

// globalUse is a name that no local declaration covers.
type globalUse struct {
	name    string
	line    int
	assign  bool
	defines bool     // function name() … end
	nearby  []string // the locals in reach
}

func (c *checker) reportGlobals() {
	known := c.words.Globals
	names := slices.Collect(maps.Keys(known))
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
