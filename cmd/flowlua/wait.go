package main

import (
	"context"
	"errors"
	"time"

	"github.com/flowlua/flowlua"
)

// stop says why a run was asked to end before its time.
type stop int

const (
	unstopped stop = iota
	timedOut
	interrupted
	killed
)

// wait waits for the end of the run. A timeout or the first interrupt cancels it, and it may clean up; the second interrupt
// ends the wait. When nothing is under way any more, it says what the run waits for.
func (d *driver) wait(run *flowlua.Run) (stop, error) {
	s, engine, timeout, say := d.streams, d.engine, d.options.timeout, d.view.say
	var deadline <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		deadline = timer.C
	}
	done := make(chan error, 1)
	go func() { done <- run.Result(context.Background()) }()
	why, said := unstopped, ""
	cancel := func(reason string) error {
		err := engine.Cancel(context.Background(), run.ID(), reason)
		if errors.Is(err, flowlua.ErrNotOpen) {
			return nil // it ended in the meantime
		}
		return err
	}
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
			nodes, err := engine.Dump(context.Background(), run.ID())
			if text := stuck(nodes, d.telling(run.ID())); err == nil && text != said {
				if text != "" {
					say(text)
				}
				said = text
			}
		case <-deadline:
			why = timedOut
			if err := cancel("timeout"); err != nil {
				return why, err
			}
		case <-s.Interrupts:
			if why == interrupted {
				return killed, nil
			}
			why = interrupted
			say("flowlua: interrupted: the run is cancelled and cleans up; interrupt again to kill")
			if err := cancel("interrupted"); err != nil {
				return why, err
			}
		}
	}
}
