package workflow

import (
	"errors"
	"fmt"

	"github.com/flowlua/flowlua/history"
)

// ErrClosed is what Turn and Query answer when there is nothing left to run: the run has ended or Close was called.
var ErrClosed = errors.New("workflow: the run is closed")

// NonDeterminismError tells that a replay does not fit: what the script decides now is not what the log says it decided then.
// It is an engine error (rule 9): the run stays where it is and loses nothing.
type NonDeterminismError struct {
	Run    history.Ref
	Turn   int64
	Op     string // the operation, by its place in the tree; "" for what concerns the run as a whole
	Logged string // what the log has, in words
	Asked  string // what the script asked for now, in words
	Where  string // where the script did, as file.lua:12; "" if it did not ask at all
}

func (e *NonDeterminismError) Error() string {
	place := fmt.Sprintf("run %q, turn %d", e.Run.ID, e.Turn)
	if e.Op != "" {
		place += ", operation " + e.Op
	}
	asked := e.Asked
	if e.Where != "" {
		asked += " at " + e.Where
	}
	return fmt.Sprintf("non-determinism: %s: the log has %s, the script asks for %s. The script does not fit this run: "+
		"resume it with the sources it started with, or guard the change with flow.version", place, e.Logged, asked)
}
