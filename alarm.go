package flowlua

import (
	"container/heap"
	"sync"
	"time"
)

// alarms call functions at their time, in order of time and then of setting. One runtime timer serves all of them, set
// to the earliest, so an idle engine has no goroutine. The zero value is ready.
type alarms struct {
	mu      sync.Mutex
	heap    alarmHeap
	seq     uint64
	timer   *time.Timer
	set     time.Time // when timer goes off; zero: not set
	stopped bool
}

// alarm is a function that is to be called once. The zero value is not set.
type alarm struct {
	at    time.Time
	seq   uint64
	place int // index in the heap from 1; 0: not in it
	call  func()
}

// add sets an alarm. call must not block.
func (a *alarms) add(at time.Time, call func()) *alarm {
	al := &alarm{at: at, call: call}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return al
	}
	a.seq++
	al.seq = a.seq
	heap.Push(&a.heap, al)
	a.reset()
	return al
}

// drop takes an alarm back; nil and what has gone off are fine. Its function may just be about to be called.
func (a *alarms) drop(al *alarm) {
	if al == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if al.place > 0 && !a.stopped {
		heap.Remove(&a.heap, al.place-1)
	}
}

// reset sets the runtime timer to the earliest alarm, if that is earlier than what it is set to.
func (a *alarms) reset() {
	if len(a.heap) == 0 || a.stopped {
		return
	}
	first := a.heap[0].at
	if !a.set.IsZero() && !first.Before(a.set) {
		return
	}
	a.set = first
	wait := max(time.Until(first), 0)
	if a.timer == nil {
		a.timer = time.AfterFunc(wait, a.ring)
	} else {
		a.timer.Reset(wait)
	}
}

// ring calls what is due.
func (a *alarms) ring() {
	a.mu.Lock()
	var due []*alarm
	for now := time.Now(); len(a.heap) > 0 && !a.stopped && !a.heap[0].at.After(now); {
		due = append(due, heap.Pop(&a.heap).(*alarm))
	}
	a.mu.Unlock()
	for _, al := range due {
		al.call()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.set = time.Time{}
	a.reset()
}

func (a *alarms) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	a.heap = nil
	if a.timer != nil {
		a.timer.Stop()
	}
}

type alarmHeap []*alarm

func (h alarmHeap) Len() int { return len(h) }
func (h alarmHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].seq < h[j].seq
	}
	return h[i].at.Before(h[j].at)
}
func (h alarmHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i+1, j+1
}
func (h *alarmHeap) Push(x any) {
	al := x.(*alarm)
	al.place = len(*h) + 1
	*h = append(*h, al)
}
func (h *alarmHeap) Pop() any {
	old := *h
	al := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	al.place = 0
	return al
}
