package workflow_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// record makes the history of a run of activities, all of which return their argument, without the driver's cost.
func record(b *testing.B, p *workflow.Program, n int) []history.Turn {
	b.Helper()
	e, err := workflow.New(workflow.Config{Program: p, Limits: roomy})
	require.NoError(b, err)
	defer e.Close()
	var turns []history.Turn
	events := []history.Event{{Kind: history.RunStarted, Payload: []byte(fmt.Sprintf("[%d]", n))}}
	now := time.Unix(0, 0)
	for e.Closing().Kind == 0 {
		now = now.Add(time.Second)
		decisions, err := e.Turn(now, events)
		require.NoError(b, err)
		t := history.Turn{Seq: int64(len(turns) + 1), Time: now, Events: events, Decisions: append([]history.Event(nil), decisions...)}
		turns = append(turns, t)
		events = make([]history.Event, 0, len(t.Decisions))
		for _, d := range t.Decisions {
			events = append(events, history.Event{Kind: history.ActivityCompleted, Op: d.Op, Payload: d.Payload})
		}
	}
	return turns
}

// roomy is for the largest fan-outs: half a million open activities hold more than the 64 MB of an ordinary run, and are started in one turn.
var roomy = vm.Limits{Memory: 2 << 30, Instructions: 1e9}

func BenchmarkReplay(b *testing.B) {
	for _, shape := range []struct{ name, script string }{
		{"loop", `local n = ...; for i = 1, n do a(i):await() end`},
		{"fanout", `local n = ...; local list = {}; for i = 1, n do list[i] = a(i) end; for i = 1, n do list[i]:await() end`},
	} {
		p := load(b, preamble+shape.script)
		base := 0.0
		for _, events := range []int{1_000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, events), func(b *testing.B) {
				log := record(b, p, events/2)
				b.ReportAllocs()
				b.ResetTimer()
				for b.Loop() {
					e, err := workflow.Replay(workflow.Config{Program: p, Limits: roomy}, workflow.Turns(log))
					require.NoError(b, err)
					e.Close()
				}
				perEvent := b.Elapsed().Seconds() / float64(b.N) / float64(events)
				if base == 0 {
					base = perEvent
				}
				b.ReportMetric(1/perEvent, "events/s")
				b.ReportMetric(perEvent/base, "x-baseline")
			})
		}
	}
}

// BenchmarkStart is a whole run of a compiled script that needs no outside, against a fresh gopher-lua state with its libraries.
func BenchmarkStart(b *testing.B) {
	p := load(b, `local flow = require "flow"; local x, y = ...; return x + y`)
	events := []history.Event{{Kind: history.RunStarted, Payload: []byte(`[1,2]`)}}
	now := time.Unix(0, 0)
	var own, baseline time.Duration
	b.ReportAllocs()
	for b.Loop() {
		begin := time.Now()
		lua.NewState().Close()
		middle := time.Now()
		e, err := workflow.New(workflow.Config{Program: p})
		if err == nil {
			_, err = e.Turn(now, events)
		}
		if err != nil {
			b.Fatal(err)
		}
		e.Close()
		baseline += middle.Sub(begin)
		own += time.Since(middle)
	}
	b.ReportMetric(float64(own)/float64(b.N), "ns/op")
	b.ReportMetric(float64(own)/float64(baseline), "x-baseline")
	b.ReportMetric(float64(b.N)/own.Seconds(), "runs/s")
}
