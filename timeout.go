package flowlua

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flowlua/flowlua/history"
)

// timedOut ends an attempt, or the task, whose time is up. a is nil for the timeouts that begin with the scheduling. What
// the function of a running attempt makes of it is ignored; its slot is given to another worker.
func (t *task) timedOut(timeout string, a *attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.state == taskEnded, a != nil && t.current != a, timeout == "schedule_to_start" && t.state != taskQueued:
		return // it ended just before
	}
	f := &history.Failure{Name: nameTimeout, Timeout: timeout, Message: timeoutText(t.name, timeout, t.limit(timeout))}
	if cur := t.current; cur != nil {
		if cur.beats != nil {
			f.Details = cur.beats.details
		}
		cur.lose(&TimeoutError{Timeout: timeout, Activity: t.name})
	}
	if timeout == "schedule_to_close" {
		f.Activity = t.name
		t.finish(history.Event{Kind: history.ActivityFailed, Op: t.op, Failure: f})
		return
	}
	t.fail(f)
}

func (t *task) limit(timeout string) time.Duration {
	o := t.options
	switch timeout {
	case "schedule_to_start":
		return o.ScheduleToStart
	case "start_to_close":
		return o.StartToClose
	case "schedule_to_close":
		return o.ScheduleToClose
	}
	return o.Heartbeat
}

func timeoutText(activity, timeout string, d time.Duration) string {
	switch timeout {
	case "schedule_to_start":
		return fmt.Sprintf("activity %s: no worker took it within %v", activity, d)
	case "heartbeat":
		return fmt.Sprintf("activity %s: no heartbeat within %v", activity, d)
	}
	return fmt.Sprintf("activity %s: not done within %v (%s)", activity, d, timeout)
}

// TimeoutError is the cause ([context.Cause]) with which the context of an activity ends when its time is up.
type TimeoutError struct {
	Timeout  string // start_to_close, schedule_to_close, heartbeat
	Activity string
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("flowlua: activity %s: its time is up (%s)", e.Activity, e.Timeout)
}

// lostAttempts are those that have an outcome though their function has not returned.
type lostAttempts struct {
	mu  sync.Mutex
	set map[*attempt]bool
}

func (l *lostAttempts) add(a *attempt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.set == nil {
		l.set = map[*attempt]bool{}
	}
	l.set[a] = true
}

func (l *lostAttempts) remove(a *attempt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.set, a)
}

// String lists the activities.
func (l *lostAttempts) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	count := map[string]int{}
	for a := range l.set {
		count[a.task.name]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		if n := count[name]; n > 1 {
			name = fmt.Sprintf("%s (%d times)", name, n)
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ", ")
}
