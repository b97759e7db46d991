package history

import (
	"encoding/json"
	"time"
)

// Step is what an owner writes of one run at once: a turn and what follows from it. Ref may be zero in a step that only
// starts runs. ErrConflict if the run is closed, is not the owner's, or the turn is not the next.
type Step struct {
	Ref      Ref
	Turn     *Turn     // Seq is one more than the last turn's; nil: none
	Mail     int64     // the mail of the run up to this Seq is taken by the turn; 0: none
	Wake     time.Time // Run.Wake from now on; with a Turn
	Attempts []Attempt // are as this says now
	Ended    []string  // operations whose attempts are forgotten
	Start    []NewRun  // begin
	Send     []Mail    // is sent, after the rest, so that it can go to the next run of the same ID
	Leave    bool      // the run, if it is open after this, is nobody's
	Halt     string    // Run.Halted, and the run is nobody's
	Prepared any       // by Preparer.Prepare, nil: nothing is
}

// Written is what came of a step.
type Written struct {
	Err     error // why it was not written
	Started []Ref // of each NewRun; zero if its Else was sent
}

// NewRun is a run that begins. Its Program is the hash of Sources, which can be left out if they are stored. Of Run, what it is
// made of counts, not what it has done.
type NewRun struct {
	Run     Run // Number 0: one more than the last of its ID, which must have ended
	Sources Sources
	Wake    time.Time
	Else    *Event // nil: the step fails with ErrExists if there is a run of the ID; else the step's run is sent this
}

// Mail is an event on its way to a run.
type Mail struct {
	Seq    int64   // its place in the order of all mail; given by the store
	To     string  // ID of the run, of which the open one gets it
	Number int     // not 0: only if that is the open one
	Child  *Parent // not nil: only if the open one is this child
	Event  Event
	Sent   *Event // what the run of the step is sent itself when this is on its way; nil: nothing
	Lost   *Event // and when there is nobody to get it
}

// For reports whether a run gets the mail.
func (m *Mail) For(run *Run) bool {
	return run.Status == Open && run.ID == m.To && (m.Number == 0 || m.Number == run.Number) &&
		(m.Child == nil || run.Parent != nil && run.Parent.Ref == m.Child.Ref && run.Parent.Op == m.Child.Op)
}

// Attempt is what is to be remembered of an open activity beyond its turn. An activity that was never in trouble has none.
type Attempt struct {
	Op       string          `json:"op" cbor:"1,keyasint"`
	Number   int             `json:"number" cbor:"2,keyasint,omitempty"`            // of the last attempt that has begun, from 1
	Failures int             `json:"failures" cbor:"3,keyasint,omitempty"`          // how many attempts have failed: what the retry policy counts
	Next     time.Time       `json:"next,omitzero" cbor:"-"`                        // when the next is due; zero: at once
	Details  json.RawMessage `json:"details,omitempty" cbor:"5,keyasint,omitempty"` // newest heartbeat details; one JSON value
	Failure  *Failure        `json:"failure,omitempty" cbor:"6,keyasint,omitempty"` // of the last attempt that failed
	Began    time.Time       `json:"began,omitzero" cbor:"-"`                       // the attempt that is being made; zero: none is, or nobody knows
	Heard    time.Time       `json:"heard,omitzero" cbor:"-"`                       // its newest heartbeat; zero: none was
	Past     Past            `json:"past,omitempty" cbor:"-"`                       // the attempts before
}

// Claim says which runs an owner wants.
type Claim struct {
	Owner int64
	Now   time.Time // leases up to then are over
	IDs   []string  // nil: all; those that an engine error has halted only if they are named
	Limit int       // 0: none

	Except map[Ref]int64 // with IDs nil: runs that are not wanted as long as they have made no more turns than this
}

// Excepts reports whether a run is not wanted.
func (c *Claim) Excepts(ref Ref, turns int64) bool {
	most, is := c.Except[ref]
	return is && turns <= most
}
