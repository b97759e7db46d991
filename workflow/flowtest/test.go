package flowtest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/explore"
	"github.com/flowlua/flowlua/workflow/virtual"
)

// Config says how tests are run. The zero value works.
type Config struct {
	Limits vm.Limits // of each run
	Turns  int       // how many the runs of one test may make together; 0: 10,000

	// Cover is told, after a test, how often each line of a script was run, replays aside. It may be nil; else it may be called from
	// several tests at once.
	Cover func(file string, lines map[int]int)
}

const (
	defaultTurns  = 10_000
	verifiedTurns = 200 // of each run; of those that follow only some, as a replay takes time by the length of the run
)

// specID is the ID of the run that a test is.
const specID = "test"

// World is that of one test.
type World struct {
	file    *File
	config  Config
	world   *virtual.World
	spec    *virtual.Run
	flow    *stdlib.Flow // of the test itself
	plans   map[string]*stdlib.StubPlan
	calls   []call              // of functions of stubs
	nested  map[string]int      // such calls that the test and these functions have made and that are under way, by activity
	waiters map[string][]func() // who waits for the end of a run, by its ID
	started []*run
	tried   map[string]map[string]int // attempts, by run and operation
	printed []string
	lines   map[string]map[int]int // that were run, if somebody wants to know
}

// call is one of a stub's function.
type call struct {
	fn  lua.LValue
	end func(virtual.Plan)
	of  virtual.Call
}

// Run runs a test to its end.
func (f *File) Run(test Test, config Config) Result {
	r := Result{Test: test, Status: Pending}
	if test.Pending {
		return r
	}
	began := time.Now()
	w := &World{file: f, config: config, plans: map[string]*stdlib.StubPlan{}, waiters: map[string][]func(){}, tried: map[string]map[string]int{}, nested: map[string]int{}}
	var cover func(string, int)
	if config.Cover != nil {
		w.lines = map[string]map[int]int{}
		cover = w.cover
	}
	w.world = virtual.New(virtual.Config{
		Cover: cover, Each: verifiedTurns, Program: f.program, Limits: config.Limits, Turns: cmp.Or(config.Turns, defaultTurns),
		Print:   func(_, line string) { w.printed = append(w.printed, line) },
		Missing: w.attempt, Child: w.child, Stub: w.stubbed, Closed: w.closed, Mail: w.mail,
	})
	defer w.world.Close()
	failure := w.run(test.number)
	if failure == nil {
		failure = w.unseen()
	}
	r.Status, r.Failure, r.Printed = Passed, failure, w.printed
	if failure != nil {
		r.Status = Failed
	}
	if failure != nil && stdlib.IsPending(failure.Name) {
		r.Status, r.Failure, r.Reason = Pending, nil, failure.Message
	}
	for _, run := range w.world.All() {
		r.Turns += len(run.Turns())
	}
	for file, lines := range w.lines {
		config.Cover(file, lines)
	}
	r.Elapsed, r.Took = w.world.Elapsed(), time.Since(began)
	return r
}

// run lets the test happen; nil: it passes.
func (w *World) run(number int) *history.Failure {
	var err error
	w.spec, err = w.world.Begin(virtual.Start{
		ID: specID, Workflow: stdlib.SpecWorkflow, Input: json.RawMessage(fmt.Sprintf("[%d]", number)), Trust: true, Last: true, Library: w.library,
	})
	if err == nil {
		err = w.world.Run()
	}
	closing := w.spec.Closing()
	switch {
	case errors.Is(err, virtual.ErrTurns):
		return newStopped(fmt.Sprintf("the test does not end: its runs have made %d turns, and it is %s later; give the runs less to repeat, or stop earlier\n%s",
			cmp.Or(w.config.Turns, defaultTurns), stdlib.FormatDuration(w.world.Elapsed()), w.waiting()))
	case errors.Is(err, virtual.ErrTime):
		return newStopped(fmt.Sprintf("the test does not end: it is %s later, and its clock goes no further than %s; let less time pass, or stop earlier\n%s",
			stdlib.FormatDuration(w.world.Elapsed()), stdlib.FormatDuration(virtual.MostTime), w.waiting()))
	case err != nil:
		return stoppedBy(err)
	case closing.Kind == history.RunCompleted:
		return w.verify()
	case closing.Kind != 0:
		return closing.Failure
	}
	return newStopped("the test waits for ever: nothing is left that could happen\n" + w.waiting())
}

// verify replays once more what was not replayed to its end.
func (w *World) verify() *history.Failure {
	for _, r := range w.world.All() {
		if err := r.Verify(); err != nil {
			return stoppedBy(fmt.Errorf("run '%s': %w", r.Ref().ID, err))
		}
	}
	return nil
}

// nameStopped is the error of a test that was ended from outside.
const nameStopped = "TestError"

// newStopped is the failure of a test that does not end by itself.
func newStopped(message string) *history.Failure {
	return &history.Failure{Name: nameStopped, Message: message}
}

// stoppedBy is the failure of a test that was ended by an error: of the engine, or because of what its script does.
func stoppedBy(err error) *history.Failure {
	f := newStopped(err.Error())
	var differs *workflow.NonDeterminismError
	var limit *vm.LimitError
	var why *stopped
	switch {
	case errors.As(err, &differs):
		f.Message = unlike(differs)
		if differs.Where != "" {
			f.Trace = []string{"at " + differs.Where}
		}
	case errors.As(err, &limit):
		f.Trace = trace(limit.Frames)
	case errors.As(err, &why):
		f.Trace = trace(why.frames)
	}
	return f
}

