package stdlib

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	lua "github.com/yuin/gopher-lua"
)

// compare compares what two values hold. Metatables play no part; a matcher among what is expected decides for itself. at is
// the place of the first difference: ".items[2].price".
func (w *asserts) compare(expected, got lua.LValue) (at string, same bool) {
	c := comparer{asserts: w, pairs: map[[2]*lua.LTable]bool{}}
	same = c.same(expected, got)
	return c.place(), same
}

// longestPlace is how many steps of a place are shown.
const longestPlace = 20

func (c *comparer) place() string {
	if n := len(c.at); n > longestPlace {
		return strings.Join(c.at[:longestPlace/2], "") + "…" + strings.Join(c.at[n-longestPlace/2:], "")
	}
	return strings.Join(c.at, "")
}

// deepestCompared is how many tables inside each other are compared.
const deepestCompared = 10_000

type comparer struct {
	*asserts
	partly bool                    // got may hold more
	pairs  map[[2]*lua.LTable]bool // that are being compared: cycles are the same if all else is
	at     []string
	key    lua.LValue // the last of at

	expected, got lua.LValue // what differs there
}

// compareCost is of comparing two values, in instructions.
const compareCost = 4

func (c *comparer) same(expected, got lua.LValue) bool {
	c.flow.state.Charge(compareCost)
	c.expected, c.got = expected, got
	if m, is := held[*matcher](expected); is {
		return m.holds(got)
	}
	switch expected := expected.(type) {
	case *lua.LTable:
		if got, is := got.(*lua.LTable); is {
			return c.tables(expected, got)
		}
	case *lua.LUserData:
		a, isError := toError(expected)
		b, alsoError := toError(got)
		if isError && alsoError {
			return a.Name == b.Name && a.Message == b.Message
		}
	}
	return expected == got
}

func (c *comparer) tables(expected, got *lua.LTable) bool {
	pair := [2]*lua.LTable{expected, got}
	if expected == got || c.pairs[pair] {
		return true
	}
	if len(c.at) > deepestCompared {
		return false
	}
	c.pairs[pair] = true
	for _, t := range pair {
		c.flow.state.Complete(t)
	}
	for key, v := expected.Next(lua.LNil); key != lua.LNil; key, v = expected.Next(key) {
		c.at, c.key = append(c.at, step(key)), key
		if !c.same(v, got.RawGet(key)) {
			return false
		}
		c.at = c.at[:len(c.at)-1]
	}
	for key, v := got.Next(lua.LNil); key != lua.LNil && !c.partly; key, v = got.Next(key) {
		if expected.RawGet(key) == lua.LNil {
			c.at, c.key, c.expected, c.got = append(c.at, step(key)), key, lua.LNil, v
			return false
		}
	}
	return true
}

func step(key lua.LValue) string {
	if name, is := key.(lua.LString); is && plainName.MatchString(string(name)) {
		return "." + string(name)
	}
	if name, is := key.(lua.LString); is {
		return "[" + quotedText(string(name)) + "]"
	}
	if m, is := held[*matcher](key); is {
		return "[" + m.text + "]"
	}
	return "[" + keyText(key) + "]"
}

// misplaced says of a matcher that it stands where it can match nothing.
func (c *comparer) misplaced() string {
	if _, is := held[*matcher](c.key); is {
		return "\na matcher cannot stand for a key: only for a value"
	}
	if _, is := held[*matcher](c.got); is {
		return "\na matcher stands for what is expected, which comes first"
	}
	return ""
}

// widest is the longest line in which two values are shown one after the other, instead of line by line.
const widest = 60

// difference is what expected and got hold, so that one sees where they differ.
func (v *verdict) difference(at string) string {
	c := comparer{asserts: v.asserts, pairs: map[[2]*lua.LTable]bool{}}
	c.same(v.expected, v.got)
	return v.differs(at, &c) + c.misplaced()
}

func (v *verdict) differs(at string, c *comparer) string {
	expected, got := v.show(v.expected), v.show(v.got)
	if expected != got && len(expected) <= widest && len(got) <= widest && !strings.Contains(expected+got+lua.LVAsString(v.expected), "\n") {
		if at == "" {
			return fmt.Sprintf("expected %s, got %s", expected, got)
		}
		return fmt.Sprintf("expected and got differ at %s\n  expected %s\n  got      %s", at, expected, got)
	}
	text := "expected and got differ"
	if at != "" {
		text += " at " + at
	}
	lines := Printer{State: v.flow.state, Width: 1}
	if shown := changes(v.lines(&lines, v.expected), v.lines(&lines, v.got)); shown != "" {
		return text + " (-expected, +got)\n" + shown
	}
	// What differs is too long or too deep to be shown in its place.
	return text + fmt.Sprintf("\n  expected %s\n  got      %s", v.show(c.expected), v.show(c.got))
}

// lines show a value on as many lines as it has parts; a string, as many as it has.
func (v *verdict) lines(p *Printer, value lua.LValue) string {
	if _, isTable := value.(*lua.LTable); isTable {
		return p.Text(value) + "\n"
	}
	return strings.TrimSuffix(p.Text(value), "\n") + "\n"
}

// changes are the lines of two texts that differ, with some of those around them.
func changes(expected, got string) string {
	unified := string(diff.Diff("expected", []byte(expected), "got", []byte(got)))
	var out []string
	for i, line := range strings.Split(strings.TrimSuffix(unified, "\n"), "\n") {
		switch {
		case i < 3: // names of files
		case strings.HasPrefix(line, "@@"):
			if i > 3 {
				out = append(out, "  …")
			}
		case line == "":
			out = append(out, "")
		default:
			out = append(out, line[:1]+" "+line[1:])
		}
	}
	return strings.Join(out, "\n")
}
