package workflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// errProbed ends a discovery: the top level does what only a run may do, so it declares nothing any more.
var errProbed = errors.New("workflow: the top level begins to run")

// discover finds out what the file declares by running its top level in a state that is thrown away, up to the first thing that
// only a run can do. An error of a file that does not speak of flow.workflow is left to its runs, which have an input.
func (p *Program) discover(declares bool, library Library) error {
	tree := scheduler.New(scheduler.Config{Clock: probe{}})
	limits := vm.Limits{Instructions: 1e6}
	if declares {
		limits.Instructions = 2e7 // more than a turn has by default
	}
	state, flow := p.open(vm.Config{Limits: limits}, tree, probe{}, library)
	defer state.Close()
	defer tree.Stop()
	tree.Start(p.ownName(), nil, flow.Body(p.Open(state), nil))
	err := tree.Run()
	if err == nil && tree.Done() {
		_, err = tree.Result()
	}
	for _, d := range flow.Workflows() {
		p.workflows = append(p.workflows, d.Name)
	}
	for _, d := range flow.Activities() {
		if d.Fn != nil {
			p.activities = append(p.activities, d.Name)
		}
	}
	if err != nil && !errors.Is(err, errProbed) && (len(p.workflows) > 0 || declares) {
		return placed(err)
	}
	if len(p.workflows) == 0 {
		if p.whole = true; err != nil && !errors.Is(err, errProbed) {
			p.raised = placed(err)
		}
		p.workflows = []string{p.ownName()}
	}
	return nil
}

// Raised is what the top level of a file that is itself the workflow raises without an input, nil if that is nothing. A run, which
// has one, may not.
func (p *Program) Raised() error { return p.raised }

// placed puts the line where it was raised before an error.
func placed(err error) error {
	e := new(stdlib.Error)
	if !errors.As(err, &e) {
		return err
	}
	for _, frame := range e.Trace() {
		if line, ok := strings.CutPrefix(frame, "at "); ok {
			line, _, _ = strings.Cut(line, " in ")
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return err
}

// probe is an Outside in which nothing can be begun.
type probe struct{}

func (probe) stop() { scheduler.Abort(errProbed) }

func (probe) Now() time.Time { return time.Unix(0, 0).UTC() }

func (p probe) Timer(*scheduler.Branch, time.Duration, scheduler.Site) (*scheduler.Operation, error) {
	p.stop()
	return nil, nil
}

func (p probe) Begin(*scheduler.Operation, history.Event) { p.stop() }

func (p probe) Cancel(*scheduler.Operation, error) error { return nil }

func (p probe) Record(*scheduler.Branch, history.Kind, string, func() (json.RawMessage, error)) (json.RawMessage, error) {
	p.stop()
	return nil, nil
}

func (p probe) Version(*scheduler.Branch, string, int, int) (int, error) {
	p.stop()
	return 0, nil
}

func (p probe) Status(json.RawMessage)               {}
func (p probe) ContinueAsNew(json.RawMessage)        {}
func (p probe) Info() stdlib.Info                    { return stdlib.Info{} }
func (p probe) Log(slog.Level, string, ...slog.Attr) {}
func (p probe) Seed() uint64                         { return 0 }
