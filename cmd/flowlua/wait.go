package main

import (
	"context"
	"errors"
	"time"

	"github.com/flowlua/flowlua"
)

// stop says why the wait for a run ended before its time, or the run was asked to.
type stop int

const (
	unstopped   stop = iota
	timedOut         // the run is cancelled
	interrupted      // the run is cancelled
	killed           // it is left as it is
	terminated       // it is handed back
	unfollowed       // another process drives it, and goes on to do so
)

// wait waits for the end of the run. A timeout or the first interrupt cancels it, and it may clean up; the second interrupt
// ends the wait. A run that another process drives is not cancelled by an interrupt: only the wait ends. When nothing is under
// way any more, it says what the run waits for.
func (d *driver) wait(run *flowlua.Run) (stop, error) {
	s, timeout, say := d.streams, d.options.timeout, d.view.say
	var deadline <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		deadline = timer.C
	}
	done := make(chan error, 1)
	go func() { done <- run.Result(context.Background()) }()
	why, said := unstopped, ""
	var look <-chan time.Time
	if d.follows {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		look = ticker.C
	}
	for {
		select {
		case <-look:
			if d.follows {
				d.takeOver(run.ID())
			}
		case <-done:
			return why, nil
		case <-d.underway.idle:
			said = d.sayStuck(run.ID(), said)
		case <-deadline:
			why = timedOut
			if err := d.cancel(run.ID(), "timeout"); err != nil {
				return why, err
			}
		case <-d.ends:
			if d.follows {
				return unfollowed, nil
			}
			return terminated, nil
		case <-s.Interrupts:
			if d.follows {
				return unfollowed, nil
			}
			if why == interrupted {
				return killed, nil
			}
			why = interrupted
			say("flowlua: interrupted: the run is cancelled and cleans up; interrupt again to kill")
			if err := d.cancel(run.ID(), "interrupted"); err != nil {
				return why, err
			}
		}
	}
}

func (d *driver) cancel(id, reason string) error {
	err := d.engine.Cancel(context.Background(), id, reason)
	if errors.Is(err, flowlua.ErrNotOpen) {
		return nil // it ended in the meantime
	}
	return err
}
