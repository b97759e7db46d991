package history_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestEventIsSmallAsJSON(t *testing.T) {
	b, err := json.Marshal(history.Event{Kind: history.ActivityScheduled, Op: "/1", Name: "a", Payload: json.RawMessage(`[]`), Activity: &history.ActivityOptions{StartToClose: 1}})
	require.NoError(t, err)
	require.Equal(t, `{"kind":"ActivityScheduled","op":"/1","name":"a","payload":[],"activity":{"start_to_close":1}}`, string(b))
}
