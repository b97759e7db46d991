package vm

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// modules is what require knows.
type modules struct {
	open    map[string]func(*lua.LState) lua.LValue // preloaded, not yet required
	loaded  map[string]lua.LValue
	table   *lua.LTable // package.loaded
	preload *lua.LTable // package.preload
	chunks  map[string]*Chunk
	loading []*loading // in the order in which they began: those of several branches, where one waits in its file
}

// loading is a module whose file runs.
type loading struct {
	name string
	on   *thread // what required it
}

// longestModule is how many bytes the name of a module may have.
const longestModule = 255

// Preload makes require(name) call open, once.
func (s *State) Preload(name string, open func(l *lua.LState) lua.LValue) {
	s.modules.open[name] = open
}

// PreloadChunk makes require(name) run a chunk that is compiled already, once.
func (s *State) PreloadChunk(name string, c *Chunk) { s.modules.chunks[name] = c }

func (s *State) openModules() {
	s.modules = modules{open: map[string]func(*lua.LState) lua.LValue{}, loaded: map[string]lua.LValue{}, chunks: map[string]*Chunk{}}
	s.openPackage()
}

func (s *State) require(l *lua.LState) int {
	name := textArgument(l, 1)
	if len(name) > longestModule {
		Throwf(l, 1, "module name '%s…' is too long", name[:longestModule])
	}
	m := &s.modules
	if v := s.loadedModule(name); v != lua.LNil {
		l.Push(v)
		return 1
	}
	if open := m.open[name]; open != nil {
		v := open(l)
		s.setLoaded(name, v)
		l.Push(v)
		return 1
	}
	s.checkLoading(l, name)
	fn, ok := m.preload.RawGetString(name).(*lua.LFunction)
	if !ok {
		fn = s.Load(s.findModule(l, name))
	}
	current := &loading{name, s.top}
	m.loading = append(m.loading, current)
	defer func() {
		m.loading = slices.DeleteFunc(m.loading, func(other *loading) bool { return other == current })
	}()
	l.Push(fn)
	l.Push(lua.LString(name))
	l.Call(1, 1)
	v := l.Get(-1)
	if v == lua.LNil { // it may have set package.loaded itself
		if v = m.table.RawGetString(name); v == lua.LNil {
			v = lua.LTrue
		}
	}
	s.setLoaded(name, v)
	l.Push(v)
	return 1
}

// checkLoading refuses a module that is not loaded yet because it is being loaded.
func (s *State) checkLoading(l *lua.LState, name string) {
	var chain []string // from name on, as far as it leads here
	known := false
	for _, other := range s.modules.loading {
		known = known || other.name == name
		if known && s.runsIn(other.on) {
			chain = append(chain, other.name)
		}
	}
	switch {
	case len(chain) > 0 && chain[0] == name:
		Throwf(l, 1, "module '%s' requires itself: %s", name, strings.Join(append(chain, name), " → "))
	case known:
		Throwf(l, 1, "module '%s' is still being loaded elsewhere, where its file waits for something: require it before, or let it wait in a function", name)
	}
}

// runsIn says whether the running code was called by what runs on t.
func (s *State) runsIn(t *thread) bool {
	for at := s.top; at != nil; at = at.parent {
		if at == t {
			return true
		}
	}
	return false
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
			source, err := ReadSource(s.config.Modules, file)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
				tried += "\n\tno file '" + file + "'"
				continue
			}
			if err != nil {
				Throwf(l, 1, "cannot read module '%s' from file '%s': %s", name, file, reason(err))
			}
			// A module is compiled once, and the host has put it there; one that fails can be asked for again and again.
			s.Charge(loadCost + int64(len(source)/bytesPerCharge))
			chunk, err := Compile(file, string(source), s.limits)
			if err != nil {
				s.Charge(int64(len(source)) * failedPerByte)
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
