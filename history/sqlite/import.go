package sqlite

import (
	"context"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// Import implements history.Store.
func (s *Store) Import(ctx context.Context, rec history.Recording) error {
	run, err := rec.Rebuild()
	if err != nil {
		return err
	}
	turns := make([][]byte, len(rec.Turns))
	for i := range rec.Turns {
		if turns[i], err = history.EncodeTurn(&rec.Turns[i]); err != nil {
			return err
		}
	}
	return s.alone(ctx, "import into", func(k *commit) error {
		row, err := k.c.first("SELECT number FROM runs WHERE id = ?1 AND (number = ?2 OR status = 0 AND (?3 = 0 OR number < ?2) OR ?3 = 0 AND number > ?2)",
			run.ID, int64(run.Number), statusNumber(run.Status))
		switch {
		case err != nil:
			return err
		case row != nil:
			return refused{fmt.Errorf("history: run %q number %d %w", run.ID, integer(row[0]), history.ErrExists)}
		}
		missing, no, err := k.missing(run.Program, &rec.Sources)
		switch {
		case err != nil:
			return err
		case no != nil:
			return refused{no}
		case missing:
			if err := k.keep(run.Program, &rec.Sources); err != nil {
				return err
			}
		}
		return k.restore(&run, turns)
	})
}

// restore adds a run as it is.
func (k *commit) restore(run *history.Run, turns [][]byte) error {
	failure, err := failureBytes(run.Failure)
	if err != nil {
		return err
	}
	var p [4]any
	if run.Parent != nil {
		p = [4]any{run.Parent.ID, int64(run.Parent.Number), run.Parent.Op, run.Parent.OnParentClose}
	}
	place, err := k.c.number("SELECT max(place) FROM turns")
	if err != nil {
		return err
	}
	last := int64(0)
	if len(turns) > 0 {
		last = place + int64(len(turns))
	}
	var closed any
	if run.Status != history.Open {
		closed = fromTime(run.Closed)
	}
	_, key, err := k.c.exec(`
		INSERT INTO runs(id, number, format, workflow, program, created, parent_id, parent_number, parent_op, on_parent_close, status, closed, turns, last, input, state, result, failure)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		run.ID, int64(run.Number), int64(history.Format), run.Workflow, run.Program, fromTime(run.Created), p[0], p[1], p[2], p[3],
		statusNumber(run.Status), closed, run.Turns, last, orNull(run.Input), orNull(run.State), orNull(run.Result), failure)
	if err != nil {
		return err
	}
	if run.Status == history.Open {
		err := k.c.run("INSERT INTO open(run, owner, turns, last, wake, halted) VALUES(?, 0, ?, ?, ?, '')", key, run.Turns, last, fromTime(run.Wake))
		if err != nil {
			return err
		}
	}
	before := int64(0)
	for i, data := range turns {
		place++
		if err := k.c.run("INSERT INTO turns(place, run, seq, before, data) VALUES(?, ?, ?, ?, ?)", place, key, int64(i+1), before, data); err != nil {
			return err
		}
		before = place
	}
	return nil
}
