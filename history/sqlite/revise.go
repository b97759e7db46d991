package sqlite

import (
	"context"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// Revise implements history.Store.
func (s *Store) Revise(ctx context.Context, ref history.Ref, turns int64, sources history.Sources) error {
	return s.alone(ctx, "write to", func(k *commit) error {
		key, run, err := find(k.c, ref)
		switch {
		case isNotFound(err):
			return refused{err}
		case err != nil:
			return err
		case run.Status != history.Open:
			return refused{fmt.Errorf("history: run %q %w", ref.ID, history.ErrEnded)}
		case run.Turns != turns:
			return refused{fmt.Errorf("history: run %q has made %d turns, not %d: %w", ref.ID, run.Turns, turns, history.ErrConflict)}
		}
		hash := sources.Hash()
		missing, _, err := k.missing(hash, &sources)
		if err == nil && missing {
			err = k.keep(hash, &sources)
		}
		if err != nil {
			return err
		}
		if err := k.c.run("UPDATE runs SET program = ? WHERE key = ?", hash, key); err != nil {
			return err
		}
		return k.c.run("UPDATE open SET owner = 0, halted = '' WHERE run = ?", key)
	})
}
