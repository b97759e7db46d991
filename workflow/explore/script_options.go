package explore

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"encoding/json"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// optionNames are those of flow.explore. Every other entry is an invariant, which is a function.
var optionNames = []string{"workflow", "input", "activities", "signals", "cancel", "crash", "max_faults", "paths", "steps", "seed", "time", "path", "invariant", "invariants"}

// invariant is one of a table of options.
type invariant struct {
	name string
	fn   *lua.LFunction
}

// reader reads a table of options into a Config.
type reader struct {
	state *vm.State
	what  string // what is read, for errors
}

func (r *reader) fail(format string, args ...any) error {
	return fmt.Errorf("%s: %s", r.what, fmt.Sprintf(format, args...))
}

// options reads everything but the invariants into c, and returns those.
func (r *reader) options(t *lua.LTable, c *Config) ([]invariant, error) {
	var found []invariant
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		name, named := key.(lua.LString)
		if !named {
			return nil, r.fail("expects options and invariants by name, got [%s]", key)
		}
		if fn, is := v.(*lua.LFunction); is && !slices.Contains(optionNames, string(name)) || is && name == "invariant" {
			found = append(found, invariant{string(name), fn})
			continue
		}
		if name == "invariants" {
			more, err := r.invariants(v)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
			continue
		}
		if err := r.option(string(name), v, c); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (r *reader) invariants(v lua.LValue) (found []invariant, err error) {
	t, is := v.(*lua.LTable)
	if !is {
		return nil, r.fail("option 'invariants' expects a table of functions by name, got a %s", v.Type())
	}
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		fn, is := v.(*lua.LFunction)
		if !is {
			return nil, r.fail("option 'invariants' expects functions by name, got a %s for [%s]", v.Type(), key)
		}
		found = append(found, invariant{key.String(), fn})
	}
	return found, nil
}

func (r *reader) option(name string, v lua.LValue, c *Config) (err error) {
	switch name {
	case "workflow":
		text, is := v.(lua.LString)
		if !is {
			return r.wrong(name, "the name of a workflow", v)
		}
		c.Workflow = string(text)
	case "path":
		text, is := v.(lua.LString)
		if !is {
			return r.wrong(name, "a path, as a failure prints it", v)
		}
		c.path = string(text)
	case "input":
		c.Input, err = r.payload(v, name)
	case "activities":
		err = r.each(name, v, func(activity string, v lua.LValue) error {
			o, err := r.outcomes(activity, v)
			if c.Activities == nil {
				c.Activities = map[string]Outcomes{}
			}
			c.Activities[activity] = o
			return err
		})
	case "signals":
		err = r.each(name, v, func(signal string, v lua.LValue) error {
			s, err := r.signals(signal, v)
			if c.Signals == nil {
				c.Signals = map[string]Signals{}
			}
			c.Signals[signal] = s
			return err
		})
	case "cancel", "crash":
		yes, is := v.(lua.LBool)
		if !is {
			return r.wrong(name, "true or false", v)
		}
		if name == "cancel" {
			c.NoCancel = !bool(yes)
		} else {
			c.NoCrash = !bool(yes)
		}
	case "max_faults", "paths", "steps", "seed":
		err = r.count(name, v, c)
	case "time":
		n, is := v.(lua.LNumber)
		if !is || n <= 0 {
			return r.wrong(name, "seconds", v)
		}
		c.Time = time.Duration(float64(n) * float64(time.Second))
	case "invariant":
		return r.wrong(name, "a function", v)
	default:
		return r.fail("unknown option '%s'%s; an invariant is a function", name, stdlib.Suggest(name, optionNames))
	}
	return err
}

func (r *reader) count(name string, v lua.LValue, c *Config) error {
	n, is := v.(lua.LNumber)
	if !is || n < 0 || n != lua.LNumber(int64(n)) {
		return r.wrong(name, "a whole number, 0 or more", v)
	}
	switch name {
	case "max_faults":
		if c.Faults = int(n); n == 0 {
			c.Faults = -1
		}
	case "paths":
		c.Paths = int(n)
	case "steps":
		c.Steps = int(n)
	case "seed":
		c.Seed = uint64(n)
	}
	return nil
}

func (r *reader) wrong(name, expected string, got lua.LValue) error {
	return r.fail("option '%s' expects %s, got a %s", name, expected, got.Type())
}

func (r *reader) each(name string, v lua.LValue, do func(string, lua.LValue) error) error {
	t, is := v.(*lua.LTable)
	if !is {
		return r.wrong(name, "a table { name = { … } }", v)
	}
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		text, named := key.(lua.LString)
		if !named {
			return r.fail("option '%s' expects a table { name = { … } }, got [%s]", name, key)
		}
		if err := do(string(text), v); err != nil {
			return err
		}
	}
	return nil
}

