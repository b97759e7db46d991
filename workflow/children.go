package workflow

import (
	"encoding/json"

	"github.com/flowlua/flowlua/history"
)

// children are the open child workflows.
type children struct {
	byID map[string]string // ID → path of its operation
	byOp map[string]string
}

// ParentClosed is what the end of its parent is to an open child with that on_parent_close; told is false if nothing.
func ParentClosed(onParentClose, reason string) (ev history.Event, told bool) {
	switch onParentClose {
	case "abandon":
		return history.Event{}, false
	case "cancel":
		args, _ := json.Marshal([]string{reason}) // a text always can be
		return history.Event{Kind: history.CancelRequested, Payload: args}, true
	}
	return Termination(reason), true
}

// Termination is the event that ends a run without asking its script.
func Termination(reason string) history.Event {
	return history.Event{Kind: history.RunTerminated, Failure: &history.Failure{Name: "TerminatedError", Message: reason}}
}

func (c *children) add(id, op string) {
	if c.byID == nil {
		c.byID, c.byOp = map[string]string{}, map[string]string{}
	}
	c.byID[id], c.byOp[op] = op, id
}

func (c *children) remove(op string) {
	delete(c.byID, c.byOp[op])
	delete(c.byOp, op)
}
