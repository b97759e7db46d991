package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

// patience is how long a test waits for what comes soon.
const patience = 30 * time.Second

// watched does something and waits until a watcher is called.
func watched(t *testing.T, s history.Store, do func()) {
	t.Helper()
	called := make(chan struct{}, 1)
	stop := s.Watch(func() {
		select {
		case called <- struct{}{}:
		default:
		}
	})
	defer stop()
	do()
	select {
	case <-called:
	case <-time.After(patience):
		require.FailNow(t, "nobody has told the watcher")
	}
}

var watching = map[string]test{
	"who watches is told what others write": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "r")
		start(t, other, she, "hers", "halts")
		watched(t, s, func() { send(t, other, history.Mail{To: "r", Event: signal("s")}) })
		watched(t, s, func() { send(t, s, history.Mail{To: "r", Event: signal("s")}) })
		watched(t, s, func() { require.NoError(t, other.Create(ctx, newRun("new"))) })
		watched(t, s, func() { commit(t, other, she, history.Step{Send: []history.Mail{{To: "r", Event: signal("s")}}}) })
		watched(t, s, func() { commit(t, other, she, turn(ref("hers", 1), 1, decide(history.RunCompleted))) })
		watched(t, s, func() { require.NoError(t, other.Delete(ctx, ref("hers", 1))) })
		watched(t, s, func() { require.NoError(t, other.Revise(ctx, ref("r", 1), 0, script)) })
		watched(t, s, func() { require.NoError(t, other.Leave(ctx, she)) })
	},
	"who has stopped watching is told no more": func(t *testing.T, s, other history.Store) {
		stop := s.Watch(func() { t.Error("told") })
		stop()
		stop()
		watched(t, s, func() { require.NoError(t, other.Create(ctx, newRun("r"))) })
	},
	"several watch": func(t *testing.T, s, other history.Store) {
		watched(t, s, func() {
			watched(t, s, func() {
				watched(t, other, func() { require.NoError(t, other.Create(ctx, newRun("r"))) })
			})
		})
	},
}
