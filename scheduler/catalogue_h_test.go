package scheduler

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// R is a policy with this initial interval in seconds.
func R(initial float64) *RetryPolicy { return &RetryPolicy{Initial: seconds(initial)} }

func (r *RetryPolicy) c(backoff float64) *RetryPolicy { r.Backoff = backoff; return r }
func (r *RetryPolicy) max(s float64) *RetryPolicy     { r.MaxInterval = seconds(s); return r }
func (r *RetryPolicy) exp(s float64) *RetryPolicy     { r.Expiration = seconds(s); return r }
func (r *RetryPolicy) n(attempts int) *RetryPolicy    { r.MaxAttempts = attempts; return r }
func (r *RetryPolicy) not(name string) *RetryPolicy {
	r.Retryable = func(err error) bool { return !strings.HasPrefix(err.Error(), name) }
	return r
}

// delays are the delays in seconds before the attempts from..to, -1 for stop.
func delays(r *RetryPolicy, from, to int) string {
	var out []string
	for n := from; n <= to; n++ {
		d, again := r.Delay(time.Time{}, time.Time{}, n, nil)
		if !again {
			out = append(out, "-1")
			continue
		}
		out = append(out, fmt.Sprint(d.Seconds()))
	}
	return strings.Join(out, " ")
}

// retry runs f(x, n) for attempts n = 1, 2, …, counted over the whole play.
func (x *do) retry(r *RetryPolicy, n *int, f func(x *do, n int)) *Promise {
	p, err := x.b.Retry(func() RetryPolicy { return *r }, Spec{Body: x.body(func(x *do) { *n++; f(x, *n) })}, nil)
	x.must(err)
	return p
}

// H. Retry: arithmetic.
func TestCatalogueHArithmetic(t *testing.T) {
	show := func(s string) func(p *play) { return func(p *play) { p.t("%s", s) } }
	perform(t, []catalogued{
		{"P-160/1", show(delays(R(5), 2, 7)), "5 10 20 40 80 160"},
		{"P-160/2", show(delays(R(5).max(30), 2, 7)), "5 10 20 30 30 30"},
		{"P-161/1", show(delays(R(5).n(5), 2, 7)), "5 10 20 40 -1 -1"},
		// Zero values mean no limit; negative ones do not pass Validate.
		{"P-161/2", func(p *play) {
			for n := range 3 {
				p.t("%d:%s", n, delays(R(5).n(n), 2, 4))
			}
		}, "0:5 10 20, 1:-1 -1 -1, 2:5 -1 -1"},
		// There is no attempt before 2 to wait for: stop.
		{"P-162", show(delays(R(5), 1, 1)), "-1"},
		// Fractions of a second are kept, the original truncates.
		{"P-163/1", func(p *play) {
			p.t("%s", delays(R(1).c(1.5), 2, 6))
			p.t("%s", delays(R(10).c(0.5), 2, 7))
			p.t("%s", delays(R(3).c(1), 2, 4))
		}, "1 1.5 2.25 3.375 5.0625, 10 5 2.5 1.25 0.625 0.3125, 3 3 3"},
		{"P-163/2", show(delays(R(0), 2, 5)), "0 0 0 0"},
		// The lists of names are the flow module's; a policy asks one function.
		{"P-164", func(p *play) {
			attempts := 0
			p.start(func(x *do) {
				x.scope(sc{catch: p.catch("catch"), try: func(x *do) {
					x.retry(R(1).not("IllegalArg"), &attempts, func(x *do, n int) {
						if n == 1 {
							x.throw(named("IllegalState", ""))
						}
						x.throw(named("IllegalArg", ""))
					})
				}})
			})
			p.drive()
		}, "catch IllegalArg(), complete=true at=1"},
		{"P-165", func(p *play) {
			for _, retryable := range []func(error) bool{nil, func(error) bool { return false }} {
				attempts := 0
				tree := New(Config{Clock: &VirtualClock{}})
				tree.Start("", nil, p.body(func(x *do) {
					x.retry(&RetryPolicy{MaxAttempts: 3, Retryable: retryable}, &attempts, func(x *do, _ int) { x.throw(E("x")) })
				}))
				p.must(tree.Run())
				tree.Stop()
				p.t("%d", attempts)
			}
		}, "3, 1"},
		// Texts are our own; zero jitter means none.
		{"P-171", func(p *play) {
			for _, r := range []*RetryPolicy{
				R(5).max(4), R(5).max(5), R(5).exp(4), R(-5), R(5).c(-2), R(5).n(-1), {Jitter: 1}, {Jitter: math.NaN()}, {},
			} {
				p.attempt(r.Validate())
			}
		}, "!retry: max_interval (4s) must not be smaller than initial (5s), ok, " +
			"!retry: expiration (4s) must not be smaller than initial (5s), " +
			"!retry: initial must not be negative, found -5s, !retry: backoff must be a number above 0, found -2, " +
			"!retry: max_attempts must not be negative, found -1, !retry: jitter must be at least 0 and below 1, found 1, " +
			"!retry: jitter must be at least 0 and below 1, found NaN, ok"},
		// The recommended behaviour: no overflow.
		{"P-181", func(p *play) {
			r := R(5).c(10).exp(100)
			p.t("%s n=40:%s", delays(r, 2, 4), delays(r, 40, 40))
			p.t("%s", delays(R(5).c(10), 400, 400))
		}, "5 50 -1 n=40:-1, 9.223372036854776e+09"},
		{"P-185", show(delays(R(2).c(4).exp(10), 2, 4)), "2 8 -1"},
	})
}

func TestJitterStaysWithinTheCap(t *testing.T) {
	r := RetryPolicy{Initial: time.Second, Jitter: 0.5, MaxInterval: 2 * time.Second, Expiration: time.Minute}
	for _, c := range []struct {
		random  float64
		attempt int
		want    time.Duration
	}{
		{0, 2, 500 * time.Millisecond},
		{0.5, 2, time.Second},
		{1, 2, 1500 * time.Millisecond},
		{1, 3, 2 * time.Second},
		{0, 9, time.Second},
	} {
		d, again := r.Delay(time.Time{}, time.Time{}, c.attempt, func() float64 { return c.random })
		require.True(t, again)
		require.Equal(t, c.want, d)
	}
}

func TestRetryWithoutClock(t *testing.T) {
	tree := New(Config{})
	defer tree.Stop()
	tree.Start("", nil, func(b *Branch, _ []any) (any, error) {
		return b.Retry(func() RetryPolicy { return *R(1) }, Spec{Body: func(*Branch, []any) (any, error) {
			return nil, errors.New("again")
		}}, nil)
	})
	require.NoError(t, tree.Run())
	_, err := tree.Result()
	require.ErrorIs(t, err, errNoClock)
}
