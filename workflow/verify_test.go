package workflow_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// TestVerifiedComparesEverything spoils the history that a verified run is replayed from.
func TestVerifiedComparesEverything(t *testing.T) {
	for name, spoil := range map[string]func(first *history.Turn){
		"options":   func(first *history.Turn) { first.Decisions[0].Activity = &history.ActivityOptions{StartToClose: 1} },
		"order":     func(first *history.Turn) { d := first.Decisions; d[0], d[1] = d[1], d[0] },
		"arguments": func(first *history.Turn) { first.Decisions[1].Payload = payload(t, 3) },
		"events":    func(first *history.Turn) { first.Events[0].Payload = payload(t, 9) },
	} {
		t.Run(name, func(t *testing.T) {
			v, err := workflow.NewVerified(workflow.Config{Program: load(t, preamble+`local n = ...; a(n); b(2)`)})
			require.NoError(t, err)
			defer v.Close()
			_, err = v.Turn(time.Unix(0, 0), []history.Event{{Kind: history.RunStarted, Payload: payload(t, 1)}})
			require.NoError(t, err)
			spoil(&v.Turns()[0])
			_, err = v.Turn(time.Unix(1, 0), []history.Event{{Kind: history.ActivityCompleted, Op: "/1", Payload: payload(t)}})
			var mismatch *workflow.NonDeterminismError
			require.ErrorAs(t, err, &mismatch)
		})
	}
}
