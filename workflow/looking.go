package workflow

import "github.com/flowlua/flowlua/history"

// Follow makes the next turn of a log and checks it, as Replay does with each: for those who look at a run between its turns.
func (e *Execution) Follow(t *history.Turn) error { return e.follow(t) }

// Queries are the names of the queries that the run answers.
func (e *Execution) Queries() []string {
	if e.flow == nil {
		return nil
	}
	return e.flow.Queries()
}
