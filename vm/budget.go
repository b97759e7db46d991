package vm

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// budget counts what a run uses. It is the context of all its threads: loop takes one from it for each instruction, and where
// gopher-lua's own loop is used, that asks the context's Done before each. Done never answers; when the budget is spent it
// panics.
type budget struct {
	context.Context
	state   *State
	slice   int64 // instructions until the next look at the clock
	each    int64 // a glance is due when slice has none of these bits: 7, and 0 while lines are counted
	rest    int64 // what is left after the slice
	allowed int64 // in a turn
	granted int64 // in this one
	turn    time.Duration
	started time.Time             // of the turn; zero until its first slice ends
	stop    atomic.Pointer[error] // set by Interrupt
	output  int64                 // bytes that may still be printed
	turns   int
	memory  memory
	watch   watch
}

const (
	sliceSize  = 16 << 10 // instructions between two looks at the clock and at memory: about 0.2 ms
	firstSlice = 256      // of a turn: most end within it, and cost nothing to watch

	unseenTurns = 64 // of so many short turns, one is looked at
)

func newBudget(s *State, l Limits) *budget {
	b := &budget{Context: context.Background(), state: s, each: 7, allowed: l.Instructions, turn: l.Turn}
	if s.config.Cover != nil {
		b.each = 0
	}
	b.refill(b.allowed)
	return b
}

func (b *budget) refill(granted int64) {
	b.granted = granted
	b.started = time.Time{}
	b.output = b.state.limits.Output
	b.memory.claimed = 0
	b.turns++
	if b.turns%unseenTurns == 0 {
		b.cut(granted, 0)
	} else {
		b.cut(granted, firstSlice)
	}
}

func (b *budget) cut(left, size int64) {
	b.slice = min(left, size)
	b.rest = left - b.slice
}

// Done counts one instruction.
func (b *budget) Done() <-chan struct{} {
	b.slice--
	b.state.deepen()
	b.tick()
	return nil
}

// tick comes after an instruction was counted.
func (b *budget) tick() {
	if b.slice&b.each == 0 {
		b.glance()
	}
	if b.slice < 0 {
		b.look()
	}
}

// glance is what every eighth instruction is for.
func (b *budget) glance() {
	if b.each == 0 {
		b.state.cover()
	}
	if b.watch.due.Load() {
		b.look()
	}
}

func (b *budget) charge(n int64) {
	before := b.slice
	b.slice -= n
	if before>>3 != b.slice>>3 { // tick may not see the eighth: with the same charges each time, never
		b.glance()
	}
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
		b.exceeded("Instructions", strconv.FormatInt(b.granted, 10)+" in one turn")
	}
	now := time.Now()
	if b.started.IsZero() {
		b.started = now
	}
	if now.Sub(b.started) > b.turn {
		b.exceeded("Turn", b.turn.String())
	}
	b.watch.start()
	b.cut(left, sliceSize)
	b.state.weigh()
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

// Limits are those of the state, with defaults where Config has none.
func (s *State) Limits() Limits { return s.limits }

// Exceed stops the script because it used more than a limit allows: it panics with *LimitError.
func (s *State) Exceed(limit, value string) { s.budget.exceeded(limit, value) }

// ChargeOutput takes n bytes from what the script may print in a turn. It panics with *LimitError when that is spent.
func (s *State) ChargeOutput(n int) {
	s.budget.output -= int64(n)
	if s.budget.output < 0 {
		s.budget.exceeded("Output", strconv.FormatInt(s.limits.Output, 10)+" bytes in one turn")
	}
	s.ChargeString(n)
}

// chargeText pays for reading or copying a text.
func (s *State) chargeText(v lua.LValue) {
	if text, ok := v.(lua.LString); ok {
		s.Charge(int64(len(text) / bytesPerCharge))
	}
}

// Refill gives the budget of a new turn.
func (s *State) Refill() { s.budget.refill(s.budget.allowed) }

// RefillUpTo is Refill for what is to take no more than so many instructions.
func (s *State) RefillUpTo(n int64) { s.budget.refill(min(n, s.budget.allowed)) }

// Interrupt makes the running script panic with err within some thousand instructions, as an engine error. It may be
// called from another goroutine; it holds for the rest of the state's life.
func (s *State) Interrupt(err error) { s.budget.stop.Store(&err) }
