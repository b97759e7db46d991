package explore

import (
	"context"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// Host is the test around flow.explore.
type Host interface {
	// Workflow finds what a test names: the program and the name of the workflow in it. of is what the test's own file declares.
	Workflow(name string, of *lua.FunctionProto) (*workflow.Program, string, error)
	// LibraryOf is what the runs of a program need besides.
	LibraryOf(p *workflow.Program) workflow.Library
}

// Open adds flow.explore. Outside of a test, where host is nil, it says so.
func Open(s *vm.State, flow *stdlib.Flow, host Host) {
	flow.Extend("explore", func() lua.LValue {
		return s.Func("flow.explore", func(L *lua.LState) int {
			if host == nil {
				vm.Throwf(L, 1, "flow.explore can only be used in a test: inside of it(name, function() … end), or before_each")
			}
			return explore(L, s, flow, host)
		})
	})
}

// explore is flow.explore(workflow [, options]). Broken invariants are an error that tells the paths.
func explore(L *lua.LState, s *vm.State, flow *stdlib.Flow, host Host) int {
	const call = "flow.explore"
	name, _, of := flow.WorkflowArgument(L, call)
	program, name, err := host.Workflow(name, of)
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err)
	}
	config := Config{Program: program, Workflow: name, Library: host.LibraryOf(program), Workers: 1}
	var invariants []invariant
	switch options := L.Get(2).(type) {
	case *lua.LNilType:
	case *lua.LTable:
		r := &reader{state: s, what: call}
		if invariants, err = r.options(options, &config); err == nil && config.Workflow != name {
			err = r.fail("option 'workflow' is the first argument")
		}
		if err != nil {
			vm.Throwf(L, 1, "%s", err)
		}
	default:
		vm.Throwf(L, 1, "%s expects a table of options, got a %s", call, options.Type())
	}
	config.Judges = func() (Judge, error) { return newScriptJudge(s, invariants, false), nil }
	var report *Report
	flow.Within("an invariant", func() {
		if config.path == "" {
			report, err = Explore(context.Background(), config)
			return
		}
		var choices Choices
		if choices, err = ParseChoices(config.path); err == nil {
			report, err = Replay(config, choices)
		}
	})
	if err != nil {
		vm.Throwf(L, 1, "%s: %s", call, err)
	}
	if text := report.broken(); text != "" {
		vm.Throwf(L, 1, "%s", text)
	}
	L.Push(report.table(s))
	return 1
}

// broken tells every invariant that does not hold; "" if all do.
func (r *Report) broken() string {
	var b strings.Builder
	for _, f := range r.Failures {
		if f.Invariant != "" {
			fmt.Fprintf(&b, "\nbroken: %s\n\n%s\n  again: flow.explore(%s, { path = %q, … })\n", f.Invariant, f.Text, r.Workflow, f.Path.Choices)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("flow.explore: %s is broken on %d of %d paths that were looked at\n", r.Workflow, r.Broken, r.Paths) + b.String()
}

// table is what the script gets of a report.
func (r *Report) table(s *vm.State) *lua.LTable {
	t := s.Main().CreateTable(0, 4)
	t.RawSetString("paths", lua.LNumber(r.Paths))
	t.RawSetString("exhaustive", lua.LBool(r.Exhaustive))
	t.RawSetString("deviations", lua.LNumber(r.Deviations))
	t.RawSetString("cut", lua.LNumber(r.Cut))
	return t
}
