package sqlite

import (
	"cmp"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// turn writes what a step says of its own run.
func (k *commit) turn(s *history.Step, data *encodedStep) (key int64, ref history.Ref, no, err error) {
	if f := k.fresh; f != nil && f.owner == k.owner && s.Turn != nil && s.Turn.Seq == 1 && s.Ref.ID == f.ref.ID && (s.Ref.Number == 0 || s.Ref == f.ref) {
		key, ref, err = f.key, f.ref, k.firstTurn(s, data)
	} else if err = k.settle(); err == nil {
		key, ref, no, err = k.nextTurn(s, data)
	}
	if no != nil || err != nil || s.Turn != nil && closes(s) {
		return key, ref, no, err
	}
	if s.Turn != nil {
		if state, ok := state(s.Turn); ok {
			if err := k.c.run("UPDATE runs SET state = ? WHERE key = ?", orNull(state), key); err != nil {
				return 0, ref, nil, err
			}
		}
	}
	if s.Mail > 0 {
		if err := k.c.run("DELETE FROM mail WHERE id = ? AND seq <= ?", ref.ID, s.Mail); err != nil {
			return 0, ref, nil, err
		}
	}
	for _, op := range s.Ended {
		if err := k.c.run("DELETE FROM attempts WHERE run = ? AND op = ?", key, op); err != nil {
			return 0, ref, nil, err
		}
	}
	for i := range s.Attempts {
		if err := k.c.run("INSERT OR REPLACE INTO attempts(run, op, data) VALUES(?, ?, ?)", key, s.Attempts[i].Op, data.attempts[i]); err != nil {
			return 0, ref, nil, err
		}
	}
	return key, ref, nil, nil
}

// firstTurn appends the turn to the run that was begun just before.
func (k *commit) firstTurn(s *history.Step, data *encodedStep) error {
	f := k.fresh
	if err := k.c.run("INSERT INTO turns(place, run, seq, before, data) VALUES(?, ?, 1, 0, ?)", k.place, f.key, data.turn); err != nil {
		return err
	}
	if closes(s) {
		k.fresh = nil
		return k.close(f.key, f.ref, s)
	}
	f.turns, f.last, f.wake = 1, k.place, s.Wake
	k.place++
	return nil
}

// nextTurn appends the turn to a run that has been open.
func (k *commit) nextTurn(s *history.Step, data *encodedStep) (key int64, ref history.Ref, no, err error) {
	ref = s.Ref
	key = cmp.Or(k.known.keys[ref], k.store.known.keys[ref])
	for looked := false; ; looked = true {
		if looked || key == 0 {
			looked = true
			if key, ref, err = k.look(s.Ref); err != nil {
				return 0, ref, nil, err
			}
		}
		taken, err := k.take(key, s, data)
		if err != nil {
			return 0, ref, nil, err
		}
		if taken && looked {
			k.known.run(ref, key)
		}
		if taken {
			break
		}
		if looked { // the key was not that of a run that was there before
			no, err := k.why(s)
			return 0, ref, no, err
		}
	}
	if s.Turn == nil {
		return key, ref, nil, nil
	}
	if closes(s) {
		return key, ref, nil, k.close(key, ref, s)
	}
	err = k.c.run("UPDATE open SET turns = ?, wake = ?, last = ? WHERE run = ?", s.Turn.Seq, fromTime(s.Wake), k.place, key)
	k.place++
	return key, ref, nil, err
}

// take appends the turn, if the run is the owner's to write and the turn is its next.
func (k *commit) take(key int64, s *history.Step, data *encodedStep) (bool, error) {
	if key == 0 {
		return false, nil
	}
	if s.Turn == nil {
		row, err := k.c.first("SELECT run FROM open WHERE run = ? AND owner = ?", key, k.owner)
		return row != nil, err
	}
	changed, _, err := k.c.exec(`
		INSERT INTO turns(place, run, seq, before, data)
		SELECT ?, run, turns + 1, last, ? FROM open WHERE run = ? AND owner = ? AND turns = ?`,
		k.place, data.turn, key, k.owner, s.Turn.Seq-1)
	return changed == 1, err
}

// why says why a step is not written.
func (k *commit) why(s *history.Step) (no, err error) {
	_, run, err := find(k.c, s.Ref)
	switch {
	case isNotFound(err):
		return err, nil
	case err != nil:
		return nil, err
	case run.Status != history.Open:
		return fmt.Errorf("history: run %q is %s: %w", run.ID, run.Status, history.ErrConflict), nil
	case run.Owner != k.owner:
		return fmt.Errorf("history: run %q is owner %d's, not %d's: %w", run.ID, run.Owner, k.owner, history.ErrConflict), nil
	case s.Turn != nil && s.Turn.Seq != run.Turns+1:
		return fmt.Errorf("history: run %q: turn %d cannot follow turn %d: %w", run.ID, s.Turn.Seq, run.Turns, history.ErrConflict), nil
	}
	return nil, fmt.Errorf("history: run %q is not as its rows say: check the store", run.ID)
}

// close ends a run with the turn that has been appended.
func (k *commit) close(key int64, ref history.Ref, s *history.Step) error {
	delete(k.known.keys, ref)
	var end history.Run
	end.Apply(*s.Turn)
	failure, err := failureBytes(end.Failure)
	if err != nil {
		return err
	}
	state, set := state(s.Turn)
	err = k.c.run(`UPDATE runs SET status = ?, closed = ?, turns = ?, last = ?, result = ?, failure = ?, state = iif(?, ?, state) WHERE key = ?`,
		statusNumber(end.Status), fromTime(end.Closed), s.Turn.Seq, k.place, orNull(end.Result), failure, set, orNull(state), key)
	if err != nil {
		return err
	}
	k.place++
	if err := k.c.run("DELETE FROM open WHERE run = ?", key); err != nil {
		return err
	}
	if err := k.c.run("DELETE FROM attempts WHERE run = ?", key); err != nil {
		return err
	}
	if end.Status != history.Continued {
		return k.c.run("DELETE FROM mail WHERE id = ?", ref.ID)
	}
	return k.c.run("DELETE FROM mail WHERE id = ? AND (seq <= ? OR number <> 0)", ref.ID, s.Mail) // the rest is for the next
}

// state is what a turn sets the status to, if it does.
func state(t *history.Turn) (state []byte, set bool) {
	for i := range t.Decisions {
		if t.Decisions[i].Kind == history.StatusSet {
			state, set = t.Decisions[i].Payload, true
		}
	}
	return state, set
}
