package flowlua_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
)

// bed is an engine under test. It runs in a bubble of synctest, so that hours pass at once, and replays every run after
// every turn.
type bed struct {
	t *testing.T
	*flowlua.Engine
	printed *bytes.Buffer
	mu      sync.Mutex
	log     bytes.Buffer
}

const prelude = `local flow = require "flow"
`

// in runs test with an engine whose script, flow.lua, is source after the line that requires flow: once with runs that stay in
// memory, and once with every idle run evicted and rebuilt from its history when something happens.
func in(t *testing.T, source string, test func(t *testing.T, b *bed)) {
	t.Helper()
	inWith(t, source, flowlua.Config{}, test)
}

func inWith(t *testing.T, source string, config flowlua.Config, test func(t *testing.T, b *bed)) {
	t.Helper()
	for name, cache := range map[string]int{"kept": 0, "evicted": -1} {
		config.Cache = cache
		t.Run(name, func(t *testing.T) { inOne(t, source, config, test) })
	}
}

func inOne(t *testing.T, source string, config flowlua.Config, test func(t *testing.T, b *bed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bed{t: t, printed: new(bytes.Buffer)}
		config.Scripts = fstest.MapFS{"flow.lua": {Data: []byte(prelude + source)}}
		config.Print = b.printed
		config.Verify = true
		config.Logger = slog.New(slog.NewTextHandler(b, nil))
		var err error
		b.Engine, err = flowlua.Open(":memory:", config)
		require.NoError(t, err)
		defer func() { require.NoError(t, b.Close(context.Background())) }()
		test(t, b)
	})
}

// Write takes the engine's log.
func (b *bed) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.Write(p)
}

func (b *bed) activity(name string, fn any) {
	b.t.Helper()
	require.NoError(b.t, b.RegisterActivity(name, fn))
}

// start starts the script's only workflow, or the one of that name.
func (b *bed) start(workflow string, args ...any) *flowlua.Run {
	b.t.Helper()
	run, err := b.Start(b.t.Context(), workflow, flowlua.Args(args), flowlua.StartOptions{ID: "run", Script: "flow.lua"})
	require.NoError(b.t, err)
	return run
}

// result runs it to its end and gives the results as JSON.
func (b *bed) result(args ...any) string {
	b.t.Helper()
	return b.wait(b.start("", args...))
}

func (b *bed) wait(run *flowlua.Run) string {
	b.t.Helper()
	if err := run.Result(b.t.Context()); err != nil {
		b.t.Fatalf("run failed: %v\n%s", err, b.log.String())
	}
	info, err := b.Get(b.t.Context(), run.ID())
	require.NoError(b.t, err)
	return string(info.Result)
}

// failure runs it to its failure.
func (b *bed) failure(args ...any) *flowlua.Error {
	b.t.Helper()
	return failureOf(b.t, b.start("", args...))
}

func failureOf(t *testing.T, run *flowlua.Run) *flowlua.Error {
	t.Helper()
	err := run.Result(t.Context())
	var failed *flowlua.Error
	require.ErrorAs(t, err, &failed)
	return failed
}

// kinds are the kinds of all events and decisions of the run, in order.
func (b *bed) kinds() []history.Kind {
	var kinds []history.Kind
	for turn, err := range b.History(b.t.Context(), history.Ref{ID: "run"}) {
		require.NoError(b.t, err)
		for _, ev := range slices.Concat(turn.Events, turn.Decisions) {
			kinds = append(kinds, ev.Kind)
		}
	}
	return kinds
}

// find gives the events and decisions of a kind.
func (b *bed) events(kind history.Kind) []history.Event {
	var found []history.Event
	for turn, err := range b.History(b.t.Context(), history.Ref{ID: "run"}) {
		require.NoError(b.t, err)
		for _, ev := range slices.Concat(turn.Events, turn.Decisions) {
			if ev.Kind == kind {
				found = append(found, ev)
			}
		}
	}
	return found
}

func TestResultOfAnActivity(t *testing.T) {
	in(t, `
		local add = flow.activity("add")
		flow.workflow("sum", function(a, b)
			local s = add(a, b)            -- a promise, given to the next call as it is
			return add(s, 1):await(), "x"
		end)`, func(t *testing.T, b *bed) {
		b.activity("add", func(a, b int) (int, error) { return a + b, nil })
		run := b.start("sum", 1, 2)
		var sum int
		var text string
		require.NoError(t, run.Result(t.Context(), &sum, &text))
		require.Equal(t, 4, sum)
		require.Equal(t, "x", text)
		require.NoError(t, run.Result(t.Context(), nil, &text))
		info, err := b.Get(t.Context(), "run")
		require.NoError(t, err)
		require.Equal(t, history.Completed, info.Status)
		require.JSONEq(t, `[1,2]`, string(info.Input))
		require.Equal(t, `[4,"x"]`, string(info.Result))
	})
}

func TestInputForms(t *testing.T) {
	type order struct {
		ID int `json:"id"`
	}
	for name, c := range map[string]struct {
		input any
		want  string
	}{
		"none":    {nil, `[0]`},
		"value":   {order{7}, `[1,{"id":7}]`},
		"several": {flowlua.Args{1, "a"}, `[2,1,"a"]`},
		"no args": {flowlua.Args{}, `[0]`},
		"list":    {[]int{1, 2}, `[1,[1,2]]`},
		"raw":     {json.RawMessage(`{"id":7}`), `[1,{"id":7}]`},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, `flow.workflow("echo", function(...) return select("#", ...), ... end)`, func(t *testing.T, b *bed) {
				run, err := b.Start(t.Context(), "echo", c.input, flowlua.StartOptions{})
				require.NoError(t, err)
				require.Equal(t, c.want, b.wait(run))
			})
		})
	}
}
