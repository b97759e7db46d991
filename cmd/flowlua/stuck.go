package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/workflow"
)

// underway counts what can still wake the runs of an engine: their open activities, timers, children and signals on their
// way. A run that waits while nothing is under way waits for somebody from outside, and in memory for ever.
type underway struct {
	idle chan struct{} // gets one when nothing is under way after a turn

	mu   sync.Mutex
	open map[operation]bool
}

type operation struct {
	run history.Ref
	op  string
}

func newUnderway() *underway {
	return &underway{idle: make(chan struct{}, 1), open: map[operation]bool{}}
}

// turn is told of each turn of the engine.
func (u *underway) turn(run history.Ref, turn history.Turn) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range turn.Decisions {
		switch d := &turn.Decisions[i]; d.Kind {
		case history.ActivityScheduled, history.TimerStarted, history.ChildStarted, history.SignalSent:
			u.open[operation{run, d.Op}] = true
		case history.TimerCancelled:
			delete(u.open, operation{run, d.Op})
		case history.RunContinued: // the next has not begun
			u.open[operation{run: history.Ref{ID: run.ID, Number: run.Number + 1}}] = true
		}
	}
	for i := range turn.Events {
		switch ev := &turn.Events[i]; ev.Kind {
		case history.ActivityCompleted, history.ActivityFailed, history.TimerFired, history.ChildCompleted, history.ChildFailed,
			history.SignalDelivered, history.SignalFailed:
			delete(u.open, operation{run, ev.Op})
		case history.RunStarted:
			delete(u.open, operation{run: run})
		}
	}
	if len(u.open) == 0 {
		select {
		case u.idle <- struct{}{}:
		default:
		}
	}
}

// watched adds the count to what an observer is told.
func (u *underway) watched(o flowlua.Observer) flowlua.Observer {
	shown := o.Turn
	o.Turn = func(run history.Ref, turn history.Turn) {
		if shown != nil {
			shown(run, turn)
		}
		u.turn(run, turn)
	}
	return o
}

// sayStuck says what a run waits for that nothing under way will bring, unless that has been said.
func (d *driver) sayStuck(id, said string) string {
	nodes, err := d.engine.Dump(context.Background(), id)
	if err != nil {
		return said
	}
	text := stuck(nodes, d.waker(id))
	if text != "" && text != said {
		d.view.say(text)
	}
	return text
}

// waker is who can wake a run that nothing under way will wake.
func (d *driver) waker(id string) string {
	switch {
	case d.inMemory():
		return ", which will wait for ever; interrupt to cancel it"
	case d.follows:
		return " but somebody from outside: " + d.command("signal", id, "NAME")
	}
	return " but somebody from outside: " + d.command("signal", id, "NAME") + ", or interrupt to cancel it"
}

// stuck tells what a run waits for that nothing under way will bring; "" if it waits for nothing.
func stuck(nodes []scheduler.Node, waker string) string {
	var lines []string
	for _, wait := range workflow.Waits(nodes) {
		lines = append(lines, "  waiting "+wait)
	}
	const most = 10
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("  and %d more", len(lines)-most))
	}
	if len(lines) == 0 {
		return ""
	}
	return "flowlua: nothing is under way that could wake this run" + waker + "\n" + strings.Join(lines, "\n")
}
