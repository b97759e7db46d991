package stdlib

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// run is one script over a world.
type run struct {
	*world
	state   *vm.State
	tree    *scheduler.Tree
	flow    *Flow
	printed []string
}

var errStuck = errors.New("the run waits for something that will never happen")

func newRun(w *world) *run { return newLimitedRun(w, vm.Limits{}) }

func newLimitedRun(w *world, limits vm.Limits) *run {
	r := &run{world: w}
	r.state = vm.New(vm.Config{Limits: limits, Print: func(line string) { r.printed = append(r.printed, line) }})
	r.tree = scheduler.New(scheduler.Config{Clock: w})
	OpenString(r.state)
	OpenTable(r.state)
	r.flow = OpenFlow(r.state, r.tree, w)
	OpenMath(r.state, r.flow.Random)
	OpenJSON(r.state)
	return r
}

func (r *run) close() {
	r.tree.Stop()
	r.state.Close()
}

// script runs a script to its end. Directives in it say what happens from outside:
//
//	-- signal: 5 name [1,"a"]     a signal after 5 seconds
//	-- cancel: 5 reason           the run is cancelled
func (r *run) script(name, source string, args ...lua.LValue) ([]lua.LValue, error) {
	chunk, err := vm.Compile(name, source, vm.Limits{})
	if err != nil {
		return nil, err
	}
	r.direct(source)
	r.tree.Start("main", nil, r.flow.Body(r.state.Load(chunk), args))
	return r.finish()
}

func (r *run) finish() ([]lua.LValue, error) {
	for {
		r.state.Refill()
		if err := r.tree.Run(); err != nil {
			return nil, err
		}
		if r.tree.Done() {
			break
		}
		if !r.step() {
			return nil, fmt.Errorf("%w:\n%s", errStuck, r.tree.String())
		}
	}
	v, err := r.tree.Result()
	return valuesOf(v), err
}

func (r *run) direct(source string) {
	for line := range strings.Lines(source) {
		var after float64
		if rest, is := strings.CutPrefix(strings.TrimSpace(line), "-- signal: "); is {
			var name, payload string
			if n, _ := fmt.Sscanf(rest, "%g %s %s", &after, &name, &payload); n < 3 {
				payload = "[]"
			}
			r.plan(time.Duration(after*float64(time.Second)), func() {
				if err := r.flow.Signal(name, json.RawMessage(payload)); err != nil {
					panic(err)
				}
			})
		}
		if rest, is := strings.CutPrefix(strings.TrimSpace(line), "-- cancel: "); is {
			var reason string
			_, _ = fmt.Sscanf(rest, "%g %s", &after, &reason)
			r.plan(time.Duration(after*float64(time.Second)), func() { r.tree.Cancel(r.flow.reason(lua.LString(reason))) })
		}
	}
}
