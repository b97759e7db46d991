package workflow

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// sessionName is what the workflow of a session is called.
const sessionName = "session"

// Typed is a chunk of a session as it was typed.
type Typed struct {
	Name   string // as messages say it: session.lua
	Source string
	Line   int // on which it begins there
}

// Event is that of its being entered.
func (t Typed) Event() history.Event {
	payload, _ := json.Marshal([]any{t.Source, t.Line})
	return history.Event{Kind: history.ChunkEntered, Name: t.Name, Payload: payload}
}

// TypedIn reads the chunk of a ChunkEntered event.
func TypedIn(ev *history.Event) (Typed, error) {
	t := Typed{Name: ev.Name}
	if err := json.Unmarshal(ev.Payload, &[]any{&t.Source, &t.Line}); err != nil {
		return t, fmt.Errorf("workflow: a chunk that cannot be read: %w", err)
	}
	return t, nil
}

// Chunk is a chunk of a session that has been entered: a branch of the root.
type Chunk struct {
	Typed
	Path           string // of its branch
	Entered, Ended time.Time
	Over           bool
	Values         []lua.LValue // what it gave, until Reports has told of it
	Err            error        // how it failed
}

// Report is news of a session: a chunk that is over, or (Chunk nil) a failure that nobody has observed.
type Report struct {
	Chunk *Chunk
	Err   error
}

// session is what an execution knows of the one that it is.
type session struct {
	vm      *vm.Session
	chunks  []*Chunk
	reports []Report
	muted   bool
}

func (s *session) lost(err error) {
	if scheduler.AsCancelled(err) == nil { // somebody asked for it
		s.reports = append(s.reports, Report{Err: err})
	}
}

// beginSession starts the root of a session, which waits for what is typed, or of a workflow that a session has declared.
func (e *Execution) beginSession(args []lua.LValue) error {
	e.session.vm = e.state.NewSession()
	if err := e.flow.Session(); err != nil {
		return err
	}
	if e.config.Prelude == nil {
		more := e.tree.Promise(nil, "what is typed")
		e.tree.Start(sessionName, nil, func(b *scheduler.Branch, _ []any) (any, error) { return b.Await(more) })
		return nil
	}
	e.tree.Start(e.config.Workflow, nil, func(b *scheduler.Branch, _ []any) (any, error) {
		e.session.muted = true
		for _, typed := range e.config.Prelude {
			if chunk, err := e.session.vm.Load(typed.Name, typed.Source, typed.Line); err == nil && e.flow.Declare(chunk.Function) != nil {
				chunk.Failed()
			}
		}
		e.session.muted = false
		chosen, ok := e.flow.Workflow(e.config.Workflow)
		if !ok {
			return nil, fmt.Errorf("the session declares no workflow %q%s", e.config.Workflow, stdlib.Suggest(e.config.Workflow, names(e.flow.Workflows())))
		}
		return e.flow.Body(chosen.Fn, args)(b, nil)
	})
	return nil
}

func names(list []stdlib.Declared) []string {
	out := make([]string, len(list))
	for i, d := range list {
		out[i] = d.Name
	}
	return out
}

// enter starts a chunk.
func (e *Execution) enter(ev *history.Event) error {
	if e.session.vm == nil {
		return fmt.Errorf("only a session takes chunks")
	}
	typed, err := TypedIn(ev)
	if err != nil {
		return err
	}
	loaded, err := e.session.vm.Load(typed.Name, typed.Source, typed.Line)
	if err != nil {
		return err
	}
	c := &Chunk{Typed: typed, Entered: e.now}
	body := e.flow.Typed(loaded.Function)
	line, _, _ := strings.Cut(strings.TrimSpace(typed.Source), "\n")
	p, err := e.tree.Attach(line, nil, func(b *scheduler.Branch, in []any) (any, error) {
		c.Path = b.Path()
		v, err := body(b, in)
		c.Over, c.Ended, c.Err = true, e.now, err
		if err != nil {
			loaded.Failed()
		} else if c.Values, _ = v.([]lua.LValue); len(c.Values) > 0 {
			e.state.Globals().RawSetString("_", c.Values[0])
		}
		e.session.reports = append(e.session.reports, Report{Chunk: c, Err: err})
		return nil, err
	})
	if err != nil {
		return err
	}
	p.Observe()
	e.session.chunks = append(e.session.chunks, c)
	return nil
}

// Chunks are those that were entered, in order. Not to be changed.
func (e *Execution) Chunks() []*Chunk { return e.session.chunks }

// Reports are the news since it was last asked, in order. The values in them are the caller's.
func (e *Execution) Reports() []Report {
	reports := e.session.reports
	e.session.reports = nil
	for i := range reports {
		if c := reports[i].Chunk; c != nil {
			own := *c
			reports[i].Chunk, c.Values = &own, nil
		}
	}
	return reports
}

// State is the run's Lua, to be looked at between turns: nothing may be called there. nil before the first turn.
func (e *Execution) State() *vm.State { return e.state }

// Locals are the local variables of a session's top level.
func (e *Execution) Locals() *vm.Session { return e.session.vm }

// Trace is the logical stack of what is open at a place in the tree.
func (e *Execution) Trace(path string) []scheduler.Frame { return e.tree.TraceAt(path) }

// Implements reports whether a function was declared for an activity.
func (e *Execution) Implements(activity string) bool {
	for _, d := range e.flow.Activities() {
		if d.Name == activity {
			return d.Fn != nil
		}
	}
	return false
}
