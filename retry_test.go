package flowlua_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

func TestDeclaredRetry(t *testing.T) {
	no := false
	for name, c := range map[string]struct {
		retry string
		fail  func(attempt int) error // nil: the attempt succeeds
		at    []int                   // seconds at which attempts begin
		fails string                  // name of the final failure
	}{
		"backoff":            {"initial = 1, max_attempts = 5", failUntil(4), []int{0, 1, 3, 7}, ""},
		"cap":                {"initial = 1, max_interval = 2, max_attempts = 5", failUntil(5), []int{0, 1, 3, 5, 7}, ""},
		"linear":             {"initial = 2, backoff = 1", failUntil(4), []int{0, 2, 4, 6}, ""},
		"attempts used up":   {"initial = 1, max_attempts = 3", failUntil(9), []int{0, 1, 3}, "Error"},
		"expiration":         {"initial = 1, expiration = 7", failUntil(9), []int{0, 1, 3}, "Error"},
		"not retryable":      {"initial = 1", func(int) error { return &flowlua.Error{Name: "Bad", Retryable: &no} }, []int{0}, "Bad"},
		"named all the same": {"initial = 1, max_attempts = 2, retry_on = { 'Bad' }", func(int) error { return &flowlua.Error{Name: "Bad", Retryable: &no} }, []int{0, 1}, "Bad"},
		"other name":         {"initial = 1, retry_on = { 'Other' }", failUntil(9), []int{0}, "Error"},
		"excluded kind":      {"initial = 1, dont_retry_on = { 'kind' }", func(int) error { return &flowlua.Error{Name: "Bad", Kinds: []string{"kind"}} }, []int{0}, "Bad"},
		"client error":       {"initial = 1", func(int) error { return &flowlua.Error{Name: "NotFound", Status: 404} }, []int{0}, "NotFound"},
		"server error":       {"initial = 1, max_attempts = 2", func(int) error { return &flowlua.Error{Name: "Busy", Status: 503} }, []int{0, 1}, "Busy"},
		"cancelled":          {"initial = 1", func(int) error { return flowlua.ErrCancelled }, []int{0}, "CancelledError"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, `
				local ok, err = pcall(function() flow.activity("work", { retry = { `+c.retry+` } })():await() end)
				return ok or err.name`, func(t *testing.T, b *bed) {
				start := time.Now()
				var at []int
				keys := map[string]bool{}
				b.activity("work", func(ctx context.Context) error {
					at = append(at, int(time.Since(start).Seconds()))
					info := flowlua.ActivityInfo(ctx)
					require.Equal(t, len(at), info.Number)
					keys[info.IdempotencyKey()] = true
					return c.fail(info.Number)
				})
				want := `[true]`
				if c.fails != "" {
					want = `["` + c.fails + `"]`
				}
				require.Equal(t, want, b.result())
				require.Equal(t, c.at, at)
				require.Len(t, keys, 1)
				require.Len(t, b.events(history.ActivityScheduled), 1) // attempts do not grow the history
			})
		})
	}
}

func failUntil(attempt int) func(int) error {
	return func(n int) error {
		if n < attempt {
			return errors.New("again")
		}
		return nil
	}
}

func TestUnknownActivity(t *testing.T) {
	in(t, `
		local ok, err = pcall(function() flow.activity("chrage", { retry = { initial = 1 } })():await() end)
		return err.name, err.message`, func(t *testing.T, b *bed) {
		b.activity("charge", func() {})
		b.activity("refund", func() {})
		require.Equal(t, `["ActivityNotFound","no activity \"chrage\" (did you mean 'charge'?): there are charge, refund"]`, b.result())
	})
}

func TestCancellationDuringThePause(t *testing.T) {
	in(t, `
		local scope = flow.try {
			function() flow.activity("work", { retry = { initial = "1h" } })() end,
			catch = function(err) return err.name, flow.now() end,
		}
		local before = flow.now()
		flow.sleep(60)
		scope:cancel()
		local name, now = scope:await()
		return name, now - before`, func(t *testing.T, b *bed) {
		b.activity("work", func() error { return errors.New("again") })
		require.Equal(t, `["CancelledError",60]`, b.result())
	})
}

func TestTimeoutsOfRetriedActivities(t *testing.T) {
	for name, c := range map[string]struct {
		options string
		want    string // attempts, timeout, seconds
	}{
		"start_to_close is of each attempt": {"start_to_close = 10, retry = { initial = 1, max_attempts = 3 }", `[3,"start_to_close",33]`},
		"schedule_to_close is of all":       {"start_to_close = 10, schedule_to_close = 25, retry = { initial = 1 }", `[3,"schedule_to_close",25]`},
		"no attempt beyond it":              {"start_to_close = 10, schedule_to_close = 12, retry = { initial = 5 }", `[1,"start_to_close",10]`},
		"timeouts excluded":                 {"start_to_close = 10, retry = { dont_retry_on = { 'TimeoutError' } }", `[1,"start_to_close",10]`},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, `
				local before = flow.now()
				local ok, err = pcall(function() flow.activity("work", { `+c.options+` })():await() end)
				return flow.activity("count")():await(), err.timeout, flow.now() - before`, func(t *testing.T, b *bed) {
				n := 0
				b.activity("work", func(ctx context.Context) error { n++; <-ctx.Done(); return ctx.Err() })
				b.activity("count", func() int { return n })
				require.Equal(t, c.want, b.result())
			})
		})
	}
}

func TestHeartbeatsAreThrottled(t *testing.T) {
	var reports []string
	start := time.Time{}
	config := flowlua.Config{Observer: flowlua.Observer{Heartbeat: func(a flowlua.Attempt, details json.RawMessage) {
		reports = append(reports, time.Since(start).String()+" "+string(details))
	}}}
	inWith(t, `flow.activity("work", { heartbeat = 10 })():await()`, config, func(t *testing.T, b *bed) {
		start, reports = time.Now(), nil
		b.activity("work", func(ctx context.Context) error {
			for i := range 20 {
				if err := flowlua.Heartbeat(ctx, i); err != nil {
					return err
				}
				time.Sleep(1100 * time.Millisecond)
			}
			return flowlua.Heartbeat(ctx, "last")
		})
		b.result()
		require.Equal(t, []string{"0s 0", "8s 7", "16s 14", `22s "last"`}, reports)
	})
}
