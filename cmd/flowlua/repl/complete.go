package repl

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

var keywords = strings.Fields("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")

// names are the globals and the local variables there are.
func (s *Session) names() []string {
	e, err := s.execution()
	if err != nil {
		return nil
	}
	list := keys(e.State().Globals())
	if s.debug == nil {
		return append(list, e.Locals().Locals()...)
	}
	level, _ := s.debug.frame.find(e)
	for _, v := range level.Variables {
		list = append(list, v.Name)
	}
	return list
}

// variable is the value of a local or global one.
func (s *Session) variable(e *workflow.Execution, name string) lua.LValue {
	if s.debug == nil {
		if v, ok := e.Locals().Local(name); ok {
			return v
		}
		return e.State().Globals().RawGetString(name)
	}
	level, _ := s.debug.frame.find(e)
	for _, v := range level.Variables {
		if v.Name == name {
			return v.Value()
		}
	}
	return e.State().Globals().RawGetString(name)
}

func keys(t *lua.LTable) []string {
	var list []string
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if name, is := k.(lua.LString); is && v != lua.LNil {
			list = append(list, string(name))
		}
	}
	return list
}

var path = regexp.MustCompile(`[\w.:]*$`)

// Complete gives the ways in which the line before the cursor can go on, and how much of its end they replace. It reads
// tables as they are and calls nothing.
func (s *Session) Complete(line string) (candidates []string, replaced int) {
	if strings.TrimSpace(line) == "" {
		return nil, 0
	}
	if trimmed := strings.TrimLeft(line, " "); strings.HasPrefix(trimmed, ":") && len(s.pending) == 0 && !strings.HasPrefix(trimmed, "::") {
		return s.completeCommand(trimmed[1:])
	}
	word := path.FindString(line)
	if strings.HasPrefix(word, ".") || strings.HasPrefix(word, ":") {
		return nil, 0
	}
	i := strings.LastIndexAny(word, ".:")
	if i < 0 {
		if word == "" {
			return nil, 0
		}
		return starting(word, append(s.names(), keywords...)), len(word)
	}
	return starting(word[i+1:], s.fields(word[:i], word[i])), len(word) - i - 1
}

// fields are those of the value that a path leads to; after a colon its methods.
func (s *Session) fields(dotted string, separator byte) []string {
	e, err := s.execution()
	if err != nil {
		return nil
	}
	parts := strings.FieldsFunc(dotted, func(r rune) bool { return r == '.' || r == ':' })
	if len(parts) == 0 {
		return nil
	}
	v := s.variable(e, parts[0])
	for _, part := range parts[1:] {
		t, is := v.(*lua.LTable)
		if !is {
			return nil
		}
		e.State().Complete(t)
		v = t.RawGetString(part)
	}
	switch v := v.(type) {
	case *lua.LTable:
		e.State().Complete(v)
		list := keys(v)
		if meta, is := v.Metatable.(*lua.LTable); is {
			if index, is := meta.RawGetString("__index").(*lua.LTable); is {
				list = append(list, keys(index)...)
			}
		}
		if separator == ':' {
			list = slices.DeleteFunc(list, func(name string) bool {
				_, method := v.RawGetString(name).(*lua.LFunction)
				return !method && v.RawGetString(name) != lua.LNil
			})
		}
		return list
	case lua.LString:
		if t, is := e.State().Globals().RawGetString("string").(*lua.LTable); is && separator == ':' {
			e.State().Complete(t)
			return keys(t)
		}
	case *lua.LUserData:
		return s.methodsOf(v, separator)
	}
	return nil
}

// methodsOf are those that the declarations name for a value of flow.
func (s *Session) methodsOf(v *lua.LUserData, separator byte) []string {
	switch v.Value.(type) {
	case *scheduler.Promise:
		return s.docs.methods("Promise")
	case *stdlib.Error:
		if separator == '.' {
			return []string{"name", "message", "status", "details", "cause", "retryable", "kinds", "value", "activity", "timeout", "reason"}
		}
		return s.docs.methods("Error")
	}
	kind, _, _ := strings.Cut(stdlib.Text(v), " ")
	class := map[string]string{"activity": "Activity", "workflow": "Workflow", "retry": "RetryPolicy", "policy": "RetryPolicy", "signal": "Signal", "channel": "Channel", "semaphore": "Semaphore"}[kind]
	return s.docs.methods(class)
}

func (s *Session) completeCommand(text string) (candidates []string, replaced int) {
	name, rest, has := strings.Cut(text, " ")
	if !has {
		var names []string
		for _, c := range s.commands() {
			names = append(names, c.name)
		}
		return starting(name, names), len(name)
	}
	c, err := s.named(name)
	if err != nil {
		return nil, 0
	}
	switch rest = strings.TrimLeft(rest, " "); c.kind {
	case aChunk:
		return s.Complete(rest)
	case aFile:
		return files(rest)
	case aPlace:
		var places []string
		for _, n := range s.nodes() {
			places = append(places, n.place)
		}
		if s.debug != nil {
			places = append(places, s.frameNames()...)
		}
		return starting(rest, places), len(rest)
	case aTopic:
		names := slices.Clone(s.docs.names)
		for _, c := range s.commands() {
			names = append(names, c.name)
		}
		return starting(rest, names), len(rest)
	}
	return nil, 0
}

// files are those that a path may go on to.
func files(path string) ([]string, int) {
	folder, word := filepath.Split(path)
	at := folder
	if at == "" {
		at = "."
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil, 0
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(word, ".") {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return starting(word, names), len(word)
}

func starting(word string, names []string) []string {
	var list []string
	for _, name := range names {
		if strings.HasPrefix(name, word) && (word != "" || !strings.HasPrefix(name, "_")) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
