package flowlua

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/activity"
)

// heartbeats are those of one attempt. What is reported is throttled: the first at once, then at most one every
// min(80 % of the timeout, 30 s), always the newest.
type heartbeats struct {
	details  json.RawMessage // newest details; one JSON value
	last     time.Time       // when the newest came
	reported time.Time       // when details were last reported
	pending  bool            // the newest have not been
	window   *alarm          // when they will be
	silence  *alarm          // the heartbeat timeout
}

// Heartbeat says that the activity is alive and how far it has come: details is any value JSON can carry, and is what
// the next attempt gets from [HeartbeatDetails] and a TimeoutError shows. It costs little, reports are throttled by the
// engine. The error is ErrCancelled once cancellation was asked for, ErrClosed when the engine closes (the activity is performed
// again by who takes the run up, with the newest details), else the reason why the activity's time is up;
// return it when there is nothing to clean up. Details that JSON cannot carry are logged and left out: a heartbeat never
// makes an activity fail.
func Heartbeat(ctx context.Context, details any) error {
	a, err := attemptOf(ctx, "heartbeat")
	if err != nil {
		return err
	}
	text, err := activity.EncodeValue(details)
	if err != nil {
		a.task.run.engine.log.Warn("heartbeat details left out", "activity", a.task.name, "error", err)
		text = nil
	}
	return a.heartbeat(text)
}

// HeartbeatDetails fills the pointer out with the last details of the attempt before, and reports whether there were any.
func HeartbeatDetails(ctx context.Context, out any) (bool, error) {
	a, err := attemptOf(ctx, "heartbeat details")
	if err != nil || a.before == nil {
		return false, err
	}
	if err := activity.Decode(payload(a.before), out); err != nil {
		return false, fmt.Errorf("flowlua: heartbeat details: %w", err)
	}
	return true, nil
}

// heartbeat takes a heartbeat; nil details keep the ones before.
func (a *attempt) heartbeat(details json.RawMessage) error {
	if err := a.stopped(); err != nil {
		return err
	}
	t := a.task
	t.mu.Lock()
	defer t.mu.Unlock()
	if a.over {
		return errAttemptEnded
	}
	now := time.Now()
	if a.beats == nil {
		a.beats = &heartbeats{}
	}
	b := a.beats
	b.last = now
	if details != nil {
		b.details = details
	}
	window := heartbeatWindow(t.options.Heartbeat)
	switch {
	case b.reported.IsZero() || now.Sub(b.reported) >= window:
		a.report(now)
	case !b.pending:
		b.pending = true
		b.window = t.run.engine.alarms.add(b.reported.Add(window), a.openWindow)
	}
	return nil
}

func heartbeatWindow(timeout time.Duration) time.Duration {
	const most = 30 * time.Second
	if timeout <= 0 {
		return most
	}
	return min(timeout*8/10, most)
}

// report makes the newest details known outside. The task is locked.
func (a *attempt) report(now time.Time) {
	b := a.beats
	b.reported, b.pending = now, false
	if b.details != nil && !a.over {
		a.task.store(time.Time{})
	}
	if observe := a.task.run.engine.config.Observer.Heartbeat; observe != nil {
		observe(a.info(), b.details)
	}
}

func (a *attempt) openWindow() {
	a.task.mu.Lock()
	defer a.task.mu.Unlock()
	if a.beats.pending && !a.over {
		a.report(time.Now())
	}
}

// endHeartbeats flushes. The task is locked.
func (a *attempt) endHeartbeats(alarms *alarms) {
	b := a.beats
	if b == nil {
		return
	}
	if b.pending {
		a.report(time.Now())
	}
	alarms.drop(b.window)
	alarms.drop(b.silence)
	if b.details != nil {
		a.task.details = b.details
	}
}

// silent is called a heartbeat timeout after the start or after what was then the newest heartbeat.
func (a *attempt) silent() {
	t := a.task
	t.mu.Lock()
	timeout := t.options.Heartbeat
	if due := a.beats.last.Add(timeout); !a.over && !a.beats.last.IsZero() && due.After(time.Now()) {
		a.beats.silence = t.run.engine.alarms.add(due, a.silent)
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	t.timedOut("heartbeat", a)
}

var errAttemptEnded = errors.New("flowlua: the attempt of the activity has ended")
