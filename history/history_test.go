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

func TestSourcesHash(t *testing.T) {
	base := history.Sources{Main: "a", Files: map[string]string{"a": "bc", "d": "e"}}
	require.Equal(t, base.Hash(), history.Sources{Main: "a", Files: map[string]string{"d": "e", "a": "bc"}}.Hash())
	for _, other := range []history.Sources{
		{Main: "d", Files: base.Files},
		{Main: "a", Files: map[string]string{"a": "b", "cd": "e"}},
		{Main: "a", Files: map[string]string{"ab": "c", "d": "e"}},
		{Main: "a", Files: map[string]string{"a": "bc"}},
	} {
		require.NotEqual(t, base.Hash(), other.Hash(), "%v", other)
	}
}
