package scripts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

func TestThumbnails(t *testing.T) {
	r := run(t, "thumbnails.lua", "thumbnails", `["cat.jpg", "dog.jpg"]`)
	require.NoError(t, r.err)
	require.JSONEq(t, `["https://example.com/cat-small.jpg", "https://example.com/dog-small.jpg"]`, r.result)
	require.Equal(t, lines("scratch directory removed"), r.printed)
	require.Equal(t, 100*time.Millisecond, r.took, "the images are worked on side by side")
}

func TestThumbnailsWithoutInput(t *testing.T) {
	r := run(t, "thumbnails.lua", "thumbnails", "")
	require.NoError(t, r.err)
	require.Contains(t, r.result, "owl-small.jpg")
}

func TestThumbnailsOfABrokenLink(t *testing.T) {
	r := run(t, "thumbnails.lua", "thumbnails", `["cat.jpg", "lost.jpg", "owl.jpg"]`)
	var failed *flowlua.Error
	require.ErrorAs(t, r.err, &failed)
	require.Equal(t, "ThumbnailError: failed to process images", failed.Error())
	require.Equal(t, "NotFound: no such image: lost.jpg", failed.Cause.Error())
	require.Equal(t, 404, failed.Cause.Status)
	require.True(t, failed.Cause.Matches("ClientError"))
	require.Equal(t, lines("reported: no such image: lost.jpg", "scratch directory removed"), r.printed)
}

func TestPayment(t *testing.T) {
	r := run(t, "payment.lua", "payment", `{"order": 7, "amount": 12.5}`)
	require.NoError(t, r.err)
	require.JSONEq(t, `{"paid": 12.5}`, r.result)
	require.Empty(t, r.printed)
	require.Equal(t, 500*time.Millisecond, r.took)
}

func TestPaymentCancelledBySignal(t *testing.T) {
	r := run(t, "payment.lua", "payment", `{"order": 7, "amount": 12.5, "change_mind_after": 0.2}`)
	require.NoError(t, r.err)
	require.JSONEq(t, `{"cancelled": true, "reason": "the customer changed their mind"}`, r.result)
	require.Equal(t, lines("payment cancelled: the customer changed their mind"), r.printed)
	require.Equal(t, 200*time.Millisecond, r.took, "the activity stops at once")
	require.Equal(t, 1, r.decided(history.ActivityCancelRequested))
}

// The signal comes too late: nothing is left to cancel.
func TestPaymentKeptByALateSignal(t *testing.T) {
	r := run(t, "payment.lua", "payment", `{"order": 7, "amount": 12.5, "change_mind_after": 60}`)
	require.NoError(t, r.err)
	require.JSONEq(t, `{"paid": 12.5}`, r.result)
}

func TestHeartbeat(t *testing.T) {
	r := run(t, "heartbeat.lua", "heartbeat", "")
	require.NoError(t, r.err)
	require.JSONEq(t, `{"processed": 5, "started_at": 3, "attempt": 2}`, r.result, "the second attempt goes on where the first one was")
}

func TestHeartbeatCancelled(t *testing.T) {
	r := run(t, "heartbeat.lua", "heartbeat", `{"patience": 0.05}`)
	require.NoError(t, r.err)
	require.JSONEq(t, `{"given_up": true}`, r.result)
	require.Contains(t, r.printed, "gave up: ")
}

func TestNested(t *testing.T) {
	r := run(t, "nested.lua", "nested", "")
	require.NoError(t, r.err)
	require.JSONEq(t, `["a is done", "c is done"]`, r.result)
	require.Equal(t, lines("inner scope: Trouble: b does not work", "inner scope: closed"), r.printed)
}

func TestNestedRethrown(t *testing.T) {
	r := run(t, "nested.lua", "nested", `{"rethrow": true}`)
	require.NoError(t, r.err)
	require.JSONEq(t, `["stopped"]`, r.result)
	require.Equal(t, lines("inner scope: Trouble: b does not work", "inner scope: closed", "outer scope: Trouble: b does not work"), r.printed)
	require.Less(t, r.took, 100*time.Millisecond, "a and c were stopped")
}
