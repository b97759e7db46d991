package operate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// Checked is the answer of db check as JSON.
type Checked struct {
	Sound    bool      `json:"sound"`
	Runs     int       `json:"runs"`
	Turns    int64     `json:"turns"`
	Events   int       `json:"events"`
	Problems []Problem `json:"problems"`
}

// Problem is something that cannot be.
type Problem struct {
	ID      string `json:"id,omitempty"` // "" of the database as a whole
	Number  int    `json:"number,omitempty"`
	Problem string `json:"problem"`
}

// Unsound is the error of a check that has found something, once the answer has said so.
var Unsound = errors.New("the database is damaged")

// Check reads everything there is and holds it against what a store promises. With replays, every run is rebuilt, too.
func (c *Console) Check(ctx context.Context, replays bool) error {
	k := checking{Console: c, Checked: Checked{Problems: []Problem{}}, sources: map[string]string{}, numbers: map[string][]history.Run{}}
	if err := k.store(ctx); err != nil {
		return err
	}
	for run, err := range c.Store.Runs(ctx, history.Filter{}) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			k.Problems = append(k.Problems, Problem{Problem: "not all runs can be listed: " + err.Error()})
			break
		}
		k.Runs++
		k.run(ctx, &run)
		if replays {
			k.replay(ctx, run)
		}
	}
	k.chains()
	k.Sound = len(k.Problems) == 0
	end := error(nil)
	if !k.Sound {
		end = Unsound
	}
	if c.Format == JSON || c.Format == JSONL {
		return errors.Join(c.document(k.Checked), end)
	}
	for _, p := range k.Problems {
		where := ""
		if p.ID != "" {
			where = name(history.Ref{ID: p.ID, Number: p.Number}) + ": "
		}
		if err := c.say("%s", progress.Visible(where+p.Problem)); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("%s, %s, %s", count(k.Runs, "run"), count(int(k.Turns), "turn"), count(k.Events, "event"))
	if k.Sound {
		return c.say("sound: %s", text)
	}
	return errors.Join(c.say("%s in %s", count(len(k.Problems), "problem"), text), end)
}

// checking is a check under way.
type checking struct {
	*Console
	Checked
	sources map[string]string        // what is wrong with them, by hash
	numbers map[string][]history.Run // by ID
}

func (k *checking) problem(ref history.Ref, format string, args ...any) {
	k.Problems = append(k.Problems, Problem{ref.ID, ref.Number, fmt.Sprintf(format, args...)})
}

// store lets the store say what it finds itself.
func (k *checking) store(ctx context.Context) error {
	store, ok := k.Store.(interface {
		Check(context.Context) iter.Seq2[string, error]
	})
	if !ok {
		return nil
	}
	for text, err := range store.Check(ctx) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			text = "not everything can be checked: " + err.Error()
		}
		k.Problems = append(k.Problems, Problem{Problem: text})
	}
	return nil
}

func (k *checking) run(ctx context.Context, run *history.Run) {
	k.numbers[run.ID] = append(k.numbers[run.ID], history.Run{Ref: run.Ref, Status: run.Status})
	text, known := k.sources[run.Program]
	if !known {
		sources, err := k.Store.Sources(ctx, run.Program)
		switch hash := sources.Hash(); {
		case err != nil:
			text = "its script cannot be read: " + err.Error()
		case hash != run.Program:
			text = fmt.Sprintf("its script has the hash %.12s and is kept as %.12s", hash, run.Program)
		}
		k.sources[run.Program] = text
	}
	if text != "" {
		k.problem(run.Ref, "%s", text)
	}
	a := account{checking: k, run: run, outcomes: map[string]int64{}, begun: map[string]history.Kind{}}
	a.applied = *run
	a.applied.Status, a.applied.Turns = history.Open, 0
	for t, err := range k.Store.Turns(ctx, run.Ref, 0) {
		if err != nil {
			k.problem(run.Ref, "its history cannot be read: %v", err)
			return
		}
		a.turn(&t)
	}
	a.close(ctx)
}

// replay rebuilds a run.
func (k *checking) replay(ctx context.Context, run history.Run) {
	r, err := k.rebuild(ctx, run)
	r.close()
	if err != nil && ctx.Err() == nil {
		k.problem(run.Ref, "the replay differs: %v", err)
	}
}

// chains looks at the runs that continue each other.
func (k *checking) chains() {
	for _, id := range slices.Sorted(maps.Keys(k.numbers)) {
		runs := k.numbers[id]
		byNumber, last := map[int]history.Run{}, 0
		for _, r := range runs {
			byNumber[r.Number] = r
			last = max(last, r.Number)
		}
		for _, r := range runs {
			if _, next := byNumber[r.Number+1]; r.Status == history.Continued && !next {
				k.problem(r.Ref, "is continued by number %d, which is not there", r.Number+1)
			}
			if r.Status == history.Open && r.Number < last {
				k.problem(r.Ref, "is open although there is number %d", last)
			}
		}
	}
}
