package history

import "fmt"

// What a store keeps is CBOR: maps whose keys are the numbers of the struct tags, after one byte with the format. Numbers, like
// those of kinds, never change their meaning.

// maxCauses is how long a chain of causes may be, so that everything that is written can be read.
const maxCauses = 10_000

type wireTurn struct {
	Seq       int64       `cbor:"1,keyasint"`
	Time      instant     `cbor:"2,keyasint,omitzero"`
	Events    []wireEvent `cbor:"3,keyasint,omitempty"`
	Decisions []wireEvent `cbor:"4,keyasint,omitempty"`
}

type wireEvent struct {
	Event
	At       instant    `cbor:"7,keyasint,omitzero"`
	Attempts []wirePast `cbor:"10,keyasint,omitempty"`
}

func wire(ev *Event) wireEvent { return wireEvent{*ev, instant{ev.At}, wirePasts(ev.Attempts)} }

type wireAttempt struct {
	Attempt
	Next  instant    `cbor:"4,keyasint,omitzero"`
	Began instant    `cbor:"7,keyasint,omitzero"`
	Past  []wirePast `cbor:"8,keyasint,omitempty"`
	Heard instant    `cbor:"9,keyasint,omitzero"`
}

// EncodeTurn gives what a store keeps of a turn.
func EncodeTurn(t *Turn) ([]byte, error) {
	w := wireTurn{Seq: t.Seq, Time: instant{t.Time}}
	if n := len(t.Events) + len(t.Decisions); n > 0 {
		all := make([]wireEvent, 0, n)
		for i := range t.Events {
			all = append(all, wire(&t.Events[i]))
		}
		for i := range t.Decisions {
			all = append(all, wire(&t.Decisions[i]))
		}
		w.Events, w.Decisions = all[:len(t.Events)], all[len(t.Events):]
	}
	for _, events := range [][]wireEvent{w.Events, w.Decisions} {
		for i := range events {
			if err := events[i].check(); err != nil {
				return nil, err
			}
		}
	}
	return encode(&w)
}

// DecodeTurn reads what EncodeTurn wrote, in this or an earlier release.
func DecodeTurn(data []byte) (Turn, error) {
	var w wireTurn
	if err := decode(data, &w, "turn"); err != nil {
		return Turn{}, err
	}
	t := Turn{Seq: w.Seq, Time: w.Time.Time}
	for _, part := range []struct {
		from []wireEvent
		to   *[]Event
	}{{w.Events, &t.Events}, {w.Decisions, &t.Decisions}} {
		if len(part.from) == 0 {
			continue
		}
		*part.to = make([]Event, len(part.from))
		for i := range part.from {
			ev, err := part.from[i].event()
			if err != nil {
				return Turn{}, fmt.Errorf("history: turn %d: %w", t.Seq, err)
			}
			(*part.to)[i] = ev
		}
	}
	return t, nil
}

// EncodeEvent gives what a store keeps of an event on its way.
func EncodeEvent(ev *Event) ([]byte, error) {
	w := wire(ev)
	if err := w.check(); err != nil {
		return nil, err
	}
	return encode(&w)
}

// DecodeEvent reads what EncodeEvent wrote.
func DecodeEvent(data []byte) (Event, error) {
	var w wireEvent
	if err := decode(data, &w, "event"); err != nil {
		return Event{}, err
	}
	ev, err := w.event()
	if err != nil {
		return Event{}, fmt.Errorf("history: %w", err)
	}
	return ev, nil
}

// EncodeFailure gives what a store keeps of a failure.
func EncodeFailure(f *Failure) ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	return encode(f)
}

// DecodeFailure reads what EncodeFailure wrote.
func DecodeFailure(data []byte) (*Failure, error) {
	f := new(Failure)
	return f, decode(data, f, "failure")
}

// EncodeAttempt gives what a store keeps of an attempt.
func EncodeAttempt(a *Attempt) ([]byte, error) {
	if err := a.Failure.check(); err != nil {
		return nil, err
	}
	return encode(&wireAttempt{*a, instant{a.Next}, instant{a.Began}, wirePasts(a.Past), instant{a.Heard}})
}

// DecodeAttempt reads what EncodeAttempt wrote.
func DecodeAttempt(data []byte) (Attempt, error) {
	var w wireAttempt
	err := decode(data, &w, "attempt")
	w.Attempt.Next, w.Attempt.Began, w.Attempt.Past, w.Attempt.Heard = w.Next.Time, w.Began.Time, pastOf(w.Past), w.Heard.Time
	return w.Attempt, err
}

// EncodeSources gives what a store keeps of sources. Equal ones give equal bytes.
func EncodeSources(s *Sources) ([]byte, error) { return encode(s) }

// DecodeSources reads what EncodeSources wrote.
func DecodeSources(data []byte) (Sources, error) {
	var s Sources
	return s, decode(data, &s, "file of sources")
}

func (w *wireEvent) check() error {
	if !w.Kind.valid() {
		return fmt.Errorf("history: cannot write an event of kind %d: there is no such kind", w.Kind)
	}
	return w.Failure.check()
}

func (w *wireEvent) event() (Event, error) {
	if !w.Kind.valid() {
		return Event{}, fmt.Errorf("an event of kind %d, which this release does not know (written by a newer release?)", w.Kind)
	}
	w.Event.At, w.Event.Attempts = w.At.Time, pastOf(w.Attempts)
	return w.Event, nil
}

func (f *Failure) check() error {
	for n := 0; f != nil; f = f.Cause {
		if n++; n > maxCauses {
			return fmt.Errorf("history: cannot write a failure with a chain of more than %d causes", maxCauses)
		}
	}
	return nil
}
