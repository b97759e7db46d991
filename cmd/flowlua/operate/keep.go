package operate

import (
	"context"
	"errors"
	"fmt"
	"io"

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

// Import adds a run that was exported, under its own ID and number.
func (c *Console) Import(ctx context.Context, from io.Reader, file string) error {
	rec, err := history.ReadRecording(from)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if text := sound(&rec); text != "" {
		return fmt.Errorf("%s is damaged: %s", file, text)
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
	return c.say("%s", visible(text))
}

// sound says what is wrong with a document, "" if nothing is.
func sound(rec *history.Recording) string {
	if rec.Run.ID == "" {
		return "the run has no ID"
	}
	if hash := rec.Sources.Hash(); rec.Run.Program != hash {
		return fmt.Sprintf("its script has the hash %.12s, the run names %.12s", hash, rec.Run.Program)
	}
	for i := range rec.Turns {
		if want := int64(i + 1); rec.Turns[i].Seq != want {
			return fmt.Sprintf("turn %d is where turn %d was expected", rec.Turns[i].Seq, want)
		}
	}
	applied := rec.Run
	applied.Status, applied.Turns = history.Open, 0
	for i := range rec.Turns {
		applied.Apply(rec.Turns[i])
	}
	if applied.Status != rec.Run.Status {
		return fmt.Sprintf("the run is %s by its history and %s by its description", applied.Status, rec.Run.Status)
	}
	return ""
}
