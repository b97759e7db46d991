package scripts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// The unreliable activity fails, then takes more than its 200 ms, then works.

func TestRetryUntilSuccess(t *testing.T) {
	r := run(t, "retry_until_success.lua", "retry_until_success", "")
	require.NoError(t, r.err)
	require.Equal(t, `"worked on call 3"`, r.result)
	require.Regexp(t, `^failed: IllegalState: not today\nfailed: TimeoutError: .*\n$`, r.printed)
	require.Equal(t, 200*time.Millisecond, r.took)
}

func TestRetryExponential(t *testing.T) {
	const took = 100*time.Millisecond + 200*time.Millisecond + 200*time.Millisecond // delay, timeout, delay
	for _, c := range []struct {
		workflow, printed string
		scheduled         int // activities in the history
	}{
		{"declared", "", 1}, // the engine makes the attempts
		{"decorated", "", 3},
		{"executed", lines("attempt 1", "attempt 2", "attempt 3"), 3},
	} {
		t.Run(c.workflow, func(t *testing.T) {
			r := run(t, "retry_exponential.lua", c.workflow, "")
			require.NoError(t, r.err)
			require.Equal(t, `"worked on call 3"`, r.result)
			require.Equal(t, c.printed, r.printed)
			require.Equal(t, took, r.took)
			require.Equal(t, c.scheduled, r.decided(history.ActivityScheduled))
		})
	}
}

func TestRetryCustom(t *testing.T) {
	r := run(t, "retry_custom.lua", "retry_custom", "")
	require.NoError(t, r.err)
	require.Equal(t, `"worked on call 3"`, r.result)
	require.Equal(t, lines("once more, after IllegalState", "once more, after TimeoutError"), r.printed)
}

func TestRetryCustomGivesUp(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // what the activity counts stays there
	r := runNow(t, "retry_custom.lua", "retry_custom", `{"timeouts_are_final": true}`)
	var failed *flowlua.Error
	require.ErrorAs(t, r.err, &failed)
	require.Equal(t, "TimeoutError", failed.Name)
	require.Equal(t, lines("once more, after IllegalState"), r.printed)
}

func TestDynamoDBPut(t *testing.T) {
	r := run(t, "dynamodb.lua", "put", "")
	require.NoError(t, r.err)
	require.Equal(t, `"stored in attempt 3"`, r.result)
	require.Equal(t, 150*time.Millisecond, r.took)
}

func TestDynamoDBPutWhoseConditionFails(t *testing.T) {
	r := run(t, "dynamodb.lua", "put", `{"condition": "fails"}`)
	require.NoError(t, r.err)
	require.Equal(t, `"not stored"`, r.result)
	require.Equal(t, lines("400 ConditionalCheckFailedException: The conditional request failed"), r.printed)
	require.Zero(t, r.took, "no second attempt")
}

// The waits are 100 ms · 3^k.
func TestDynamoDBWait(t *testing.T) {
	r := run(t, "dynamodb.lua", "wait", "")
	require.NoError(t, r.err)
	require.Equal(t, `"the table is ready"`, r.result)
	require.Equal(t, lines("check 1 after 0.1 s", "check 2 after 0.4 s", "check 3 after 1.3 s", "check 4 after 4.0 s"), r.printed)
	require.Equal(t, 4*time.Second, r.took)
}

func TestDynamoDBWaitIsCappedAndBounded(t *testing.T) {
	r := run(t, "dynamodb.lua", "wait", `{"max_interval": 0.5, "max_retries": 2}`)
	var failed *flowlua.Error
	require.ErrorAs(t, r.err, &failed)
	require.Equal(t, "TimeoutError", failed.Name)
	require.Equal(t, lines("check 1 after 0.1 s", "check 2 after 0.4 s", "check 3 after 0.9 s"), r.printed)
}
