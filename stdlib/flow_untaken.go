package stdlib

import (
	"maps"
	"slices"

	"github.com/flowlua/flowlua/history"
)

// Untaken are the signals that have come and that nobody has taken, by name and then in the order of their coming. The
// run that continues this one gets them.
func (f *Flow) Untaken() []history.Event {
	var events []history.Event
	for _, name := range slices.Sorted(maps.Keys(f.signals)) {
		for _, item := range f.signals[name].inbox.items {
			if payload, err := f.state.EncodeAll(item, "signal"); err == nil { // it came as JSON
				events = append(events, history.Event{Kind: history.SignalReceived, Name: name, Payload: payload})
			}
		}
	}
	return events
}