// unlike says what a replay has done otherwise.
func unlike(e *workflow.NonDeterminismError) string {
	text := fmt.Sprintf("run '%s' decides something else when it is replayed, as it is after a crash: turn %d", e.Run.ID, e.Turn)
	if e.Op != "" {
		text += ", operation " + e.Op
	}
	return fmt.Sprintf("%s\n  it decided  %s\n  replayed    %s\nwhat a workflow does must follow from its input, its activities, its signals and its clock; "+
		"anything else belongs into an activity or is what flow.side_effect returns", text, e.Logged, strings.TrimSpace(e.Asked))
}

func trace[F vm.Frame | scheduler.Frame](frames []F) (list []string) {
	for _, f := range frames {
		if frame := vm.Frame(f); frame.Line > 0 {
			list = append(list, fmt.Sprintf("at %s:%d", frame.Source, frame.Line))
		}
	}
	return list
}

// waiting tells what the open runs wait for.
func (w *World) waiting() string {
	var lines []string
	for _, r := range w.world.All() {
		if r.Closing().Kind != 0 {
			continue
		}
		who := fmt.Sprintf("run '%s' waits ", r.Ref().ID)
		if r == w.spec {
			who = "the test waits "
		}
		for _, wait := range workflow.Waits(r.Execution().Dump()) {
			lines = append(lines, "  "+who+wait)
		}
	}
	return strings.Join(lines, "\n")
}

// unseen is the failure of a run that the test has started and then not looked at.
func (w *World) unseen() *history.Failure {
	for _, r := range w.started {
		info := r.Info()
		if info.Status == history.Failed && !r.looked {
			return &history.Failure{
				Name: nameStopped, Cause: info.Failure, Trace: info.Failure.Trace,
				Message: fmt.Sprintf("run '%s' has failed, and the test did not look: t:error() and t:result() do\n%s: %s", info.ID, info.Failure.Name, info.Failure.Message),
			}
		}
	}
	return nil
}

// library is what the test itself can use.
func (w *World) library(s *vm.State, flow *stdlib.Flow) {
	w.flow = flow
	flow.OpenSpec()
	flow.OpenTesting(w)
	explore.Open(s, flow, explorer{w})
	flow.OnStub(stubSignal, func(n int) (lua.LValue, string) { return w.calls[n].fn, w.calls[n].of.Name }, w.answer)
}

// outside is what a workflow can use that a spec file declares.
func (w *World) outside(s *vm.State, flow *stdlib.Flow) {
	flow.OpenSpecOutside()
	flow.OpenTesting(nil)
	explore.Open(s, flow, nil)
}

// libraryOf is what the runs of a program need.
func (w *World) libraryOf(p *workflow.Program) workflow.Library {
	if p == w.file.program {
		return w.outside
	}
	return nil
}

// child lets the children of a test be runs like those that it starts.
func (w *World) child(parent *virtual.Run, child *virtual.Start) error {
	child.Trust = false
	if !slices.Contains(child.Program.Workflows(), child.Workflow) {
		program, name, err := w.file.find(child.Workflow, nil)
		if err != nil {
			return err
		}
		child.Program, child.Workflow = program, name
	}
	child.Library = w.libraryOf(child.Program)
	return nil
}

// closed lets those go on who wait for the end of a run.
func (w *World) closed(r *virtual.Run) {
	if r == w.spec {
		w.world.Stop(nil)
		return
	}
	if r.Closing().Kind == history.RunContinued {
		return
	}
	id := r.Ref().ID
	waiters := w.waiters[id]
	delete(w.waiters, id)
	for _, delivered := range waiters {
		delivered()
	}
}

// mail takes the questions of the test.
func (w *World) mail(from *virtual.Run, question history.Event, delivered func()) bool {
	if question.Run != stdlib.MailTester || from != w.spec {
		return false
	}
	if question.Name == stdlib.AskSettled {
		w.world.Idle(delivered)
		return true
	}
	var args []string
	if err := json.Unmarshal(question.Payload, &args); err != nil || len(args) != 1 {
		return false
	}
	if r := w.world.Find(args[0]); r == nil || r.Closing().Kind != 0 && r.Closing().Kind != history.RunContinued {
		delivered()
		return true
	}
	w.waiters[args[0]] = append(w.waiters[args[0]], delivered)
	return true
}

// Elapsed implements stdlib.Tester.
func (w *World) Elapsed() time.Duration { return w.world.Elapsed() }

// Start implements stdlib.Tester.
func (w *World) Start(name string, of *lua.FunctionProto, id string, input json.RawMessage) (stdlib.TestRun, error) {
	program, name, err := w.file.find(name, of)
	if err != nil {
		return nil, err
	}
	if id == "" {
		id = w.free(name)
	}
	if _, err := w.world.Begin(virtual.Start{ID: id, Program: program, Workflow: name, Input: input, Library: w.libraryOf(program)}); err != nil {
		return nil, err
	}
	r := &run{world: w, id: id}
	w.started = append(w.started, r)
	return r, nil
}

// free is an ID that no run has: the workflow's name, or that with a number.
func (w *World) free(name string) string {
	id := name
	for n := 2; id == specID || w.world.Find(id) != nil; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	return id
}

func (w *World) cover(file string, line int) {
	lines := w.lines[file]
	if lines == nil {
		lines = map[int]int{}
		w.lines[file] = lines
	}
	lines[line]++
}
