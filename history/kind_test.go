package history_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

// frozen are the numbers that stores hold. A line may be added, none may be changed or reused.
var frozen = map[history.Kind]string{
	1: "RunStarted", 2: "ActivityCompleted", 3: "ActivityFailed", 4: "TimerFired", 5: "ChildCompleted", 6: "ChildFailed", 7: "SignalReceived",
	8: "SignalDelivered", 9: "SignalFailed", 10: "CancelRequested", 11: "ChunkEntered", 12: "RunTerminated",

	64: "ActivityScheduled", 65: "ActivityCancelRequested", 66: "TimerStarted", 67: "TimerCancelled", 68: "ChildStarted", 69: "ChildCancelRequested",
	70: "SignalSent", 71: "SideEffectRecorded", 72: "VersionRecorded", 73: "StatusSet", 74: "RunCompleted", 75: "RunFailed", 76: "RunCancelled",
	77: "RunContinued",
}

func kinds() (all []history.Kind) {
	for n := range 256 {
		if _, ok := frozen[history.Kind(n)]; ok {
			all = append(all, history.Kind(n))
		}
	}
	return all
}

func TestKinds(t *testing.T) {
	for n := range 256 {
		k := history.Kind(n)
		text, err := k.MarshalText()
		name, ok := frozen[k]
		if !ok {
			require.ErrorContains(t, err, "is no kind of event")
			require.False(t, k.Decision() || k.Closes())
			continue
		}
		require.NoError(t, err)
		require.Equal(t, name, string(text))
		var back history.Kind
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, k, back)
		require.Equal(t, k >= 64, k.Decision(), "%v", k)
		require.Equal(t, k >= 74, k.Closes(), "%v", k)
	}
	var k history.Kind
	require.ErrorContains(t, json.Unmarshal([]byte(`"ActivityEaten"`), &k), `unknown kind of event "ActivityEaten" (written by a newer release?)`)
}
