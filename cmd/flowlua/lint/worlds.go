package lint

import (
	"slices"

	"github.com/flowlua/flowlua/vm"
)

// world is the side of the border on which a function runs: workflow code must be deterministic, activity code does the work.
type world int

const (
	inWorkflow world = 1 << iota
	inActivity
)

// A unit is one function of the script; the chunk itself is the first. It runs in the worlds of whoever mentions it.
type unit struct {
	worlds world
	holder *variable // the local it is stored in, or the local table whose field it is
	field  string
	edges  []edge
}

// edge is a mention of a function: whoever mentions it may call it.
type edge struct {
	holder *variable
	field  string // "" mentions the variable itself, and so all its fields
	inner  *unit  // a function literal written here
	world  world  // where the mentioned function will run; 0 is where the mention is
}

func (e edge) reaches(u *unit) bool {
	if e.inner != nil {
		return e.inner == u
	}
	return e.holder != nil && e.holder == u.holder && (e.field == "" || u.field == "" || e.field == u.field)
}

// use is a mention of a library's function or of a global.
type use struct {
	unit   *unit
	name   string
	line   int
	column int
}

func (c *checker) use(name, word string, line int) {
	if outside(name) != "" || c.words.side(name) != 0 {
		c.uses = append(c.uses, use{c.unit, name, line, c.places.first(line, word)})
	}
}

// spread lets the worlds of every function flow to the functions it mentions.
func (c *checker) spread() {
	for changed := true; changed; {
		changed = false
		for _, from := range c.units {
			for _, e := range from.edges {
				worlds := from.worlds
				if e.world != 0 && worlds != 0 {
					worlds = e.world
				}
				for _, to := range c.units {
					if e.reaches(to) && to.worlds|worlds != to.worlds {
						to.worlds |= worlds
						changed = true
					}
				}
			}
		}
	}
}

func (c *checker) reportWorlds() {
	c.spread()
	for _, u := range c.uses {
		side, instead := c.words.side(u.name), outside(u.name)
		switch {
		case instead != "" && u.unit.worlds&inWorkflow != 0:
			c.reportAt(u.line, u.column, "%s is not available in workflow code: %s", u.name, instead)
		case side == inActivity && u.unit.worlds&inWorkflow != 0:
			c.reportAt(u.line, u.column, "%s works in an activity only, this is workflow code", u.name)
		case side == inWorkflow && u.unit.worlds&inActivity != 0:
			c.reportAt(u.line, u.column, "%s cannot be used inside an activity: it belongs in workflow code", u.name)
		}
	}
}

// side is the world outside which a flow function raises; 0 when it works in both.
func (v *Vocabulary) side(name string) world {
	library, function, _ := cut(name)
	fn := v.Functions[name]
	switch {
	case library != "flow" || slices.Contains([]string{"sleep", "log", "error"}, function):
		return 0
	case fn != nil && fn.Activity:
		return inActivity
	}
	return inWorkflow
}

// outside tells what a name touches the world outside a run for, in the words of the error that it raises; "" if it does not.
func outside(name string) (instead string) {
	const activity = "do this in an activity (flow.activity)"
	library, function, dotted := cut(name)
	switch library {
	case "os":
		if dotted && slices.Contains([]string{"execute", "exit", "getenv", "remove", "rename", "tmpname", "setlocale"}, function) {
			return activity
		}
	case "fs", "http":
		if dotted {
			return activity
		}
	case "hash":
		if function == "file" {
			return activity
		}
	case "debug":
		if function == "traceback" {
			return ""
		}
	}
	return vm.WorkflowAbsent()[library]
}
