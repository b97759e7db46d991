package repl

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/stdlib"
)

// docs are the declaration files (.d.lua), by the names of what they declare: functions, methods, types, modules.
type docs struct {
	topics map[string]*topic
	names  []string // in the order of the files
}

// topic is one declaration.
type topic struct {
	name      string // flow.retry, Promise:await, flow.Promise
	signature string
	text      []string // prose and examples, as in the file
	params    []string // name, type and meaning
	returns   []string
	async     bool
}

var (
	declaredFunction = regexp.MustCompile(`^(?:local\s+)?function\s+([\w.:]+)(\(.*\))\s*end`)
	declaredTable    = regexp.MustCompile(`^(?:local\s+)?([\w.]+)\s*=`)
	plainName        = regexp.MustCompile(`^[A-Za-z_]\w*$`)
)

func readDocs(files fs.FS) (*docs, error) {
	d := &docs{topics: map[string]*topic{}}
	names, err := fs.Glob(files, "*.d.lua")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if stdlib.ForSpecs(name) {
			continue
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		d.read(strings.TrimSuffix(name, ".d.lua"), string(text))
	}
	return d, nil
}

func (d *docs) read(module, text string) {
	locals := map[string]string{} // the name of a class in this file → its own
	var now topic
	class := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if rest, is := strings.CutPrefix(line, "---@"); is {
			tag, rest, _ := strings.Cut(rest, " ")
			switch tag {
			case "param", "field":
				now.params = append(now.params, rest)
			case "return":
				now.returns = append(now.returns, rest)
			case "async":
				now.async = true
			case "class", "alias":
				if class != "" {
					d.add(class, now)
					now = topic{}
				}
				class, _, _ = strings.Cut(strings.TrimPrefix(rest, "(exact) "), " ")
				class = strings.TrimSuffix(class, ":")
			}
			continue
		}
		if rest, is := strings.CutPrefix(line, "---"); is {
			now.text = append(now.text, rest)
			continue
		}
		if m := declaredFunction.FindStringSubmatch(line); m != nil {
			now.signature = m[2]
			d.add(qualified(m[1], locals), now)
		} else if m := declaredTable.FindStringSubmatch(line); m != nil {
			name := m[1]
			if class != "" {
				locals[name] = class
				name = class
			}
			if len(now.text) > 0 {
				d.add(name, now)
			}
			class = ""
		} else if class != "" {
			d.add(class, now)
			class = ""
		}
		now = topic{}
	}
	if class != "" {
		d.add(class, now)
	}
}

// qualified names a function by what users call it: flow.retry, but Promise:await.
func qualified(name string, locals map[string]string) string {
	i := strings.LastIndexAny(name, ".:")
	if i < 0 {
		return name
	}
	if name[i] == ':' {
		return name[:i] + name[i:]
	}
	if class, known := locals[name[:i]]; known && strings.HasSuffix(class, "lib") {
		return name[:i] + name[i:]
	}
	return name
}

func (d *docs) add(name string, t topic) {
	t.name = name
	for len(t.text) > 0 && strings.TrimSpace(t.text[0]) == "" {
		t.text = t.text[1:]
	}
	if old := d.topics[name]; old != nil {
		if len(old.text) > 0 {
			return
		}
	} else {
		d.names = append(d.names, name)
	}
	d.topics[name] = &t
}

// find finds a topic by its name in any form: promise:await, Promise.await, await if there is one only.
func (d *docs) find(name string) []*topic {
	name = strings.TrimSuffix(name, "()")
	if t := d.topics[name]; t != nil {
		return []*topic{t}
	}
	form := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, ":", ".")) }
	var same, last []*topic
	for _, n := range d.names {
		switch f := form(n); {
		case f == form(name):
			same = append(same, d.topics[n])
		case strings.HasSuffix(f, "."+form(name)):
			last = append(last, d.topics[n])
		}
	}
	if len(same) > 0 {
		return same[:1]
	}
	return last
}

// methods are those of a type: Promise, Scope, Stub …
func (d *docs) methods(class string) []string {
	var list []string
	for _, n := range d.names {
		if rest, is := strings.CutPrefix(n, class+":"); is {
			list = append(list, rest)
		}
	}
	slices.Sort(list)
	return list
}
