package stdlib

import (
	"regexp"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// SpecWorkflow is the workflow that a spec file is: its input is the number of the test to run, from 1.
const SpecWorkflow = "flow.test"

// namePending is the error that ends a test by pending(reason).
const namePending = "Pending"

// Spec is what a spec file declares: describe, it and what belongs to them.
type Spec struct {
	Tests []SpecTest // in the order of the file

	flow   *Flow
	block  *specBlock // that is being declared
	inside bool       // a test runs
	after  []lua.LValue
}

// SpecTest is one it.
type SpecTest struct {
	Names   []string // of the blocks around it, then its own
	Tags    []string // words in these that begin with #, without it
	Source  string   // the file that calls it
	Line    int
	Pending bool // there is nothing to run

	fn    lua.LValue
	block *specBlock
}

// specBlock is one describe; the file is one, too.
type specBlock struct {
	name                           string
	parent                         *specBlock
	setup, teardown, before, after []lua.LValue
}

// OpenSpec adds the words of spec files, and the workflow that runs one test of them.
func (f *Flow) OpenSpec() *Spec {
	s := &Spec{flow: f, block: &specBlock{}}
	g := f.state.Globals()
	for _, e := range s.entries() {
		g.RawSetString(e.name, f.state.Func(e.name, e.fn))
	}
	f.declared.workflows = append(f.declared.workflows, Declared{Name: SpecWorkflow, Fn: f.state.Func(SpecWorkflow, s.run)})
	f.world = "the top level of a spec file"
	return s
}

// OpenSpecOutside adds the words of spec files to a state in which no tests are run: that of a workflow which a spec file declares.
func (f *Flow) OpenSpecOutside() { openSpecOutside(f.state) }

func openSpecOutside(s *vm.State) {
	for _, e := range (&Spec{}).entries() {
		s.Globals().RawSetString(e.name, s.Func(e.name, func(*lua.LState) int { return 0 }))
	}
}

// OpenSpecOutside is Flow.OpenSpecOutside for an activity of a spec file, which has nothing of what tests use.
func (a *ActivityFlow) OpenSpecOutside() {
	openSpecOutside(a.state)
	meta := a.state.Main().CreateTable(0, 3)
	a.ofSpec = &lua.LUserData{Value: thing{}, Metatable: meta}
	same := a.state.Func("spec", func(L *lua.LState) int { // whatever the top level does with it gives it again
		L.Push(a.ofSpec)
		return 1
	})
	meta.RawSetString("__index", same)
	meta.RawSetString("__call", same)
	meta.RawSetString("__metatable", lua.LString("spec"))
	for _, name := range []string{"spy", "stub", "match"} {
		a.state.Globals().RawSetString(name, a.ofSpec)
	}
}

func (s *Spec) entries() []entry {
	return []entry{
		{"after_each", s.hook("after_each", func(b *specBlock) *[]lua.LValue { return &b.after })},
		{"before_each", s.hook("before_each", func(b *specBlock) *[]lua.LValue { return &b.before })},
		{"describe", s.describe}, {"finally", s.finally}, {"it", s.it}, {"pending", s.pending},
		{"setup", s.hook("setup", func(b *specBlock) *[]lua.LValue { return &b.setup })},
		{"teardown", s.hook("teardown", func(b *specBlock) *[]lua.LValue { return &b.teardown })},
	}
}

func (s *Spec) outside(L *lua.LState, call string) {
	if s.inside {
		vm.Throwf(L, 1, "%s cannot be used inside of a test: move it out of the function of it", call)
	}
}

// describe is describe(name, fn).
func (s *Spec) describe(L *lua.LState) int {
	s.outside(L, "describe")
	block := &specBlock{name: checkText(L, 1, "describe", "what is described"), parent: s.block}
	fn := checkCallable(L, 2, "describe", "a function")
	before := s.block
	s.block = block
	defer func() { s.block = before }()
	L.Push(fn)
	L.Call(0, 0)
	return 0
}

// it is it(name [, fn]); without a function it is pending.
func (s *Spec) it(L *lua.LState) int {
	s.outside(L, "it")
	name := checkText(L, 1, "it", "what is tested")
	if L.Get(2) == lua.LNil {
		s.add(name, nil)
	} else {
		s.add(name, checkCallable(L, 2, "it", "a function"))
	}
	return 0
}

// pending is pending(name [, fn]), and inside of a test pending([reason]).
func (s *Spec) pending(L *lua.LState) int {
	if !s.inside {
		s.add(checkText(L, 1, "pending", "what is to be tested"), nil)
		return 0
	}
	e := &Error{Name: namePending, Message: textOf(L.Get(1)), site: s.flow.site()}
	s.flow.errors.finish(e)
	vm.Throw(L, s.flow.errors.of(e))
	return 0
}

// finally is finally(fn): it runs when the test is over, however that ends.
func (s *Spec) finally(L *lua.LState) int {
	if !s.inside {
		vm.Throwf(L, 1, "finally is used inside of a test; for all tests of a block there is after_each")
	}
	s.after = append(s.after, checkCallable(L, 1, "finally", "a function"))
	return 0
}

func (s *Spec) hook(name string, list func(*specBlock) *[]lua.LValue) lua.LGFunction {
	return func(L *lua.LState) int {
		s.outside(L, name)
		to := list(s.block)
		*to = append(*to, checkCallable(L, 1, name, "a function"))
		return 0
	}
}

var tag = regexp.MustCompile(`#([\w-]+)`)

func (s *Spec) add(name string, fn lua.LValue) {
	t := SpecTest{Names: []string{name}, Pending: fn == nil, fn: fn, block: s.block}
	for b := s.block; b.parent != nil; b = b.parent {
		t.Names = append([]string{b.name}, t.Names...)
	}
	for _, m := range tag.FindAllStringSubmatch(strings.Join(t.Names, " "), -1) {
		t.Tags = append(t.Tags, m[1])
	}
	for _, frame := range s.flow.state.Site().Frames() {
		if frame.Line > 0 {
			t.Source, t.Line = frame.Source, frame.Line
			break
		}
	}
	s.Tests = append(s.Tests, t)
}

// run is the workflow: setup and before_each of the blocks from the outermost on, the test, then what it has given to finally,
// after_each and teardown from the innermost on.
func (s *Spec) run(L *lua.LState) int {
	f := s.flow
	f.world = ""
	n, _ := wholeNumber(L.Get(1))
	if n < 1 || n > len(s.Tests) {
		vm.Throwf(L, 1, "the file declares %d tests this time, and not number %d: which tests there are must not depend on chance", len(s.Tests), n)
	}
	test := s.Tests[n-1]
	s.inside = true
	b := f.branch(L, "it")
	var failed error // of what comes before the cleaning up
	scope, err := b.Try(scheduler.ScopeSpec{
		Name: test.Names[len(test.Names)-1],
		Try: func(b *scheduler.Branch, _ []any) (any, error) {
			failed = s.each(b, s.forward(test))
			return nil, failed
		},
		Finally: func(b *scheduler.Branch) error { return s.second(failed, s.all(b, s.backward(test))) },
	})
	if err == nil {
		_, err = f.wait(b, scope.Promise())
	}
	return f.finish(L, b, nil, err)
}

func (s *Spec) forward(test SpecTest) (list []lua.LValue) {
	for b := test.block; b != nil; b = b.parent {
		list = append(append([]lua.LValue{}, b.before...), list...)
	}
	for b := test.block; b != nil; b = b.parent {
		list = append(append([]lua.LValue{}, b.setup...), list...)
	}
	return append(list, test.fn)
}

func (s *Spec) backward(test SpecTest) (list []lua.LValue) {
	for i := len(s.after) - 1; i >= 0; i-- {
		list = append(list, s.after[i])
	}
	for b := test.block; b != nil; b = b.parent {
		list = append(list, b.after...)
	}
	for b := test.block; b != nil; b = b.parent {
		list = append(list, b.teardown...)
	}
	return list
}

// each calls functions until one fails.
func (s *Spec) each(b *scheduler.Branch, list []lua.LValue) error {
	for _, fn := range list {
		if _, err := s.flow.call(b, fn); err != nil {
			return err
		}
	}
	return nil
}

// all calls all of them; the first failure counts.
func (s *Spec) all(b *scheduler.Branch, list []lua.LValue) (err error) {
	for _, fn := range list {
		if _, failed := s.flow.call(b, fn); err == nil {
			err = failed
		}
	}
	return err
}

// second is the failure of what cleans up. It does not take the place of the test's own, beside which it is printed.
func (s *Spec) second(own, err error) error {
	if own == nil || err == nil || s.failure(own).Name == namePending {
		return err
	}
	f := s.failure(err)
	line := "what cleans up has failed, too: " + strings.TrimPrefix(f.Name+": "+f.Message, "Error: ")
	if print := s.flow.state.Globals().RawGetString("print"); print.Type() == lua.LTFunction {
		_, _ = s.flow.state.Call(print, lua.LString(line))
	}
	return nil
}

func (s *Spec) failure(err error) *history.Failure {
	return ToFailure(s.flow.state, s.flow.failure(s.flow.tree.Current(), err))
}

// IsPending is the reason of a test that has ended by pending.
func IsPending(name string) bool { return name == namePending }
