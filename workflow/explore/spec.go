package explore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Spec says how failures are written out as a spec file, whose folder is where its modules are looked for.
type Spec struct {
	Script     string // the file that was explored, from there
	Workflow   string // "": its only one
	Invariants string // the module of the file of options; "": there is none
	NoCancel   bool
	NoCrash    bool
}

// SpecLine is how every file begins that Text has made.
const SpecLine = "-- Written by flowlua explore."

// Text is the spec file: a test for each failure, which makes its path again and fails as long as the invariant is broken there.
func (s Spec) Text(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, `%s Each test makes one path again, and fails as long as something is broken on it.
-- A path is made of choices by number: when the script decides otherwise before the last of them, explore it anew.
local flow = require "flow"

`, SpecLine)
	workflow := strconv.Quote(s.Script)
	if s.Workflow != "" {
		module := strings.ReplaceAll(strings.TrimSuffix(s.Script, ".lua"), "/", ".")
		fmt.Fprintf(&b, "require %q\n\n", module)
		workflow = strconv.Quote(s.Workflow)
	}
	fmt.Fprintf(&b, "local function options(path, input)\n  local o = { path = path, input = input%s }\n", s.switches())
	if s.Invariants != "" {
		fmt.Fprintf(&b, "  for name, value in pairs(require %q) do\n    if o[name] == nil then o[name] = value end\n  end\n", s.Invariants)
	}
	fmt.Fprintf(&b, "  return o\nend\n\ndescribe(%q, function()\n", s.Script+": what flowlua explore has found")
	for i, f := range r.Failures {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "  it(%q, function()\n", fmt.Sprintf("%s (path %s)", f.Invariant, f.Path.Choices))
		for line := range strings.Lines(f.Text) {
			b.WriteString(strings.TrimRight("    --"+line, " \n") + "\n")
		}
		fmt.Fprintf(&b, "    flow.explore(%s, options(%q%s))\n  end)\n", workflow, f.Path.Choices.String(), inputOf(r.Input))
	}
	b.WriteString("end)\n")
	return b.String()
}

func (s Spec) switches() string {
	text := ""
	if s.NoCancel {
		text += ", cancel = false"
	}
	if s.NoCrash {
		text += ", crash = false"
	}
	return text
}

// inputOf is the input as one more argument.
func inputOf(payload json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber()
	var list []any
	if d.Decode(&list) != nil || len(list) == 0 {
		return ""
	}
	return ", " + literal(list[0])
}

var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// keywords cannot be keys without brackets.
var keywords = strings.Fields("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")

// literal is a JSON value in Lua.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return `require("json").null`
	case string:
		return quote(v)
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = literal(item)
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case map[string]any:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if v[key] == nil {
				continue
			}
			name := key
			if !word.MatchString(key) || slices.Contains(keywords, key) {
				name = "[" + quote(key) + "]"
			}
			parts = append(parts, name+" = "+literal(v[key]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return fmt.Sprint(v) // numbers as they are written, true, false
}

// quote is a text in Lua: bytes that do not print are written by their number.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"', c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < 0x20, c == 0x7f:
			fmt.Fprintf(&b, `\%03d`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
