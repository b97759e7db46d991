package vm

import (
	"errors"
	"io/fs"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// modules is what require knows.
type modules struct {
	open   map[string]func(*lua.LState) lua.LValue // preloaded, not yet required
	loaded map[string]lua.LValue
	chunks map[string]*Chunk
	stack  []string // being loaded, outermost first
}

// Preload makes require(name) call open, once.
func (s *State) Preload(name string, open func(l *lua.LState) lua.LValue) {
	s.modules.open[name] = open
}

// PreloadChunk makes require(name) run a chunk that is compiled already, once.
func (s *State) PreloadChunk(name string, c *Chunk) { s.modules.chunks[name] = c }

func (s *State) openModules() {
	s.modules = modules{open: map[string]func(*lua.LState) lua.LValue{}, loaded: map[string]lua.LValue{}, chunks: map[string]*Chunk{}}
	s.Globals().RawSetString("require", s.Func("require", s.require))
}

func (s *State) require(l *lua.LState) int {
	name := l.CheckString(1)
	m := &s.modules
	if v, ok := m.loaded[name]; ok {
		l.Push(v)
		return 1
	}
	if open := m.open[name]; open != nil {
		v := open(l)
		m.loaded[name] = v
		l.Push(v)
		return 1
	}
	for i, other := range m.stack {
		if other == name {
			Throwf(l, 1, "module '%s' requires itself: %s", name, strings.Join(append(m.stack[i:], name), " → "))
		}
	}
	fn := s.Load(s.findModule(l, name))
	m.stack = append(m.stack, name)
	depth := len(m.stack)
	defer func() { m.stack = m.stack[:depth-1] }()
	l.Push(fn)
	l.Push(lua.LString(name))
	l.Call(1, 1)
	v := l.Get(-1)
	if v == lua.LNil {
		v = lua.LTrue
	}
	m.loaded[name] = v
	l.Push(v)
	return 1
}

// findModule compiles a module's file. Names have dots where paths have slashes, and lead nowhere else.
func (s *State) findModule(l *lua.LState, name string) *Chunk {
	if c := s.modules.chunks[name]; c != nil {
		return c
	}
	path := strings.ReplaceAll(name, ".", "/")
	if !fs.ValidPath(path) || strings.ContainsAny(path, "\\:\x00") || path == "/" || name == "" {
		Throwf(l, 1, "module name '%s' is not valid: use names separated by dots, as in require \"lib.orders\"", name)
	}
	tried := "\n\tno module '" + name + "' comes with flowlua"
	if s.config.Modules == nil {
		tried += "\n\tno directory for modules is set"
	} else {
		for _, file := range []string{path + ".lua", path + "/init.lua"} {
			source, err := fs.ReadFile(s.config.Modules, file)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
				tried += "\n\tno file '" + file + "'"
				continue
			}
			if err != nil {
				Throwf(l, 1, "cannot read module '%s' from file '%s': %s", name, file, reason(err))
			}
			s.Charge(int64(len(source)) * chargePerByte)
			chunk, err := Compile(file, string(source), s.limits)
			if err != nil {
				Throwf(l, 1, "error loading module '%s' from file '%s':\n\t%s", name, file, err)
			}
			return chunk
		}
	}
	Throwf(l, 1, "module '%s' not found:%s", name, tried)
	return nil
}

// reason is an error without the host's paths.
func reason(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}
