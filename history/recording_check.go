package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Check says what cannot be in a recording: a description that lacks something or is not that of its turns, a script that is not
// the one that the run names, turns that cannot follow each other.
func (rec Recording) Check() error {
	for _, check := range []func() error{rec.readable, rec.checkRun, rec.checkSources, rec.checkTurns, rec.checkEnd} {
		if err := check(); err != nil {
			return notRecorded(err)
		}
	}
	return nil
}

// placed is what the IDs of children have after that of the run which has begun them.
var placed = regexp.MustCompile(`(~[0-9a-f]+)?([/@]\d+[tcf]?(\*\d+)?)+$`)

func (rec Recording) checkRun() error {
	r := &rec.Run
	own := r.ID
	if r.Parent != nil {
		own = placed.ReplaceAllString(own, "")
	}
	if err := CheckID(own); err != nil {
		return fmt.Errorf("run: id: %w", err)
	}
	switch {
	case r.Number < 1:
		return fmt.Errorf("run: number: expected 1 or more, found %d", r.Number)
	case r.Workflow == "":
		return fmt.Errorf("run: workflow: expected its name, found none")
	case r.Created.IsZero():
		return fmt.Errorf("run: created: expected when the run was started, found nothing")
	case !isArray(r.Input):
		return fmt.Errorf("run: input: expected an array of the arguments, found %s", found(r.Input))
	case r.Parent != nil && (r.Parent.ID == "" || r.Parent.Number < 1 || !strings.ContainsAny(r.Parent.Op, "/@")):
		return fmt.Errorf("run: parent: expected id, number and op, found %q, %d and %q", r.Parent.ID, r.Parent.Number, r.Parent.Op)
	}
	return nil
}

func isArray(text json.RawMessage) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) }

func found(text json.RawMessage) string {
	if len(text) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%.60s", text)
}

func (rec Recording) checkSources() error {
	if _, there := rec.Sources.Files[rec.Sources.Main]; !there {
		return fmt.Errorf("sources: expected the file %q, which main names, among the files", rec.Sources.Main)
	}
	if hash := rec.Sources.Hash(); rec.Run.Program != hash {
		return fmt.Errorf("sources: the script has the hash %.12s, the run names %.12q", hash, rec.Run.Program)
	}
	return nil
}

func (rec Recording) checkTurns() error {
	status := Open
	for i := range rec.Turns {
		t := &rec.Turns[i]
		switch {
		case t.Seq != int64(i+1):
			return fmt.Errorf("turn %d: seq: expected %d, found %d", i+1, i+1, t.Seq)
		case t.Time.IsZero():
			return fmt.Errorf("turn %d: time: expected when it was made, found nothing", i+1)
		case i > 0 && t.Time.Before(rec.Turns[i-1].Time):
			return fmt.Errorf("turn %d: time: expected one after that of the turn before, found %v", i+1, t.Time)
		case status != Open:
			return fmt.Errorf("turn %d: comes after the end", i+1)
		}
		if err := rec.checkEvents(t, i); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
		run := Run{Status: status}
		run.Apply(*t)
		status = run.Status
	}
	return nil
}

func (rec Recording) checkEvents(t *Turn, turn int) error {
	for i := range t.Events {
		ev := &t.Events[i]
		switch begins := turn == 0 && i == 0; {
		case ev.Kind.Decision() && ev.Kind != RunTerminated:
			return fmt.Errorf("event %d: expected what happened, found the decision %s", i+1, ev.Kind)
		case begins != (ev.Kind == RunStarted):
			return fmt.Errorf("event %d: expected RunStarted first and once, found %s", i+1, ev.Kind)
		case begins && ev.Name != rec.Run.Workflow:
			return fmt.Errorf("event %d: name: the run is of the workflow %q by its description, of %q by its history", i+1, rec.Run.Workflow, ev.Name)
		case len(ev.Attempts) > 0 && ev.Kind != ActivityCompleted && ev.Kind != ActivityFailed:
			return fmt.Errorf("event %d: attempts: only outcomes of activities have some, found them at %s", i+1, ev.Kind)
		case !ev.Attempts.Ordered():
			return fmt.Errorf("event %d: attempts: expected numbers from 1 on that grow", i+1)
		case begins && !same(ev.Payload, rec.Run.Input):
			return fmt.Errorf("event %d: payload: the input is %s by the description of the run, %s by its history", i+1, found(rec.Run.Input), found(ev.Payload))
		}
	}
	for i := range t.Decisions {
		if d := &t.Decisions[i]; !d.Kind.Decision() {
			return fmt.Errorf("decision %d: expected what was decided, found %s", i+1, d.Kind)
		}
	}
	return nil
}

// same compares values but for spaces between them.
func same(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return false
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}

// checkEnd compares what the run is said to be with what its turns make of it.
func (rec Recording) checkEnd() error {
	r, by := &rec.Run, rec.rebuilt()
	switch {
	case r.Turns != by.Turns:
		return fmt.Errorf("run: turns: expected %d, as many as there are, found %d", by.Turns, r.Turns)
	case r.Status != by.Status:
		return fmt.Errorf("run: the run is %s by its history and %s by its description", by.Status, r.Status)
	case !r.Closed.Equal(by.Closed):
		return fmt.Errorf("run: closed: expected %v, found %v", by.Closed, r.Closed)
	}
	return nil
}
