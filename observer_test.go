package flowlua_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

func TestObserver(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	add := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, fmt.Sprintf(format, args...))
	}
	start := time.Time{}
	config := flowlua.Config{Observer: flowlua.Observer{
		Turn: func(run history.Ref, turn history.Turn) { add("turn %d of %s", turn.Seq, run.ID) },
		Attempt: func(a flowlua.Attempt, failure *flowlua.Error, next time.Time) {
			if failure != nil {
				add("attempt %d of %s failed: %v; again after %v", a.Number, a.Activity, failure, next.Sub(start))
				return
			}
			add("attempt %d of %s (%s)", a.Number, a.Activity, a.IdempotencyKey())
		},
	}}
	inWith(t, `return flow.activity("work", { retry = { initial = 1 } })():await()`, config, func(t *testing.T, b *bed) {
		start, seen = time.Now(), nil
		n := 0
		b.activity("work", func() error {
			if n++; n < 2 {
				return errors.New("not yet")
			}
			return nil
		})
		b.result()
		op := b.events(history.ActivityScheduled)[0].Op
		require.Equal(t, []string{
			"turn 1 of run",
			"attempt 1 of work (run#1" + op + ")",
			"attempt 1 of work failed: Error: not yet; again after 1s",
			"attempt 2 of work (run#1" + op + ")",
			"turn 2 of run",
		}, seen)
	})
}

func TestLogOfScripts(t *testing.T) {
	in(t, `
		local work = flow.activity("work", function() flow.log.warn("in the activity", { n = 1 }) end)
		flow.workflow("w", function()
			flow.log.info("before", { step = 1 })
			work():await()
			flow.log.error("after")
		end)`, func(t *testing.T, b *bed) {
		b.wait(b.start("w"))
		log := b.log.String()
		require.Regexp(t, `level=INFO msg=before .*run=run .*step=1`, log)
		require.Regexp(t, `level=WARN msg="in the activity" .*activity=work attempt=1 .*n=1`, log)
		require.Regexp(t, `level=ERROR msg=after`, log)
	})
}

func TestIDOfAnEndedChildMayBeUsedAgain(t *testing.T) {
	in(t, `
		local child = flow.workflow("child", function(n)
			if n < 3 then error("again") end
			return n, flow.info().run
		end):with { id = "kid" }
		flow.workflow("parent", function()
			for n = 1, 3 do
				local ok, value, number = pcall(function() return child(n):await() end)
				if ok then return value, number end
			end
		end)`, func(t *testing.T, b *bed) {
		require.Equal(t, `[3,3]`, b.wait(b.start("parent")))
	})
}

func TestFindAndDone(t *testing.T) {
	in(t, `flow.sleep(1) return "done"`, func(t *testing.T, b *bed) {
		b.start("")
		found, err := b.Find(t.Context(), "run")
		require.NoError(t, err)
		select {
		case <-found.Done():
			t.Fatal("done before its time")
		default:
		}
		var text string
		require.NoError(t, found.Result(t.Context(), &text))
		require.Equal(t, "done", text)
		found, err = b.Find(t.Context(), "run") // after its end
		require.NoError(t, err)
		<-found.Done()
		text = ""
		require.NoError(t, found.Result(t.Context(), &text))
		require.Equal(t, "done", text)
		require.Equal(t, "run", found.ID())
		require.ErrorContains(t, found.Result(t.Context(), new(int)), `result of run "run": value 1: expected int, found a string`)
	})
}

// Signals of many senders are all recorded, in the order of each.
func TestManySignals(t *testing.T) {
	in(t, `
		local sum, n = 0, ...
		for value in flow.signal("add"):each() do
			sum, n = sum + value, n - 1
			if n == 0 then return sum end
		end`, func(t *testing.T, b *bed) {
		run := b.start("", 100)
		var wait sync.WaitGroup
		for i := range 10 {
			wait.Go(func() {
				for j := range 10 {
					if err := b.Signal(t.Context(), "run", "add", i*10+j); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		require.Equal(t, `[4950]`, b.wait(run))
		synctest.Wait()
		require.Len(t, b.events(history.SignalReceived), 100)
	})
}
