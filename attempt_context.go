package flowlua

import (
	"context"
	"sync"
	"time"
)

// stopping says whether and why an attempt is to stop. The context that tells its function is made when the function first
// looks: most never do.
type stopping struct {
	mu      sync.Mutex
	cause   error // nil: it goes on
	context context.Context
	cancel  context.CancelCauseFunc
}

// stop sets the cause; the first one counts.
func (s *stopping) stop(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause != nil {
		return
	}
	s.cause = cause
	if s.cancel != nil {
		s.cancel(cause)
	}
}

// stopped is why the attempt is to stop, nil if it is not.
func (s *stopping) stopped() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

func (s *stopping) made() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.context == nil {
		s.context, s.cancel = context.WithCancelCause(context.Background())
		if s.cause != nil {
			s.cancel(s.cause)
		}
	}
	return s.context
}

// Done implements context.Context.
func (a *attempt) Done() <-chan struct{} { return a.made().Done() }

// Err implements context.Context.
func (a *attempt) Err() error { return a.made().Err() }

// Deadline implements context.Context.
func (a *attempt) Deadline() (time.Time, bool) {
	t := a.task
	var at time.Time
	if d := t.options.StartToClose; d > 0 {
		at = a.started.Add(d)
	}
	if d := t.options.ScheduleToClose; d > 0 {
		if close := t.scheduled.Add(d); at.IsZero() || close.Before(at) {
			at = close
		}
	}
	return at, !at.IsZero()
}

type attemptKey struct{}

// Value implements context.Context.
func (a *attempt) Value(key any) any {
	if key == (attemptKey{}) {
		return a
	}
	return a.made().Value(key)
}
