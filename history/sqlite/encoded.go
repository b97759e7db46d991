package sqlite

import "github.com/flowlua/flowlua/history"

// encodedStep is what a step writes, as bytes.
type encodedStep struct {
	turn      []byte
	attempts  [][]byte
	otherwise [][]byte // of each NewRun; nil: none
	send      []encodedMail
}

// prepared is what Prepare leaves for Commit.
type prepared struct {
	data encodedStep
	err  error
}

// Prepare implements history.Preparer.
func (s *Store) Prepare(step *history.Step) {
	p := new(prepared)
	p.data, p.err = encode(step)
	step.Prepared = p
}

type encodedMail struct{ event, sent, lost []byte }

func encode(s *history.Step) (data encodedStep, err error) {
	event := func(ev *history.Event) (data []byte) {
		if ev != nil && err == nil {
			data, err = history.EncodeEvent(ev)
		}
		return data
	}
	if s.Turn != nil {
		if data.turn, err = history.EncodeTurn(s.Turn); err != nil {
			return data, err
		}
	}
	for i := range s.Attempts {
		a, err := history.EncodeAttempt(&s.Attempts[i])
		if err != nil {
			return data, err
		}
		data.attempts = append(data.attempts, a)
	}
	for i := range s.Start {
		data.otherwise = append(data.otherwise, event(s.Start[i].Else))
	}
	for i := range s.Send {
		m := &s.Send[i]
		data.send = append(data.send, encodedMail{event: event(&m.Event), sent: event(m.Sent), lost: event(m.Lost)})
	}
	return data, err
}
