package workflow

import (
	"fmt"
	"iter"

	"github.com/flowlua/flowlua/history"
)

// Replay rebuilds a run from its log, turn by turn, and checks that the script decides again what the log says it decided. The
// error is a *NonDeterminismError where it does not. The run can then go on with Turn.
func Replay(config Config, turns iter.Seq2[history.Turn, error]) (*Execution, error) {
	return replay(config, turns, false)
}

func replay(config Config, turns iter.Seq2[history.Turn, error], strict bool) (*Execution, error) {
	e, err := New(config)
	if err != nil {
		return nil, err
	}
	e.decided.strict = strict
	for t, err := range turns {
		if err == nil {
			err = e.follow(&t)
		}
		if err != nil {
			e.Close()
			return nil, err
		}
	}
	return e, nil
}

// follow makes one turn of the log.
func (e *Execution) follow(t *history.Turn) error {
	if t.Seq != e.turn+1 {
		return fmt.Errorf("workflow: run %q: the log has turn %d where turn %d was expected: the history is damaged", e.config.Run.ID, t.Seq, e.turn+1)
	}
	if err := e.take(t.Time, t.Events, t); err != nil {
		return err
	}
	if err := e.compare(); err != nil {
		e.dead = err
		return err
	}
	return nil
}
