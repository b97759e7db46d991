package explore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// Script is a file of options and invariants: Lua that returns the table that flow.explore takes. Its invariants run in states of
// their own, with the libraries of a workflow that need no run.
type Script struct {
	chunk *vm.Chunk
	name  string
	files fs.FS
}

// LoadScript reads a file of options. It can require modules of its folder.
func LoadScript(files fs.FS, name string) (*Script, error) {
	source, err := vm.ReadSource(files, name)
	if err != nil {
		return nil, err
	}
	chunk, err := vm.Compile(path.Base(name), string(source), vm.Limits{})
	if err != nil {
		return nil, err
	}
	return &Script{chunk, name, files}, nil
}

// Apply adds what the file says to a Config, the judges too.
func (s *Script) Apply(c *Config) error {
	j, err := s.open(c)
	if err != nil {
		return err
	}
	j.Close()
	c.Judges = func() (Judge, error) { return s.open(new(Config)) }
	return nil
}

// open runs the file in a state of its own.
func (s *Script) open(c *Config) (*scriptJudge, error) {
	state := vm.New(vm.Config{Modules: s.files})
	stdlib.OpenJSON(state)
	stdlib.OpenString(state)
	stdlib.OpenTable(state)
	stdlib.OpenMath(state, func() *stdlib.Random { return stdlib.NewRandom(0) })
	stdlib.OpenOS(state, epoch, func() time.Time { return epoch })
	values, err := call(state, state.Load(s.chunk))
	if err != nil {
		state.Close()
		return nil, err
	}
	var t *lua.LTable
	if len(values) > 0 {
		t, _ = values[0].(*lua.LTable)
	}
	if t == nil {
		state.Close()
		return nil, fmt.Errorf("%s: expected a file that returns a table of invariants, functions by name: return { [\"charged once\"] = function(path) … end }", s.name)
	}
	r := &reader{state, s.name}
	invariants, err := r.options(t, c)
	if err != nil {
		state.Close()
		return nil, err
	}
	return newScriptJudge(state, invariants, true), nil
}

// call runs a function; what it uses too much of is an error, too.
func call(state *vm.State, fn lua.LValue, args ...lua.LValue) (values []lua.LValue, err error) {
	defer func() {
		var limit *vm.LimitError
		if r := recover(); r != nil {
			if e, is := r.(error); is && errors.As(e, &limit) {
				err = limit
				return
			}
			panic(r)
		}
	}()
	return state.Call(fn, args...)
}

// scriptJudge asks invariants in Lua.
type scriptJudge struct {
	state      *vm.State
	own        bool
	invariants []invariant
	paths      *pathTables
}

func newScriptJudge(state *vm.State, invariants []invariant, own bool) *scriptJudge {
	return &scriptJudge{state: state, own: own, invariants: invariants, paths: newPathTables(state)}
}

// Judge implements Judge: an invariant is broken if it raises an error, or returns false and a message.
func (j *scriptJudge) Judge(p *Path) (found []Violation, err error) {
	if len(j.invariants) == 0 {
		return nil, nil
	}
	j.state.Refill()
	t := j.paths.table(p)
	for _, inv := range j.invariants {
		values, err := call(j.state, inv.fn, t)
		switch {
		case err != nil:
			found = append(found, raised(inv.name, err))
		case len(values) > 0 && values[0] == lua.LFalse:
			v := Violation{Invariant: inv.name, Message: "it returned false", Where: fmt.Sprintf("%s:%d", inv.fn.Proto.SourceName, inv.fn.Proto.LineDefined)}
			if len(values) > 1 {
				v.Message = lua.LVAsString(values[1])
			}
			found = append(found, v)
		}
	}
	return found, nil
}

// raised is an invariant that has raised an error.
func raised(name string, err error) Violation {
	v := Violation{Invariant: name, Message: err.Error()}
	var e *vm.Error
	if errors.As(err, &e) {
		for _, f := range e.Frames {
			if f.Line > 0 {
				v.Where = fmt.Sprintf("%s:%d", f.Source, f.Line)
				break
			}
		}
	}
	if m := mistake.FindString(v.Message); m != "" {
		v.Message = "the invariant itself is wrong: " + v.Message
		return v
	}
	v.Message = strings.TrimPrefix(strings.TrimPrefix(v.Message, "AssertionError: "), v.Where+": ")
	return v
}

// Close implements Judge.
func (j *scriptJudge) Close() {
	if j.own {
		j.state.Close()
	}
}
