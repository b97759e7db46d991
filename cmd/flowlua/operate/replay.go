package operate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// ReplayOptions say how to replay a run.
type ReplayOptions struct {
	To      int64             // the number of the event after whose turn to stop; 0: the end
	Program *workflow.Program // another script; nil: the run's own
	Shown   string            // how that script is named
}

// Replayed is the answer of replay as JSON.
type Replayed struct {
	ID         string      `json:"id"`
	Number     int         `json:"number"`
	Identical  bool        `json:"identical"`
	Turns      int64       `json:"turns"`  // that were replayed
	Events     int         `json:"events"` // in them
	Difference *Difference `json:"difference,omitempty"`
	Problem    string      `json:"problem,omitempty"` // another error that has ended it
	Tree       *Branch     `json:"tree,omitempty"`
	Waiting    []Waiting   `json:"waiting,omitempty"`
}

// Difference is where a script does not decide again what the history says.
type Difference struct {
	Turn    int64  `json:"turn"`
	Op      string `json:"op,omitempty"`    // the operation
	History string `json:"history"`         // what the history has there
	Script  string `json:"script"`          // what the script asks for
	Where   string `json:"where,omitempty"` // the line where it does
}

// NotIdentical is the error of a replay that differs, once the answer has said so.
var NotIdentical = errors.New("the replay is not identical")

// Replay replays a run and tells whether the script decides again what the history says.
func (c *Console) Replay(ctx context.Context, id string, o ReplayOptions) error {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	if o.Program == nil {
		if o.Program, err = c.program(ctx, &run); err != nil {
			return err
		}
	}
	return c.replay(ctx, run, c.Store.Turns(ctx, run.Ref, 0), o)
}

// ReplayRecording replays what export has written.
func (c *Console) ReplayRecording(ctx context.Context, rec *history.Recording, o ReplayOptions) error {
	if o.Program == nil {
		var err error
		if o.Program, err = workflow.NewProgram(rec.Sources); err != nil {
			return err
		}
	}
	return c.replay(ctx, rec.Run, workflow.Turns(rec.Turns), o)
}

func (c *Console) replay(ctx context.Context, run history.Run, turns iter.Seq2[history.Turn, error], o ReplayOptions) error {
	began := time.Now()
	then := *c // durations are those of then
	g := grown{Console: &then}
	seen := map[string]*sight{}
	kept := []history.Turn{}
	r, err := replay(ctx, run, o.Program, turns, func(r *rebuilt, t *history.Turn) bool {
		kept = append(kept, *t)
		if len(kept) <= stepwise {
			notice(seen, r.Dump(), t.Time)
		}
		return o.To == 0 || int64(r.log.Events) < o.To
	})
	defer r.close()
	took := time.Since(began)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r == nil {
		return err
	}
	if o.To > 0 && err == nil && int64(r.log.Events) < o.To {
		return misuse("--to %d: the history has %s: %s numbers them", o.To, count(r.log.Events, "event"), c.Command("show", run.ID, "--events"))
	}
	then.Now = func() time.Time { return r.last }
	answer := Replayed{ID: run.ID, Number: run.Number, Identical: err == nil, Turns: r.log.Turns, Events: r.log.Events}
	for i := range kept {
		g.turn(run.Ref, &kept[i])
	}
	if err == nil {
		notice(seen, r.Dump(), r.last)
		answer.Waiting = r.waits()
	}
	g.watch.Edit(func(b *progress.Board) { overlay(b, seen, "", r.last) })
	return c.replayed(&g, &answer, err, o, took)
}

func (c *Console) replayed(g *grown, answer *Replayed, err error, o ReplayOptions, took time.Duration) error {
	var found *workflow.NonDeterminismError
	switch {
	case errors.As(err, &found):
		answer.Difference = &Difference{found.Turn, found.Op, found.Logged, found.Asked, found.Where}
	case err != nil:
		answer.Problem = err.Error()
	}
	end := error(nil)
	if err != nil {
		end = NotIdentical
	}
	if c.Format == JSON || c.Format == JSONL {
		g.watch.Edit(func(b *progress.Board) {
			b.Sort()
			if root := b.Root(); root != nil {
				tree := branch(root, g.now())
				answer.Tree = &tree
			}
		})
		return errors.Join(c.document(answer), end)
	}
	script := "its script"
	if o.Shown != "" {
		script = o.Shown
	}
	text := fmt.Sprintf("identical: %s decides again what the history says (%s in %s, %s)", script, count(answer.Events, "event"),
		count(int(answer.Turns), "turn"), about(took))
	switch {
	case err == nil && o.To > 0 && !g.now().IsZero():
		text += fmt.Sprintf("\nafter event %d, %s:", answer.Events, ago(c.now(), g.now()))
	case found != nil:
		text = fmt.Sprintf("not identical: %s does not decide again what the history says\n%s", script, differenceText(answer.Difference))
	case err != nil:
		text = "not identical: " + err.Error()
	}
	return errors.Join(c.say("%s\n", progress.Visible(text)), g.write(), end)
}

// differenceText is a difference on lines of its own.
func differenceText(d *Difference) string {
	place := fmt.Sprintf("turn %d", d.Turn)
	if d.Op != "" {
		place += ", operation " + d.Op
	}
	if d.Where != "" {
		place += ", " + d.Where
	}
	return fmt.Sprintf("  at           %s\n  the history  %s\n  the script   %s", place, d.History, d.Script)
}
