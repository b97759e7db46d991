package flowlua

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// send adds to the step of a turn what its decisions mean for other runs: they begin, are told, or are asked to end in the same
// transaction.
func (r *execution) send(c *commit, step *history.Step) {
	for i := range c.turn.Decisions {
		switch d := &c.turn.Decisions[i]; {
		case d.Kind == history.ChildStarted:
			r.startChild(c, step, d)
		case d.Kind == history.ChildCancelRequested:
			r.tellChild(step, d.Op, history.Event{Kind: history.CancelRequested, Payload: d.Payload})
		case d.Kind == history.SignalSent:
			lost := workflow.SignalFailed(d.Op, d.Run)
			step.Send = append(step.Send, history.Mail{
				To:    d.Run,
				Event: history.Event{Kind: history.SignalReceived, Name: d.Name, Payload: d.Payload, Run: r.run.ID},
				Sent:  &history.Event{Kind: history.SignalDelivered, Op: d.Op}, Lost: &lost,
			})
		case d.Kind == history.RunContinued:
			r.continueAsNew(c, step, d)
			r.closeChildren(step)
		case d.Kind.Closes():
			r.tellParent(step, d)
			r.closeChildren(step)
		}
	}
}

// startChild begins a run whose end this one is told. What prevents it is the child's failure.
func (r *execution) startChild(c *commit, step *history.Step, d *history.Event) {
	program := r.program
	if !slices.Contains(program.Workflows(), d.Name) {
		var err error
		if program, err = r.engine.programs.find(d.Name); err != nil {
			r.refuseChild(c, step, d, err)
			return
		}
	}
	if err := workflow.CheckChildID(r.run.ID, d); err != nil {
		r.refuseChild(c, step, d, err)
		return
	}
	options := r.hasChild(d)
	run := newRun(history.Run{
		Ref: history.Ref{ID: options.ID}, Workflow: d.Name, Input: d.Payload,
		Parent: &history.Parent{Ref: r.run.Ref, Op: d.Op, OnParentClose: options.OnParentClose},
	}, program)
	failure := workflow.ChildNotStarted(d, "AlreadyRunning", fmt.Sprintf("run %q: %v", run.Run.ID, ErrAlreadyExists))
	run.Else = &failure
	step.Start = append(step.Start, run)
	c.children = append(c.children, r.engine.newExecution(r.owner, run.Run).runs(program))
	c.children[len(c.children)-1].takenUp = r.takenUp
}

// hasChild notes a child that a decision has begun, and gives its options with its ID.
func (r *execution) hasChild(d *history.Event) history.ChildOptions {
	options := history.ChildOptions{}
	if d.Child != nil {
		options = *d.Child
	}
	options.ID = cmp.Or(options.ID, r.run.ID+d.Op)
	if r.children == nil {
		r.children = map[string]history.ChildOptions{}
	}
	r.children[d.Op] = options
	return options
}

// refuseChild tells the run why a child does not begin.
func (r *execution) refuseChild(c *commit, step *history.Step, d *history.Event, why error) {
	failure := workflow.ChildNotStarted(d, "ChildStartError", why.Error())
	step.Send = append(step.Send, history.Mail{To: r.run.ID, Number: r.run.Number, Event: failure})
	c.children = append(c.children, nil)
}

// beginChildren sets the children going that are stored now.
func (r *execution) beginChildren(c *commit) {
	started := c.written[len(c.written)-1].Started
	for _, child := range c.children {
		if child == nil {
			continue
		}
		ref := started[0]
		started = started[1:]
		if ref == (history.Ref{}) {
			continue
		}
		child.run.Ref = ref
		if r.engine.register(child) == nil {
			child.begin()
		}
	}
}

// continueAsNew makes the run that goes on under the same ID, with the same script, a fresh history, and the signals that
// nobody has taken.
func (r *execution) continueAsNew(c *commit, step *history.Step, d *history.Event) {
	run := history.Run{
		Ref: history.Ref{ID: r.run.ID, Number: r.run.Number + 1}, Workflow: r.run.Workflow, Parent: r.run.Parent, Input: d.Payload,
	}
	next := newRun(run, r.program)
	step.Start = append(step.Start, next)
	c.next = r.engine.newExecution(r.owner, next.Run).runs(r.program)
	c.next.takenUp = r.takenUp
	for _, ev := range r.flow.Untaken() {
		step.Send = append(step.Send, history.Mail{To: run.ID, Number: run.Number, Event: ev})
	}
}

// tellParent reports the closing decision.
func (r *execution) tellParent(step *history.Step, end *history.Event) {
	if p := r.run.Parent; p != nil {
		ev := workflow.ChildOutcome(p.Op, r.run.ID, r.run.Workflow, end)
		step.Send = append(step.Send, history.Mail{To: p.ID, Number: p.Number, Event: ev})
	}
}

func (r *execution) tellChild(step *history.Step, op string, ev history.Event) {
	if child, ok := r.children[op]; ok {
		step.Send = append(step.Send, history.Mail{To: child.ID, Child: &history.Parent{Ref: r.run.Ref, Op: op}, Event: ev})
	}
}

// closeChildren does with open children what their options say for the end of their parent: most have ended by then,
// as a run that completes waits for all it has started.
func (r *execution) closeChildren(step *history.Step) {
	for op, child := range r.children {
		if ev, told := workflow.ParentClosed(child.OnParentClose, parentEnded); told {
			r.tellChild(step, op, ev)
		}
	}
}
