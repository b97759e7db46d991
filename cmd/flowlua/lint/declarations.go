package lint

import (
	"regexp"
	"strings"
)

// read takes one declaration file in: the annotations above a declaration belong to it.
func (v *Vocabulary) read(file, text string) {
	r := reader{words: v, file: file, activity: file == "flow_activity", names: map[string]*Class{}}
	for line := range strings.Lines(text) {
		r.line(strings.TrimSpace(line))
	}
}

type reader struct {
	words    *Vocabulary
	file     string            // the module's name: that of the file, or what ---@meta says
	activity bool              // the file declares what only activities have
	names    map[string]*Class // by the local that stands for the class in this file
	class    *Class            // of the annotations just read
	pending  Function          // likewise
}

var (
	table    = regexp.MustCompile(`^(?:local\s+)?([\w.]+)\s*=\s*\{\}`)
	global   = regexp.MustCompile(`^(?:function\s+)?(\w+)\s*[=(]`)
	function = regexp.MustCompile(`^(?:local\s+)?function\s+([\w.]+?)([.:])(\w+)\s*\(`)
)

func (r *reader) line(line string) {
	if annotation, ok := strings.CutPrefix(line, "---@"); ok {
		tag, rest, _ := strings.Cut(annotation, " ")
		r.annotation(tag, strings.TrimSpace(rest))
		return
	}
	if strings.HasPrefix(line, "--") {
		return
	}
	if m := global.FindStringSubmatch(line); m != nil {
		r.words.Globals[m[1]] = true
	}
	switch {
	case function.MatchString(line):
		m := function.FindStringSubmatch(line)
		r.function(m[1], m[2], m[3])
		r.pending, r.class = Function{}, nil
	case table.MatchString(line):
		r.table(table.FindStringSubmatch(line)[1])
		r.pending, r.class = Function{}, nil
	case strings.HasPrefix(line, "return "):
		if class := r.names[strings.TrimSpace(line[len("return "):])]; class != nil {
			r.words.Modules[r.file] = class
		}
	default:
		r.pending, r.class = Function{}, nil
	}
}

func (r *reader) annotation(tag, rest string) {
	switch tag {
	case "meta":
		if rest != "" {
			r.file = rest
		}
	case "class":
		rest = strings.TrimPrefix(rest, "(exact) ")
		name, parents, _ := strings.Cut(rest, ":")
		name = plain(strings.TrimSpace(name))
		r.class = r.words.Classes[name]
		if r.class == nil {
			r.class = &Class{Name: name, Fields: map[string]string{}, Methods: map[string]*Function{}}
			r.words.Classes[name] = r.class
		}
		for _, parent := range split(parents, ',') {
			if parent = plain(strings.TrimSpace(parent)); parent != "" {
				r.class.Parents = append(r.class.Parents, parent)
			}
		}
	case "field":
		if r.class == nil {
			return
		}
		name, typ := typed(rest)
		if strings.HasPrefix(name, "[") {
			r.class.Open = r.class.Open || strings.HasPrefix(name, "[string")
			return
		}
		r.class.Fields[name] = typ
	case "param":
		name, typ := typed(rest)
		r.pending.Parameters = append(r.pending.Parameters, Parameter{name, typ})
	case "return":
		if r.pending.Returns == "" {
			_, r.pending.Returns = typed("_ " + rest)
		}
	case "overload":
		r.pending.Overloads = append(r.pending.Overloads, overload(rest))
	}
}

// overload reads the parameters of fun(name: type, …): result.
func overload(text string) []Parameter {
	_, rest, _ := strings.Cut(text, "fun(")
	depth := 1
	for i, r := range rest {
		if r == '(' {
			depth++
		} else if r == ')' {
			depth--
		}
		if depth == 0 {
			rest = rest[:i]
			break
		}
	}
	var parameters []Parameter
	for _, part := range split(rest, ',') {
		name, typ, _ := strings.Cut(part, ":")
		parameters = append(parameters, Parameter{strings.TrimSuffix(strings.TrimSpace(name), "?"), strings.TrimSpace(typ)})
	}
	return parameters
}

// typed splits "name? type what it means": a type ends at the first space outside brackets that no "|", "," or ":" joins.
func typed(text string) (name, typ string) {
	for _, access := range []string{"public ", "private ", "protected "} {
		text = strings.TrimPrefix(text, access)
	}
	name, rest, _ := strings.Cut(text, " ")
	if strings.HasPrefix(name, "[") && !strings.HasSuffix(name, "]") {
		return name, ""
	}
	words := split(strings.TrimSpace(rest), ' ')
	typ = words[0]
	for i := 1; i < len(words); i++ {
		if !strings.HasSuffix(typ, "|") && !strings.HasSuffix(typ, ":") && !strings.HasPrefix(words[i], "|") {
			break
		}
		typ += words[i]
	}
	return strings.TrimSuffix(name, "?"), typ
}

func (r *reader) table(name string) {
	if r.class == nil {
		r.class = &Class{Name: name, Fields: map[string]string{}, Methods: map[string]*Function{}}
	}
	r.names[name] = r.class
	if name == r.file {
		r.words.Modules[name] = r.class
	}
	if owner, field, nested := strings.Cut(name, "."); nested && r.names[owner] != nil {
		r.names[owner].Fields[field] = r.class.Name
	}
}

func (r *reader) function(owner, separator, name string) {
	fn := r.pending
	fn.Activity = r.activity
	class := r.names[owner]
	switch {
	case separator == ":" && class != nil:
		class.Methods[name] = &fn
	case class != nil && owner != r.file && !strings.Contains(owner, "."):
		class.Methods[name] = &fn // function Class.method(self)
	default:
		r.words.Functions[owner+"."+name] = &fn
	}
}
