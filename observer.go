package flowlua

import (
	"encoding/json"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Observer is told what happens in an engine. Functions that are nil are not called. They are called where it happens,
// so they must be quick, may run at the same time for different runs, and must not wait for a run.
type Observer struct {
	// Turn: a turn of a run has been committed.
	Turn func(run Ref, turn Turn)
	// Attempt: a worker has taken an activity (failure is nil), or an attempt has failed and the next will be made at
	// that time. The outcome of an activity is in a turn.
	Attempt func(attempt Attempt, failure *Error, next time.Time)
	// Heartbeat: an activity has reported details, one JSON value; throttled.
	Heartbeat func(attempt Attempt, details json.RawMessage)
	// Left: a run that was taken up is left alone, as it needs activities that this engine does not have. The error is a
	// *MissingActivityError.
	Left func(run Ref, missing error)
}

func (e *Engine) observeStart(a *attempt) {
	if observe := e.config.Observer.Attempt; observe != nil {
		observe(a.info(), nil, time.Time{})
	}
}

func (e *Engine) observeFailure(t *task, f *history.Failure, next time.Time) {
	if observe := e.config.Observer.Attempt; observe != nil {
		observe(t.info(t.number), errorFrom(f), next)
	}
}
