package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/flowlua/flowlua/history"
)

// never is when a run wakes that waits for somebody else. It has as many bytes as any other time, so that a row need not move.
const never = math.MaxInt64

// statuses by their number in the file.
var statuses = [...]history.Status{history.Open, history.Completed, history.Failed, history.Cancelled, history.Continued}

// columns of a run, in the order of toRun. An open one has a row in open.
const columns = `r.id, r.number, r.format, r.workflow, r.program, r.created, r.parent_id, r.parent_number, r.parent_op, r.on_parent_close,
	r.status, r.closed, r.input, r.state, r.result, r.failure, coalesce(o.turns, r.turns), coalesce(o.wake, 9223372036854775807),
	coalesce(o.owner, 0), coalesce(o.halted, '')`

func toRun(v []driver.Value) (history.Run, error) {
	if format := integer(v[2]); format > history.Format {
		return history.Run{}, fmt.Errorf("history: run %q is written in format %d by a newer release, this one reads up to %d: use the newer one", text(v[0]), format, history.Format)
	}
	status := integer(v[10])
	if status < 0 || status >= int64(len(statuses)) {
		return history.Run{}, fmt.Errorf("history: run %q has status %d, expected one from 0 to %d: the file is damaged", text(v[0]), status, len(statuses)-1)
	}
	run := history.Run{
		Ref:      history.Ref{ID: text(v[0]), Number: int(integer(v[1]))},
		Workflow: text(v[3]), Program: text(v[4]), Created: toTime(integer(v[5])),
		Status: statuses[status],
		Input:  raw(v[12]), State: raw(v[13]), Result: raw(v[14]),
		Turns: integer(v[16]), Wake: toTime(integer(v[17])), Owner: integer(v[18]), Halted: text(v[19]),
	}
	if v[6] != nil {
		run.Parent = &history.Parent{Ref: history.Ref{ID: text(v[6]), Number: int(integer(v[7]))}, Op: text(v[8]), OnParentClose: text(v[9])}
	}
	if v[11] != nil {
		run.Closed = toTime(integer(v[11]))
	}
	if data := raw(v[15]); data != nil {
		var err error
		if run.Failure, err = history.DecodeFailure(data); err != nil {
			return run, fmt.Errorf("%w (of run %q)", err, run.ID)
		}
	}
	return run, nil
}

// fromTime gives the number of a time. One that is too far away for it is never.
func fromTime(t time.Time) int64 {
	switch {
	case t.IsZero(), t.Year() > 2261:
		return never
	case t.Year() < 1678:
		return math.MinInt64
	}
	return t.UnixNano()
}

func toTime(ns int64) time.Time {
	if ns == never {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

// orNull is what is bound for bytes, of which none are NULL.
func orNull(data []byte) any {
	if len(data) == 0 {
		return nil
	}
	return data
}

func integer(v driver.Value) int64 {
	n, _ := v.(int64)
	return n
}

func text(v driver.Value) string {
	s, _ := v.(string)
	return s
}

func raw(v driver.Value) json.RawMessage {
	b, _ := v.([]byte)
	return b
}

func failureBytes(f *history.Failure) (any, error) {
	if f == nil {
		return nil, nil
	}
	return history.EncodeFailure(f)
}

func statusNumber(s history.Status) int64 {
	for i, known := range statuses {
		if s == known {
			return int64(i)
		}
	}
	return -1
}
