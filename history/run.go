package history

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// Status is the state of a run.
type Status string

const (
	Open      Status = "open"
	Completed Status = "completed"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
	Continued Status = "continued" // by the next run of the same ID
)

// Ref names one run. Runs that continue each other share the ID and count the Number up from 1.
type Ref struct {
	ID     string `json:"id"`
	Number int    `json:"number"`
}

// Run is what is known of a run beside its turns. A store keeps it up to date by Apply.
type Run struct {
	Ref
	Workflow string          `json:"workflow"`
	Program  string          `json:"program"` // hash of the sources it runs on
	Input    json.RawMessage `json:"input,omitempty"`
	Parent   *Parent         `json:"parent,omitempty"`
	Created  time.Time       `json:"created"`
	Closed   time.Time       `json:"closed,omitzero"`
	Status   Status          `json:"status"`
	State    json.RawMessage `json:"state,omitempty"`   // what the script last gave to flow.status, as [value]
	Result   json.RawMessage `json:"result,omitempty"`  // results when completed, input of the next when continued
	Failure  *Failure        `json:"failure,omitempty"` // when failed or cancelled
	Turns    int64           `json:"turns"`             // how many it has made: the Seq of the last
	Wake     time.Time       `json:"wake,omitzero"`     // when it has something to do even if nothing happens to it; zero: never
	Owner    int64           `json:"owner,omitempty"`   // number of the owner; 0: nobody
	Halted   string          `json:"halted,omitempty"`  // the engine error that has stopped it; "" once it is taken up again
}

// Parent says whose child a run is.
type Parent struct {
	Ref
	Op            string `json:"op"`
	OnParentClose string `json:"on_parent_close,omitempty"`
}

// Apply takes over what a turn says about the run.
func (r *Run) Apply(t Turn) {
	r.Turns = t.Seq
	for i := range t.Decisions {
		d := &t.Decisions[i]
		switch d.Kind {
		case StatusSet:
			r.State = d.Payload
		case RunCompleted:
			r.Status, r.Result = Completed, d.Payload
		case RunFailed:
			r.Status, r.Failure = Failed, d.Failure
		case RunCancelled:
			r.Status, r.Failure = Cancelled, d.Failure
		case RunContinued:
			r.Status, r.Result = Continued, d.Payload
		}
		if d.Kind.Closes() {
			r.Closed, r.Wake, r.Owner, r.Halted = t.Time, time.Time{}, 0, ""
		}
	}
}

// Sources are the files of a script: the one that was named and all that it can require. They travel with its runs.
type Sources struct {
	Main  string            `json:"main" cbor:"1,keyasint"`
	Files map[string]string `json:"files" cbor:"2,keyasint"` // slash-separated path → text
}

// Hash identifies the sources by their content.
func (s Sources) Hash() string {
	h := sha256.New()
	part := func(text string) {
		var size [8]byte
		for i := range size {
			size[i] = byte(len(text) >> (8 * i))
		}
		h.Write(size[:])
		io.WriteString(h, text)
	}
	part(s.Main)
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		part(name)
		part(s.Files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Verify reports whether the sources have a hash.
func (s Sources) Verify(hash string) error {
	if is := s.Hash(); is != hash {
		return fmt.Errorf("history: the sources of program %.12s are not stored, and those given with it have the hash %.12s: give the right ones", hash, is)
	}
	return nil
}
