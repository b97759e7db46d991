package operate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Export writes a run as one JSON document: its script, what happened, what it decided.
func (c *Console) Export(ctx context.Context, id string) error {
	rec, err := c.Recording(ctx, id)
	if err == nil {
		_, err = rec.WriteTo(c.Out)
	}
	return err
}

// Recording is a run as a document.
func (c *Console) Recording(ctx context.Context, id string) (history.Recording, error) {
	run, err := c.Find(ctx, id)
	if err != nil {
		return history.Recording{}, err
	}
	rec, err := history.Record(ctx, c.Store, run.Ref)
	if err != nil {
		return rec, fmt.Errorf("run %s cannot be exported: %w", named(&run), err)
	}
	return rec, nil
}

// ReadRecording reads a run that was exported, and checks all that is said of it.
func ReadRecording(from io.Reader, file string) (history.Recording, error) {
	rec, err := history.ReadRecording(from)
	if err == nil {
		err = rec.Check()
	}
	if err != nil {
		return rec, fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "history: "))
	}
	return rec, nil
}

// Import adds a run that was exported, under its own ID and number.
func (c *Console) Import(ctx context.Context, from io.Reader, file string) error {
	rec, err := ReadRecording(from, file)
	if err != nil {
		return err
	}
	err = c.Store.Import(ctx, rec)
	switch {
	case errors.Is(err, history.ErrExists):
		return fmt.Errorf("there is a run %s already: %s shows it, and %s makes room for this one once it has ended", name(rec.Run.Ref),
			c.Command("show", name(rec.Run.Ref)), c.Command("delete", name(rec.Run.Ref)))
	case err != nil:
		return fmt.Errorf("run %s cannot be imported: %w", name(rec.Run.Ref), err)
	}
	run, err := c.Store.Run(ctx, rec.Run.Ref)
	if err != nil {
		return err
	}
	if c.Format == JSON || c.Format == JSONL {
		return c.document(c.summary(&run, nil))
	}
	text := fmt.Sprintf("%s is imported: %s, %s", named(&run), run.Status, count(int(run.Turns), "turn"))
	if run.Status == history.Open {
		text += "; " + c.Command("resume", run.ID) + " drives it"
	}
	return c.say("%s", progress.Visible(text))
}
