package operate

import (
	"context"
	"errors"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Terminate ends a run at once; nothing of its script runs any more. One that another process drives is ended by that.
func (c *Console) Terminate(ctx context.Context, id, reason string) (err error) {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	if run.Status != history.Open {
		return c.ended(&run)
	}
	if err := c.terminate(ctx, run.ID, reason); err != nil {
		return c.sent(ctx, &run, history.Event{}, "", err)
	}
	now, err := c.Store.Run(ctx, run.Ref)
	switch {
	case err != nil:
		return err
	case now.Status == history.Open:
		return c.sent(ctx, &now, history.Event{Kind: history.RunTerminated}, "%s is to end", nil)
	case c.Format == JSON || c.Format == JSONL:
		return c.document(Sent{ID: run.ID, Number: run.Number, Kind: history.RunTerminated.String(), Ended: true})
	}
	return c.say("%s has ended", progress.Visible(name(run.Ref)))
}

// terminate has it done by an engine, which writes under a lease of its own.
func (c *Console) terminate(ctx context.Context, id, reason string) error {
	engine, err := flowlua.Open("", flowlua.Config{Store: borrowed{c.Store}})
	if err != nil {
		return err
	}
	err = engine.Terminate(ctx, id, reason)
	return errors.Join(err, engine.Close(context.WithoutCancel(ctx)))
}

// borrowed is a store that others close.
type borrowed struct{ history.Store }

func (borrowed) Close() error { return nil }
