package vm

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"
)

// budget counts what a run uses. It is the context of all its threads, because the interpreter asks the context's Done
// before each instruction: the only hook there is. Done never answers; when the budget is spent it panics.
type budget struct {
	context.Context
	state   *State
	slice   int64 // instructions until the next look at the clock
	rest    int64 // what is left after the slice
	allowed int64
	turn    time.Duration
	started time.Time             // of the turn; zero until its first slice ends
	stop    atomic.Pointer[error] // set by Interrupt
}

// sliceSize is how many instructions pass between two looks at the clock: about 0.1 ms.
const sliceSize = 16 << 10

func newBudget(s *State, l Limits) *budget {
	b := &budget{Context: context.Background(), state: s, allowed: l.Instructions, turn: l.Turn}
	b.refill()
	return b
}

func (b *budget) refill() {
	b.started = time.Time{}
	b.slice, b.rest = 0, b.allowed
	b.cut(b.allowed)
}

func (b *budget) cut(left int64) {
	b.slice = min(left, sliceSize)
	b.rest = left - b.slice
}

// Done counts one instruction.
func (b *budget) Done() <-chan struct{} {
	b.slice--
	if b.slice&7 == 0 {
		b.state.deepen()
	}
	if b.slice < 0 {
		b.look()
	}
	return nil
}

func (b *budget) charge(n int64) {
	b.slice -= n
	if b.slice < 0 {
		b.look()
	}
}

func (b *budget) look() {
	left := b.rest + b.slice
	if stop := b.stop.Load(); stop != nil {
		panic(*stop)
	}
	if left < 0 {
		b.slice, b.rest = 0, 0
		b.exceeded("Instructions", strconv.FormatInt(b.allowed, 10)+" in one turn")
	}
	now := time.Now()
	if b.started.IsZero() {
		b.started = now
	}
	if now.Sub(b.started) > b.turn {
		b.exceeded("Turn", b.turn.String())
	}
	b.cut(left)
}

func (b *budget) exceeded(limit, value string) {
	panic(&LimitError{Limit: limit, Value: value, Frames: b.state.frames()})
}

// Charge takes n instructions' worth from the budget: library functions pay by the size of what they do, about one for
// each 16 bytes or item. It panics with *LimitError when the budget is spent.
func (s *State) Charge(n int64) {
	if n > 0 {
		s.budget.charge(n)
	}
}

// Refill gives the budget of a new turn.
func (s *State) Refill() { s.budget.refill() }

// Interrupt makes the running script panic with err within some thousand instructions, as an engine error. It may be
// called from another goroutine; it holds for the rest of the state's life.
func (s *State) Interrupt(err error) { s.budget.stop.Store(&err) }
