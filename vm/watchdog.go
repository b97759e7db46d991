package vm

import (
	"sync/atomic"
	"time"
)

// watch makes a run look at the clock and at memory every watchEvery, as an instruction may take long: comparing or
// indexing by strings of megabytes. It is a timer, which runs only while Lua code does, and only in turns that have used
// their first slice: most turns never see it.
type watch struct {
	due     atomic.Bool
	timer   *time.Timer
	running bool
}

const watchEvery = 2 * time.Millisecond

func (w *watch) start() {
	w.due.Store(false)
	switch {
	case w.timer == nil:
		w.timer = time.AfterFunc(watchEvery, func() { w.due.Store(true) })
	default:
		w.timer.Reset(watchEvery)
	}
	w.running = true
}

// stop is called whenever the run waits or ends.
func (w *watch) stop() {
	if w.running {
		w.timer.Stop()
		w.running = false
		w.due.Store(false)
	}
}
