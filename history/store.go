package history

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"
)

// Errors of a Store, matched by errors.Is.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("exists already")
	ErrConflict = errors.New("history has moved on") // another owner has written a turn, or the run is closed
	ErrEnded    = errors.New("has ended")            // nothing can be sent to the run any more
	ErrOpen     = errors.New("is open")              // so it cannot be deleted
	ErrFenced   = errors.New("the lease is over")    // others have taken it for dead: nothing it writes counts
	ErrMoved    = errors.New("its runs are halted")  // the files of the store are not where they were: the store is of no use any more
)

// Store keeps runs. It is safe for concurrent use, also by several processes. What goes in and what comes out is immutable,
// slices and bytes included.
//
// A run is written by one owner at a time, an engine with a lease. Whatever an owner does to a run goes through Commit. What
// anybody else wants of it is sent as Mail, which the owner finds in its Inbox.
type Store interface {
	Reader

	// Join makes a new owner, whose number is larger than all before: the fencing number.
	Join(ctx context.Context, owner Owner) (number int64, err error)
	// Renew prolongs a lease. ErrFenced if somebody has ended it, which happens no sooner than its time is up.
	Renew(ctx context.Context, owner int64, until time.Time) error
	// Leave ends the owner's own lease; its open runs are nobody's then.
	Leave(ctx context.Context, owner int64) error
	// Claim gives the owner open runs that are nobody's, or whose owner's lease is over; that one is fenced by this.
	Claim(ctx context.Context, claim Claim) ([]Run, error)
	// Commit writes steps in order and in one transaction, each whole or not at all; what came of each is in its place. An
	// error is trouble of the store or ErrFenced, and then nothing of all is written.
	Commit(ctx context.Context, owner int64, steps []Step) ([]Written, error)
	// Inbox gives the mail for open runs of the owner with Seq > after, in order.
	Inbox(ctx context.Context, owner, after int64) ([]Mail, error)

	// Send sends to an open run. ErrNotFound if there is none of the ID, ErrEnded if it is not open or not the one that is meant.
	Send(ctx context.Context, mail Mail) error
	// Create adds a run that is nobody's yet, for an engine that claims it.
	Create(ctx context.Context, run NewRun) error
	// Revise moves an open run with that many turns to other sources, and takes it from its owner: who claims it goes on with
	// them. ErrConflict if it has made a turn since.
	Revise(ctx context.Context, ref Ref, turns int64, sources Sources) error
	// Import adds a recorded run under its own name, as its turns make it; an open one is nobody's. ErrExists if there is one, or
	// an open one would not be the last of its ID. Recording.Check, which is for documents from elsewhere, looks at more than this.
	Import(ctx context.Context, rec Recording) error
	// Delete removes a closed run with all that is known of it but its sources. ErrOpen if it is not closed.
	Delete(ctx context.Context, ref Ref) error

	// Watch has changed called soon after somebody may have written who is not the only owner that has joined by this Store, until
	// stop is called. Changed must not block, nor use the Store, nor call stop.
	Watch(changed func()) (stop func())
	Close() error
}

// Preparer is a Store that can do a part of what Commit does to a step before, while others write.
type Preparer interface {
	// Prepare sets step.Prepared. Nothing else of the step is changed from then on.
	Prepare(step *Step)
}

// Reader is the part of a Store that changes nothing.
type Reader interface {
	// Run finds a run; Number 0 is the latest of its ID.
	Run(ctx context.Context, ref Ref) (Run, error)
	// Turns gives the turns with Seq > after, in order.
	Turns(ctx context.Context, ref Ref, after int64) iter.Seq2[Turn, error]
	// Attempts gives what is known of the attempts of a run's open activities, by operation.
	Attempts(ctx context.Context, ref Ref) ([]Attempt, error)
	// Sources gives what was stored under a hash.
	Sources(ctx context.Context, hash string) (Sources, error)
	// Runs lists, newest first: by when they were created, then by when they came.
	Runs(ctx context.Context, filter Filter) iter.Seq2[Run, error]
	// Owned gives the open runs of an owner; with 0 those that are nobody's, but for what an engine error has halted.
	Owned(ctx context.Context, owner int64) ([]Ref, error)
	// Owners gives the leases that nobody has ended.
	Owners(ctx context.Context) ([]Owner, error)
}

// Filter chooses runs to list. Zero fields choose all.
type Filter struct {
	Status   Status
	Workflow string
	Parent   string    // ID of the parent
	Prefix   string    // of the ID
	Since    time.Time // when it was created, at the earliest
	Halted   bool      // only what an engine error has stopped
	Limit    int
}

// Match reports whether the filter chooses a run; Limit is the store's to obey.
func (f Filter) Match(r *Run) bool {
	return (f.Status == "" || f.Status == r.Status) &&
		(f.Workflow == "" || f.Workflow == r.Workflow) &&
		(f.Parent == "" || r.Parent != nil && r.Parent.ID == f.Parent) &&
		strings.HasPrefix(r.ID, f.Prefix) &&
		(!f.Halted || r.Halted != "") &&
		!r.Created.Before(f.Since)
}
