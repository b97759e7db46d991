package workflow

import "github.com/flowlua/flowlua/history"

// Untaken are the signals that a run which has ended leaves behind: those that nobody took, and those that came in its last turn
// after it had ended. What continues the run as new begins with them.
func (e *Execution) Untaken() []history.Event {
	if e.flow == nil || e.dead != nil {
		return nil
	}
	e.state.Refill()
	events := e.flow.Untaken()
	for i := range e.late {
		if e.late[i].Kind == history.SignalReceived {
			events = append(events, e.late[i])
		}
	}
	return events
}
