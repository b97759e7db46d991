package vm

import (
	"runtime"
	"runtime/metrics"
	"strconv"
)

// memory says when a run is to be weighed. The process's heap is read at each look, which costs little; only when it has
// grown is the run's own part found out, by going through its values. So a run pays for what it holds, not for what
// others do or what the garbage collector has not come to yet.
type memory struct {
	sample [1]metrics.Sample
	low    uint64 // heap of the process when the run was last weighed, or less since
	step   uint64 // growth above it at which it is weighed again
	held   int64  // when last weighed
	seen   int    // values and such that were looked at then

	claimed int64  // bytes that Go has said it holds, since the turn began or it was found to be less
	base    uint64 // heap of the process then
}

const heapMetric = "/memory/classes/heap/objects:bytes"

func heap(sample *[1]metrics.Sample) uint64 {
	sample[0].Name = heapMetric
	metrics.Read(sample[:])
	return sample[0].Value.Uint64()
}

// weigh panics with *LimitError when the run holds more than it may.
func (s *State) weigh() {
	m := &s.budget.memory
	now := heap(&m.sample)
	if m.step == 0 {
		m.low, m.step = now, uint64(s.limits.Memory/4)
	}
	m.low = min(m.low, now)
	if now-m.low < m.step {
		return
	}
	m.held = s.Held()
	if m.held > s.limits.Memory {
		s.budget.exceeded("Memory", strconv.FormatInt(s.limits.Memory, 10)+" bytes")
	}
	// Weighing takes as long as making what is weighed, so it comes less often when there is much; but near the limit
	// every growth counts.
	m.low = now
	m.step = uint64(min(max(s.limits.Memory/4, m.held), s.limits.Memory-m.held+s.limits.Memory/8))
}

// Hold says that Go begins to hold about n bytes because of the script, for as long as Go likes. When that is more than the
// run may hold, and the process has indeed grown by as much, it panics with *LimitError.
func (s *State) Hold(n int64) {
	m := &s.budget.memory
	if m.claimed == 0 {
		m.base = heap(&m.sample)
	}
	m.claimed += n
	if m.claimed <= s.limits.Memory {
		return
	}
	s.budget.charge(collection)
	runtime.GC()
	m.claimed = max(1, int64(heap(&m.sample))-int64(m.base)) // the rest is gone already
	if m.claimed > s.limits.Memory {
		s.budget.exceeded("Memory", strconv.FormatInt(s.limits.Memory, 10)+" bytes")
	}
}

// Held is about how many bytes the run's values take: what can be reached from globals, modules and running or waiting code.
// It stops counting above Limits.Memory. Values that only Go holds are not counted: Inside and Hold are for
// these.
func (s *State) Held() int64 {
	m := &s.budget.memory
	c := &census{limit: s.limits.Memory, inside: s.Inside}
	c.seen.expect(m.seen)
	defer func() { m.seen = c.seen.n }()
	c.add(s.main.G.Global)
	c.add(s.main.G.Registry)
	for _, v := range s.modules.loaded {
		c.add(v)
	}
	for _, n := range s.sessions {
		for _, cell := range n.cells {
			c.add(cell.Value())
		}
	}
	for t := s.used; t != nil; t = t.older {
		c.thread(t)
	}
	return c.count()
}