// payload is one value in an array.
func (r *reader) payload(v lua.LValue, path string) (json.RawMessage, error) {
	out, err := r.state.EncodeAll([]lua.LValue{v}, path)
	if err != nil {
		return nil, r.fail("%s", err)
	}
	return out, nil
}

var outcomeNames = []string{"returns", "outcomes", "errors", "timeout"}

func (r *reader) outcomes(activity string, v lua.LValue) (o Outcomes, err error) {
	what := "activities." + activity
	t, is := v.(*lua.LTable)
	if !is {
		return o, r.fail("%s expects a table { returns = …, outcomes = {…}, errors = {…}, timeout = … }, got a %s", what, v.Type())
	}
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		var one json.RawMessage
		switch key.String() {
		case "returns":
			one, err = r.payload(v, what+".returns")
			o.Returns = slices.Insert(o.Returns, 0, one)
		case "outcomes":
			var more []json.RawMessage
			more, err = r.list(what+".outcomes", v)
			o.Returns = append(o.Returns, more...)
		case "errors":
			o.Errors, err = r.errors(activity, what+".errors", v)
			o.NoErrors = len(o.Errors) == 0
		case "timeout":
			yes, is := v.(lua.LBool)
			if !is {
				return o, r.wrong(what+".timeout", "true or false", v)
			}
			o.NoTimeout = !bool(yes)
		default:
			return o, r.fail("%s: unknown option '%s'%s; it has %s", what, key, stdlib.Suggest(key.String(), outcomeNames), strings.Join(outcomeNames, ", "))
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// list is a list of values, each in an array.
func (r *reader) list(what string, v lua.LValue) (list []json.RawMessage, err error) {
	t, is := v.(*lua.LTable)
	if !is || t.Len() == 0 {
		return nil, r.fail("%s expects a list of values, got a %s", what, v.Type())
	}
	for i := 1; i <= t.Len(); i++ {
		one, err := r.payload(t.RawGetInt(i), what)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// errors is false, or a list of names and tables { name = …, message = …, status = …, retryable = … }.
func (r *reader) errors(activity, what string, v lua.LValue) (list []*history.Failure, err error) {
	if v == lua.LFalse {
		return nil, nil
	}
	t, is := v.(*lua.LTable)
	if !is {
		return nil, r.fail("%s expects a list of names of errors, or false, got a %s", what, v.Type())
	}
	for i := 1; i <= t.Len(); i++ {
		f := &history.Failure{Message: "of " + activity}
		switch one := t.RawGetInt(i).(type) {
		case lua.LString:
			f.Name = string(one)
			if f.Name == "ServiceError" {
				f = generic(activity)
			}
		case *lua.LTable:
			if text, err := r.state.Encode(one, what); err != nil {
				return nil, r.fail("%s", err)
			} else if err := json.Unmarshal(text, f); err != nil || f.Name == "" {
				return nil, r.fail("%s: item %d is no error: expected { name = …, message = …, status = …, retryable = … }", what, i)
			}
		default:
			return nil, r.fail("%s: item %d expects the name of an error, got a %s", what, i, one.Type())
		}
		list = append(list, f)
	}
	return list, nil
}

// arguments is a list of lists, each all arguments of a signal.
func (r *reader) arguments(what string, v lua.LValue) ([]json.RawMessage, error) {
	list, err := r.list(what, v)
	for i, one := range list {
		var only []json.RawMessage
		if json.Unmarshal(one, &only) != nil || len(only) != 1 || !bytes.HasPrefix(only[0], []byte("[")) {
			return nil, r.fail("%s expects a list of lists, each with all arguments of a signal, found %s as item %d", what, one, i+1)
		}
		list[i] = only[0]
	}
	return list, err
}

// signals is true, or a list of values, or { values = {…}, times = n }, with args instead of values for those with several arguments.
func (r *reader) signals(name string, v lua.LValue) (s Signals, err error) {
	what := "signals." + name
	t, is := v.(*lua.LTable)
	switch {
	case v == lua.LTrue:
		s.Args = []json.RawMessage{json.RawMessage("[]")}
		return s, nil
	case !is:
		return s, r.fail("%s expects { values = {…}, args = {{…}, …}, times = n }, a list of values, or true for none, got a %s", what, v.Type())
	case t.Len() > 0:
		s.Args, err = r.list(what, v)
		return s, err
	}
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		switch key.String() {
		case "values":
			s.Args, err = r.list(what+".values", v)
		case "args":
			s.Args, err = r.arguments(what+".args", v)
		case "times":
			n, is := v.(lua.LNumber)
			if !is || n < 1 {
				return s, r.wrong(what+".times", "a number, 1 or more", v)
			}
			s.Times = int(n)
		default:
			err = r.fail("%s: unknown option '%s'; it has values, args, times", what, key)
		}
		if err != nil {
			return s, err
		}
	}
	if len(s.Args) == 0 {
		s.Args = []json.RawMessage{json.RawMessage("[]")}
	}
	return s, nil
}
