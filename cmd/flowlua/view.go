package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// view shows a run on the error stream while it runs: as a tree on a terminal, else as lines, or as a trace of its events.
// What the script prints goes through it, so that the two do not mix.
type view struct {
	streams streams
	print   io.Writer // where the script's print goes
	trace   bool
	quiet   bool
	watch   progress.Watch

	mu      sync.Mutex
	lost    error            // why something that the script printed could not be written
	screen  *progress.Screen // nil: no tree is drawn
	started time.Time
	stop    chan struct{}
	stopped chan struct{}
}

func newView(s streams, print io.Writer, quiet, trace bool) *view {
	v := &view{streams: s, print: print, quiet: quiet, trace: trace, started: time.Now()}
	out := terminal(s.Err)
	switch {
	case trace || quiet:
	case out != nil:
		v.screen = &progress.Screen{Out: s.Err, Size: func() (int, int) {
			columns, rows, _ := term.GetSize(int(out.Fd()))
			return columns, rows
		}}
		v.stop, v.stopped = make(chan struct{}), make(chan struct{})
		go v.redraw()
	default:
		v.watch.Line = v.say
	}
	return v
}

// observer is what the view wants to be told by the engine.
func (v *view) observer() flowlua.Observer {
	switch {
	case v.trace:
		return flowlua.Observer{
			Turn: func(run history.Ref, turn history.Turn) {
				for _, line := range progress.Trace(run, turn, v.started) {
					v.say(line)
				}
			},
			Attempt: func(a flowlua.Attempt, failure *flowlua.Error, next time.Time) {
				v.say(seen(a, failure, next).Trace(v.started))
			},
		}
	case v.quiet:
		return flowlua.Observer{}
	}
	return flowlua.Observer{
		Turn: v.watch.Turn,
		Attempt: func(a flowlua.Attempt, failure *flowlua.Error, next time.Time) {
			v.watch.Attempt(seen(a, failure, next))
		},
	}
}

// before shows what a run has done until now, which is not told as news.
func (v *view) before(run history.Ref, turn history.Turn) {
	if v.trace || v.quiet {
		return
	}
	line := v.watch.Line
	v.watch.Line = nil
	v.watch.Turn(run, turn)
	v.watch.Line = line
}

func seen(a flowlua.Attempt, failure *flowlua.Error, next time.Time) progress.Attempt {
	return progress.Attempt{Run: a.WorkflowID, Op: a.Op, Number: a.Number, At: time.Now(), Failure: failure.Failure(), Again: next}
}

// Write takes what the script prints.
func (v *view) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.screen != nil {
		v.screen.Clear()
		defer v.draw()
	}
	n, err := v.print.Write(p)
	if v.lost == nil {
		v.lost = err
	}
	return n, err
}

// say writes a line about the run.
func (v *view) say(line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.screen != nil {
		v.screen.Clear()
		defer v.draw()
	}
	fmt.Fprintln(v.streams.Err, line)
}

// redraw draws ten times a second, less often when the tree is so large that this takes long.
func (v *view) redraw() {
	defer close(v.stopped)
	const pause = 100 * time.Millisecond
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-v.stop:
			return
		case <-timer.C:
			v.mu.Lock()
			start := time.Now()
			v.draw()
			timer.Reset(max(pause, 10*time.Since(start)))
			v.mu.Unlock()
		}
	}
}

func (v *view) draw() {
	columns, rows := v.screen.Size()
	v.screen.Draw(v.watch.Lines(time.Now(), progress.Style{Width: columns, Height: rows - 1, Color: v.streams.color()}))
}

// close leaves the tree as it is at the end.
func (v *view) close() {
	if v.screen == nil {
		return
	}
	close(v.stop)
	<-v.stopped
	v.mu.Lock()
	defer v.mu.Unlock()
	v.draw()
	v.screen = nil
}
