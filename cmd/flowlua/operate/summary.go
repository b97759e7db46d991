package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Summary is a run in the answers that are JSON. Its shape is part of what spec/12-operating.md promises.
type Summary struct {
	ID       string            `json:"id"`
	Number   int               `json:"number"` // among the runs that continue each other under the ID, from 1
	Workflow string            `json:"workflow"`
	Status   history.Status    `json:"status"` // open, completed, failed, cancelled, continued
	Created  time.Time         `json:"created"`
	Closed   time.Time         `json:"closed,omitzero"`
	Seconds  float64           `json:"seconds"`          // from the start to the end, or until now
	Input    []json.RawMessage `json:"input"`            // the arguments
	State    json.RawMessage   `json:"state,omitempty"`  // what the script last gave to flow.status
	Result   []json.RawMessage `json:"result,omitempty"` // when completed: the results; when continued: the arguments of the next
	Failure  *history.Failure  `json:"failure,omitempty"`
	Parent   *history.Parent   `json:"parent,omitempty"`
	Program  string            `json:"program"`          // hash of the script and what it requires
	Turns    int64             `json:"turns"`            // how many the history has
	Wake     time.Time         `json:"wake,omitzero"`    // when something is to happen by itself
	Halted   string            `json:"halted,omitempty"` // the engine error that has stopped it
	Driver   *Driver           `json:"driver,omitempty"` // who drives it; missing: nobody
	Unread   int               `json:"unread,omitempty"` // how many signals and requests were sent to it and are not taken yet
}

// Driver is the engine that drives a run.
type Driver struct {
	Number int64     `json:"number"`
	Name   string    `json:"name"`
	Until  time.Time `json:"until"` // the end of its lease, which it prolongs while it lives
}

// drivers are the engines that live, by number.
func (c *Console) drivers(ctx context.Context) (map[int64]*Driver, error) {
	owners, err := c.Store.Owners(ctx)
	if err != nil {
		return nil, err
	}
	now, live := c.now(), map[int64]*Driver{}
	for _, o := range owners {
		if o.Lives(now) {
			live[o.Number] = &Driver{Number: o.Number, Name: o.Name, Until: o.Until}
		}
	}
	return live, nil
}

// driver is who drives a run, nil if nobody does.
func (c *Console) driver(ctx context.Context, run *history.Run) (*Driver, error) {
	o, err := history.Driver(ctx, c.Store, run, c.now())
	if o == nil {
		return nil, err
	}
	return &Driver{Number: o.Number, Name: o.Name, Until: o.Until}, nil
}

// Undriven are the open runs that no engine drives, the oldest first.
func (c *Console) Undriven(ctx context.Context) ([]history.Run, error) {
	live, err := c.drivers(ctx)
	if err != nil {
		return nil, err
	}
	var runs []history.Run
	for run, err := range c.Store.Runs(ctx, history.Filter{Status: history.Open}) {
		if err != nil {
			return nil, err
		}
		if live[run.Owner] == nil {
			runs = append(runs, run)
		}
	}
	slices.Reverse(runs)
	return runs, nil
}

func (c *Console) summary(run *history.Run, driver *Driver) Summary {
	s := Summary{
		ID: run.ID, Number: run.Number, Workflow: run.Workflow, Status: run.Status, Created: run.Created, Closed: run.Closed,
		Seconds: c.took(run).Seconds(), Input: values(run.Input), Result: values(run.Result), Failure: run.Failure, Parent: run.Parent,
		Program: run.Program, Turns: run.Turns, Halted: run.Halted, Driver: driver,
	}
	if s.Input == nil {
		s.Input = []json.RawMessage{}
	}
	if run.Wake.Year() > 1970 { // else it is to be looked at at once
		s.Wake = run.Wake
	}
	if state := values(run.State); len(state) > 0 {
		s.State = state[0]
	}
	return s
}

func (c *Console) took(run *history.Run) time.Duration {
	end := run.Closed
	if run.Status == history.Open {
		end = c.now()
	}
	return max(0, end.Sub(run.Created))
}

// status is a run's status for people.
func status(run *history.Run) string {
	if run.Halted != "" {
		return halted
	}
	return string(run.Status)
}

func (c *Console) statusColor(run *history.Run) string {
	switch {
	case run.Halted != "", run.Status == history.Failed:
		return red
	case run.Status == history.Completed:
		return green
	case run.Status == history.Cancelled:
		return yellow
	}
	return ""
}

// ended is the error of wanting something of a run that takes nothing more.
func (c *Console) ended(run *history.Run) error {
	verb := string(run.Status)
	switch run.Status {
	case history.Cancelled:
		verb = "was cancelled"
	case history.Continued:
		verb = "was continued by " + name(history.Ref{ID: run.ID, Number: run.Number + 1})
	}
	return fmt.Errorf("run %s %s %s and takes nothing more: %s shows how it ended", named(run), verb, ago(c.now(), run.Closed),
		c.Command("show", named(run)))
}
