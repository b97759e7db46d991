package workflow

import (
	"sync"

	"github.com/flowlua/flowlua/vm"
)

// interrupt is the one thing of an execution that another goroutine may touch.
type interrupt struct {
	mu    sync.Mutex
	err   error
	state *vm.State // nil before the first turn
}

// Interrupt makes the turn that is under way, or the next one, end with err as an engine error: the execution is of no
// further use then. It may be called from another goroutine.
func (e *Execution) Interrupt(err error) {
	e.interrupt.mu.Lock()
	defer e.interrupt.mu.Unlock()
	e.interrupt.err = err
	if e.interrupt.state != nil {
		e.interrupt.state.Interrupt(err)
	}
}

// watch lets an interruption, of before or from now on, reach the state.
func (i *interrupt) watch(s *vm.State) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.state = s
	if i.err != nil {
		s.Interrupt(i.err)
	}
}
