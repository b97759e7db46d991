package history

import (
	"context"
	"time"
)

// Owner is an engine that may write runs as long as nobody has taken it for dead.
type Owner struct {
	Number int64     `json:"number"`
	Name   string    `json:"name"` // for people: what and where it is
	Until  time.Time `json:"until"`
	Gone   bool      `json:"gone"` // it is known to be dead, whatever Until says
}

// Lives reports whether nobody may take the owner for dead.
func (o *Owner) Lives(now time.Time) bool { return !o.Gone && o.Until.After(now) }

// Driver finds the owner of an open run that lives, nil if nobody drives it.
func Driver(ctx context.Context, r Reader, run *Run, now time.Time) (*Owner, error) {
	if run.Status != Open || run.Owner == 0 {
		return nil, nil
	}
	owners, err := r.Owners(ctx)
	for i := range owners {
		if owners[i].Number == run.Owner && owners[i].Lives(now) {
			return &owners[i], err
		}
	}
	return nil, err
}
