package stdlib

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// activityLua is a state as an activity has it, with the error values of the flow module.
type activityLua struct {
	*vm.State
	printed []string
	stdout  strings.Builder
	cancel  context.CancelCauseFunc
	request *Request
	ask     func() // makes it
}

func newActivityLua(t testing.TB, stdin string) *activityLua {
	t.Helper()
	a := &activityLua{}
	a.State = vm.New(vm.Config{
		Absent: map[string]string{},
		Print:  func(line string) { a.printed = append(a.printed, line) },
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	a.cancel = cancel
	asked := make(chan struct{})
	a.request = &Request{Done: func() <-chan struct{} { return asked }}
	a.ask = sync.OnceFunc(func() { close(asked) })
	OpenString(a.State)
	OpenTable(a.State)
	new(errorValues).open(a.State, nil)
	closeFiles := OpenActivity(a.State, ctx, a.request, Streams{Stdin: strings.NewReader(stdin), Stdout: &a.stdout, Stderr: &a.stdout})
	t.Cleanup(func() {
		closeFiles()
		a.Close()
		cancel(nil)
	})
	return a
}

// run runs a chunk and returns its results as text.
func (a *activityLua) run(source string, args ...lua.LValue) ([]string, error) {
	chunk, err := vm.Compile("test.lua", source, vm.Limits{})
	if err != nil {
		return nil, err
	}
	values, err := a.Call(a.Load(chunk), args...)
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.String()
	}
	return texts, err
}

// activityCase is a chunk and what it returns, tab-separated, or the error that it ends with.
type activityCase struct{ source, result, err string }

func (a *activityLua) check(t *testing.T, cases []activityCase, args ...lua.LValue) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.source, func(t *testing.T) {
			got, err := a.run(c.source, args...)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.result, strings.Join(got, "\t"))
		})
	}
}
