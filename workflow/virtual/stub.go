package virtual

import (
	"encoding/json"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// stubbedChild is a child workflow of which only the outcome is played.
type stubbedChild struct {
	run   *Run
	event *history.Event
}

func (r *Run) stubChild(d *history.Event, plan Plan) {
	c := &stubbedChild{r, d}
	r.stubbed[d.Op] = c
	if plan.Hangs {
		return
	}
	r.world.after(plan.Takes, func() {
		if plan.Asks == nil {
			c.end(plan)
			return
		}
		plan.Asks(func(answer Plan) { r.world.after(answer.Takes, func() { c.end(answer) }) })
	})
}

// end tells the parent, once.
func (c *stubbedChild) end(plan Plan) {
	closing := history.Event{Kind: history.RunCompleted, Payload: plan.Result}
	switch {
	case plan.Failure != nil:
		closing = history.Event{Kind: history.RunFailed, Failure: plan.Failure}
	case plan.Result == nil:
		closing.Payload = json.RawMessage("[]")
	}
	c.close(&closing)
}

// cancel ends it at once: there is nothing to clean up.
func (c *stubbedChild) cancel() {
	c.close(&history.Event{Kind: history.RunCancelled, Failure: &history.Failure{Name: "CancelledError"}})
}

func (c *stubbedChild) close(closing *history.Event) {
	if c.run.stubbed[c.event.Op] == c {
		delete(c.run.stubbed, c.event.Op)
		c.run.Happen(workflow.ChildOutcome(c.event.Op, c.event.Child.ID, c.event.Name, closing))
	}
}
