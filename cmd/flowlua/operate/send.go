package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Sent is the answer of signal, cancel and terminate as JSON.
type Sent struct {
	ID     string  `json:"id"`
	Number int     `json:"number"`
	Kind   string  `json:"kind"` // of the event: SignalReceived, CancelRequested, RunTerminated
	Name   string  `json:"name,omitempty"`
	Driver *Driver `json:"driver"`          // who will hand it to the run; null: nobody does before the run is resumed
	Ended  bool    `json:"ended,omitempty"` // the run has ended by it already
}

// Signal sends a signal with arguments, each of which is JSON.
func (c *Console) Signal(ctx context.Context, id, signal string, args []json.RawMessage) error {
	if signal == "" {
		return misuse("expected the NAME of a signal, got an empty text")
	}
	payload, err := array(args)
	if err != nil {
		return err
	}
	return c.send(ctx, id, history.Event{Kind: history.SignalReceived, Name: signal, Payload: payload}, "signal "+signal+" is delivered to %s")
}

// Cancel asks a run to cancel: its scopes clean up.
func (c *Console) Cancel(ctx context.Context, id, reason string) error {
	ev := history.Event{Kind: history.CancelRequested, Payload: json.RawMessage("[]")}
	if reason != "" {
		text, err := json.Marshal(reason)
		if err != nil {
			return err
		}
		if ev.Payload, err = array([]json.RawMessage{text}); err != nil {
			return err
		}
	}
	return c.send(ctx, id, ev, "%s is asked to cancel")
}

func (c *Console) send(ctx context.Context, id string, ev history.Event, done string) error {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	if run.Status != history.Open {
		return c.ended(&run)
	}
	err = c.Store.Send(ctx, history.Mail{To: run.ID, Number: run.Number, Event: ev})
	return c.sent(ctx, &run, ev, done, err)
}

// sent answers what has become of an event; err is why it was not sent.
func (c *Console) sent(ctx context.Context, run *history.Run, ev history.Event, done string, err error) error {
	if errors.Is(err, history.ErrEnded) || errors.Is(err, flowlua.ErrNotOpen) {
		if now, again := c.Store.Run(ctx, run.Ref); again == nil && now.Status != history.Open {
			return c.ended(&now)
		}
	}
	if err != nil {
		return err
	}
	driver, err := c.driver(ctx, run)
	if err != nil {
		return err
	}
	if c.Format == JSON || c.Format == JSONL {
		return c.document(Sent{ID: run.ID, Number: run.Number, Kind: ev.Kind.String(), Name: ev.Name, Driver: driver})
	}
	text := fmt.Sprintf(done, name(run.Ref))
	switch {
	case driver != nil:
		text += "; " + driver.Name + " drives it"
	case run.Halted != "":
		text += "; an engine error has stopped it: " + c.tryAgain(run)
	default:
		text += "; nobody drives it: " + c.Command("resume", run.ID)
	}
	return c.say("%s", progress.Visible(text))
}

// array is a payload of values.
func array(list []json.RawMessage) (json.RawMessage, error) {
	if len(list) == 0 {
		return json.RawMessage("[]"), nil
	}
	return json.Marshal(list)
}
