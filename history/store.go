package history

import (
	"context"
	"errors"
	"iter"
)

// Errors of a Store, matched by errors.Is.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("exists already")
	ErrConflict = errors.New("history has moved on") // another owner has written a turn, or the run is closed
)

// Store keeps runs. It is safe for concurrent use. What goes in and what comes out is immutable, slices and bytes included.
type Store interface {
	// Create adds an open run, with Number 1 unless it says another, and the sources it runs on. ErrExists if there is one.
	Create(ctx context.Context, run Run, sources Sources) error
	// Append adds one turn, whole or not at all, and applies it to the run. Its Seq is one more than the last turn's, and the
	// run is open: else ErrConflict.
	Append(ctx context.Context, ref Ref, turn Turn) error
	// Run finds a run; Number 0 is the latest of its ID.
	Run(ctx context.Context, ref Ref) (Run, error)
	// Turns gives the turns with Seq > after, in order.
	Turns(ctx context.Context, ref Ref, after int64) iter.Seq2[Turn, error]
	// Sources gives what was stored under a hash.
	Sources(ctx context.Context, hash string) (Sources, error)
	// Runs lists, newest first.
	Runs(ctx context.Context, filter Filter) iter.Seq2[Run, error]
	Close() error
}

// Filter chooses runs to list. Zero fields choose all.
type Filter struct {
	Status   Status
	Workflow string
	Parent   string // ID of the parent
	Limit    int
}

// Match reports whether the filter chooses a run; Limit is the store's to obey.
func (f Filter) Match(r *Run) bool {
	return (f.Status == "" || f.Status == r.Status) &&
		(f.Workflow == "" || f.Workflow == r.Workflow) &&
		(f.Parent == "" || r.Parent != nil && r.Parent.ID == f.Parent)
}
