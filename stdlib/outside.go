package stdlib

import (
	"encoding/json"
	"log/slog"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
)

// Outside is what a script's flow module asks of the execution around it. All calls come from inside Tree.Run and none may
// block. workflow.Execution is the real one.
//
// An operation begun here is completed with op.Complete(json.RawMessage), the JSON array of its results, or
// op.Fail(FailureError(…)).
type Outside interface {
	// Clock tells the time of the turn and makes the timers of retries.
	scheduler.Clock

	// Begin records the decision to start an operation of the outside world. The event lacks only Op, the operation's
	// path. Kinds: ActivityScheduled, TimerStarted (At is set), ChildStarted, SignalSent.
	Begin(op *scheduler.Operation, event history.Event)

	// Cancel asks for the end of an operation that Begin started. Timers, signals on their way and whatever is not yet
	// committed are gone at once; the others stay until the world answers.
	Cancel(op *scheduler.Operation, cause error) error

	// Record returns what a branch once made: make is called the first time, a replay reads it back. Kind is
	// SideEffectRecorded.
	Record(b *scheduler.Branch, kind history.Kind, name string, make func() (json.RawMessage, error)) (json.RawMessage, error)

	// Version says which version of a change the run is on: max where the question is new, what was recorded where it is
	// not, and min in the replay of a history that passed this place before the question was there. It is asked once per
	// run and change.
	Version(b *scheduler.Branch, change string, min, max int) (int, error)

	// Status takes what list and show display: [value].
	Status(payload json.RawMessage)

	// ContinueAsNew takes the input of the next run; the last call counts, acted on at normal completion.
	ContinueAsNew(payload json.RawMessage)

	// Info describes the run.
	Info() Info

	// Log takes a line for the run's log. The execution drops it in replay.
	Log(level slog.Level, message string, attrs ...slog.Attr)

	// Seed is the run's random seed: the same in every replay.
	Seed() uint64
}

// Info describes a run to its script (flow.info).
type Info struct {
	ID        string    // the workflow's id, shared by runs that continue each other
	Run       int       // number of the run under that id, from 1
	Workflow  string    // the declared name
	Started   time.Time // when this run began
	Parent    string    // id of the parent workflow, "" for none
	Replaying bool      // whether the current turn is one of the log
	Turn      int64     // number of the turn, from 1
}
