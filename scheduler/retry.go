package scheduler

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// RetryPolicy says whether and when a failed attempt is made again (flow-semantics 4.1). Zero values mean: no delay,
// backoff 2.0, no maximum interval, no expiration, no limit of attempts, no jitter, every error is retryable.
type RetryPolicy struct {
	Initial     time.Duration
	Backoff     float64
	MaxInterval time.Duration
	// Expiration is measured from the first attempt to the beginning of the next: elapsed + delay >= Expiration stops.
	Expiration time.Duration
	// MaxAttempts counts the first attempt.
	MaxAttempts int
	// Jitter, 0 to below 1, moves the delay by up to that part of it in both directions, never beyond MaxInterval.
	Jitter float64
	// Retryable is asked about the failure; never about a cancellation, which is not retried.
	Retryable func(error) bool
}

// Validate finds what cannot be meant.
func (p *RetryPolicy) Validate() error {
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"initial", p.Initial}, {"max_interval", p.MaxInterval}, {"expiration", p.Expiration}} {
		if d.value < 0 {
			return fmt.Errorf("retry: %s must not be negative, found %v", d.name, d.value)
		}
	}
	switch {
	case p.MaxInterval > 0 && p.Initial > p.MaxInterval:
		return fmt.Errorf("retry: max_interval (%v) must not be smaller than initial (%v)", p.MaxInterval, p.Initial)
	case p.Expiration > 0 && p.Initial > p.Expiration:
		return fmt.Errorf("retry: expiration (%v) must not be smaller than initial (%v)", p.Expiration, p.Initial)
	case p.Backoff < 0 || math.IsNaN(p.Backoff) || math.IsInf(p.Backoff, 0):
		return fmt.Errorf("retry: backoff must be a number above 0, found %v", p.Backoff)
	case p.MaxAttempts < 0:
		return fmt.Errorf("retry: max_attempts must not be negative, found %d", p.MaxAttempts)
	case !(p.Jitter >= 0 && p.Jitter < 1):
		return fmt.Errorf("retry: jitter must be at least 0 and below 1, found %v", p.Jitter)
	}
	return nil
}

// Delay is how long to wait before attempt number attempt (2 is the first retry), given when the first attempt began and
// when the last one failed. false means stop. random gives numbers in [0, 1) and is called only if there is jitter;
// nil means no jitter. Fractions of a second are kept, where the original truncates.
func (p *RetryPolicy) Delay(first, failed time.Time, attempt int, random func() float64) (time.Duration, bool) {
	if attempt < 2 || p.MaxAttempts > 0 && attempt > p.MaxAttempts || p.Initial < 0 {
		return 0, false
	}
	backoff := p.Backoff
	if backoff == 0 {
		backoff = 2
	}
	delay := 0.0
	if p.Initial > 0 {
		delay = float64(p.Initial) * math.Pow(backoff, float64(attempt-2))
	}
	limit := float64(math.MaxInt64)
	if p.MaxInterval > 0 {
		limit = float64(p.MaxInterval)
	}
	delay = math.Min(delay, limit)
	if p.Jitter > 0 && random != nil {
		delay += float64(delay * p.Jitter * (2*random() - 1)) // rounded before the sum: other processors must not decide another time
		delay = math.Min(delay, limit)
	}
	elapsed := float64(failed.Sub(first))
	if p.Expiration > 0 && elapsed+delay >= float64(p.Expiration) {
		return 0, false
	}
	if delay >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return time.Duration(math.Round(delay)), true
}

var errNoClock = errors.New("a retry with a delay needs a clock: give the tree one (Config.Clock)")

// Retry starts a branch that runs spec.Body until it succeeds or the policy says stop (flow-semantics 4.3). Each attempt
// is a scope of its own, so it ends only when everything it started has ended. The policy is read at each failure. The
// last failure itself is raised. The time before the After promises are ready does not count for the expiration.
// Cancelling the promise cancels the attempt or ends the wait; the branch ends when the attempt has.
func (b *Branch) Retry(policy func() RetryPolicy, spec Spec, random func() float64) (*Promise, error) {
	r := &retrying{policy: policy, random: random, attempt: spec}
	spec.Body = r.run
	return b.Spawn(spec)
}

type retrying struct {
	policy  func() RetryPolicy
	random  func() float64
	attempt Spec
}

func (r *retrying) run(b *Branch, in []any) (any, error) {
	first := b.tree.now()
	for n := 2; ; n++ {
		v, err := r.once(b, in)
		if err == nil || b.cancelled != nil || AsCancelled(err) != nil {
			return v, err
		}
		policy := r.policy()
		if policy.Retryable != nil && !policy.Retryable(err) {
			return nil, err
		}
		delay, again := policy.Delay(first, b.tree.now(), n, r.random)
		if !again {
			return nil, err
		}
		if err := r.pause(b, delay); err != nil {
			return nil, err
		}
	}
}

// once makes one attempt and waits for its end even if it is cancelled meanwhile: a real failure is raised then too.
func (r *retrying) once(b *Branch, in []any) (any, error) {
	body := r.attempt.Body
	s, err := b.Try(ScopeSpec{Name: r.attempt.Name, Site: r.attempt.Site, Try: func(b *Branch, _ []any) (any, error) {
		return body(b, in)
	}})
	if err != nil {
		return nil, err
	}
	v, err := b.Await(&s.promise)
	if b.cancelled != nil && !s.promise.Settled() {
		s.Cancel(b.cancelled.Cause)
		return b.endure(&s.promise)
	}
	return v, err
}

func (r *retrying) pause(b *Branch, delay time.Duration) error {
	if delay == 0 {
		return nil
	}
	if b.tree.clock == nil {
		return errNoClock
	}
	timer, err := b.tree.clock.Timer(b, delay, r.attempt.Site)
	if err != nil {
		return err
	}
	_, err = b.Await(&timer.promise)
	if b.cancelled != nil {
		timer.promise.Cancel(b.cancelled.Cause)
	}
	return err
}

func (t *Tree) now() (now time.Time) {
	if t.clock != nil {
		now = t.clock.Now()
	}
	return now
}
