package history

import (
	"slices"
	"strings"
	"time"
)

// PastAttempt is one attempt of an activity that is over.
type PastAttempt struct {
	Number  int       `json:"number" cbor:"1,keyasint"` // from 1
	Began   time.Time `json:"began,omitzero" cbor:"-"`  // zero: nobody knows; it may not have begun
	Ended   time.Time `json:"ended,omitzero" cbor:"-"`  // zero: the process that made it is gone, and nobody knows how far it came
	Failure *Failure  `json:"failure,omitempty" cbor:"4,keyasint,omitempty"`
}

// Lost reports whether nobody knows what came of the attempt: its work may have been done.
func (a *PastAttempt) Lost() bool { return a.Ended.IsZero() }

// Past are the attempts that an activity has behind it, in order. Of many there are the first few and the last; where some are
// left out, their numbers are missing. It is immutable.
type Past []PastAttempt

const (
	firstAttempts   = 3
	mostAttempts    = 10
	longestReported = 200 // bytes of a message
)

// With is the past with one more attempt. Of its failure there is what it was, not where it came from.
func (p Past) With(a PastAttempt) Past {
	if f := a.Failure; f != nil {
		message := f.Message
		if len(message) > longestReported {
			message = strings.ToValidUTF8(message[:longestReported], "") + "…"
		}
		a.Failure = &Failure{Name: f.Name, Message: message, Status: f.Status, Timeout: f.Timeout}
	}
	if len(p) < mostAttempts {
		return append(slices.Clip(p), a)
	}
	return slices.Concat(p[:firstAttempts], p[firstAttempts+1:], Past{a})
}

// Outcome is what an outcome reports of its attempts, the last included: nothing if it was the first, of which the outcome says it all.
func (p Past) Outcome(last PastAttempt) Past {
	if len(p) == 0 {
		return nil
	}
	return p.With(last)
}

// Ordered reports whether the numbers are from 1 on and grow.
func (p Past) Ordered() bool {
	before := 0
	for _, a := range p {
		if a.Number <= before {
			return false
		}
		before = a.Number
	}
	return true
}

type wirePast struct {
	PastAttempt
	Began instant `cbor:"2,keyasint,omitzero"`
	Ended instant `cbor:"3,keyasint,omitzero"`
}

func wirePasts(p Past) []wirePast {
	if len(p) == 0 {
		return nil
	}
	list := make([]wirePast, len(p))
	for i, a := range p {
		list[i] = wirePast{a, instant{a.Began}, instant{a.Ended}}
	}
	return list
}

func pastOf(list []wirePast) Past {
	if len(list) == 0 {
		return nil
	}
	p := make(Past, len(list))
	for i, w := range list {
		p[i] = w.PastAttempt
		p[i].Began, p[i].Ended = w.Began.Time, w.Ended.Time
	}
	return p
}
