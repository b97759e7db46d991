package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flowlua/flowlua/history"
)

// Same drives two stores with the same random operations and compares all that they say. Check, if there is one, looks for what
// is wrong with the second at the end.
func Same(t *testing.T, open func(t *rapid.T) (model, real history.Store), check func(t *rapid.T, real history.Store)) {
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{}
		m.model, m.real = open(t)
		defer func() {
			require.NoError(t, m.model.Close())
			require.NoError(t, m.real.Close())
		}()
		m.join(t)
		t.Repeat(map[string]func(*rapid.T){
			"compare": m.compare,
			"join":    m.join,
			"renew":   m.renew,
			"leave":   m.leave,
			"claim":   m.claim,
			"commit":  m.commit, "commit 2": m.commit, "commit 3": m.commit, "commit 4": m.commit,
			"send": m.send, "send 2": m.send,
			"create": m.create,
			"revise": m.revise,
			"delete": m.delete,
			"import": m.importRun,
		})
		m.compare(t)
		if check != nil {
			check(t, m.real)
		}
	})
}

type machine struct {
	model, real history.Store
	joined      int64
	clock       int
	kept        []history.Recording
}

var (
	someIDs = []string{"a", "b", "c", "d"}
	refusal = []error{history.ErrNotFound, history.ErrExists, history.ErrConflict, history.ErrEnded, history.ErrOpen, history.ErrFenced}
)

// kind is which of the errors of a store an error is.
func kind(t *rapid.T, err error) error {
	if err == nil {
		return nil
	}
	for _, is := range refusal {
		if errors.Is(err, is) {
			return is
		}
	}
	require.NoError(t, err, "of no kind that is known")
	return nil
}

// both does the same to both stores.
func both[T any](t *rapid.T, m *machine, do func(s history.Store) (T, error)) (T, error) {
	want, wantErr := do(m.model)
	got, gotErr := do(m.real)
	require.Equal(t, kind(t, wantErr), kind(t, gotErr), "%v and %v", wantErr, gotErr)
	require.Equal(t, want, got)
	return want, wantErr
}

func (m *machine) now() time.Time { return after(time.Duration(m.clock) * time.Second) }

// owner draws one, mostly one that lives.
func (m *machine) owner(t *rapid.T) int64 {
	if living, _ := m.model.Owners(ctx); len(living) > 0 && rapid.IntRange(0, 9).Draw(t, "lives") > 0 {
		return rapid.SampledFrom(living).Draw(t, "living").Number
	}
	return rapid.Int64Range(0, m.joined).Draw(t, "owner")
}

// owned draws a run, mostly an open one of the owner.
func (m *machine) owned(t *rapid.T, owner int64) history.Ref {
	var owned []history.Ref
	for run := range m.model.Runs(ctx, history.Filter{Status: history.Open}) {
		if run.Owner == owner {
			owned = append(owned, run.Ref)
		}
	}
	if len(owned) > 0 && rapid.IntRange(0, 9).Draw(t, "its own") > 0 {
		return rapid.SampledFrom(owned).Draw(t, "owned")
	}
	return m.ref(t)
}

func (m *machine) ref(t *rapid.T) history.Ref {
	return ref(rapid.SampledFrom(someIDs).Draw(t, "id"), rapid.IntRange(0, 3).Draw(t, "number"))
}

func (m *machine) newRun(t *rapid.T) history.NewRun {
	n := newRun(rapid.SampledFrom(someIDs).Draw(t, "new id"))
	n.Run.Number = rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3}).Draw(t, "new number")
	n.Run.Created = after(time.Duration(rapid.IntRange(0, 3).Draw(t, "created")))
	if rapid.Bool().Draw(t, "child") {
		n.Run.Parent = &history.Parent{Ref: m.ref(t), Op: rapid.SampledFrom([]string{"/1", "/2"}).Draw(t, "op")}
	}
	n.Wake = m.wake(t)
	return n
}

func (m *machine) wake(t *rapid.T) (wake time.Time) {
	if n := rapid.IntRange(0, 3).Draw(t, "wake"); n > 0 {
		wake = after(time.Duration(n))
	}
	return wake
}

func (m *machine) event(t *rapid.T) history.Event {
	return signal(fmt.Sprint("event ", rapid.IntRange(0, 99).Draw(t, "event")))
}

func (m *machine) mail(t *rapid.T) history.Mail {
	mail := history.Mail{To: rapid.SampledFrom(someIDs).Draw(t, "to"), Event: m.event(t)}
	switch rapid.IntRange(0, 3).Draw(t, "address") {
	case 0:
		mail.Number = rapid.IntRange(1, 3).Draw(t, "to number")
	case 1:
		mail.Child = &history.Parent{Ref: m.ref(t), Op: "/1"}
	}
	return mail
}

func (m *machine) maybe(t *rapid.T, label string) *history.Event {
	if rapid.Bool().Draw(t, label) {
		return new(m.event(t))
	}
	return nil
}

// step draws a step that often can be written.
func (m *machine) step(t *rapid.T, owner int64) (s history.Step) {
	if rapid.IntRange(0, 4).Draw(t, "of a run") > 0 {
		s.Ref = m.owned(t, owner)
		run, _ := m.model.Run(ctx, s.Ref)
		if rapid.IntRange(0, 3).Draw(t, "with a turn") > 0 {
			seq := run.Turns + rapid.SampledFrom([]int64{1, 1, 1, 1, 0, 2}).Draw(t, "seq")
			s.Turn = &history.Turn{Seq: seq, Time: m.now(), Events: []history.Event{m.event(t)}}
			if rapid.IntRange(0, 3).Draw(t, "sets the status") == 0 {
				s.Turn.Decisions = append(s.Turn.Decisions, history.Event{Kind: history.StatusSet, Payload: json.RawMessage(fmt.Sprintf("[%d]", m.clock))})
			}
			if rapid.IntRange(0, 3).Draw(t, "ends") == 0 {
				end := history.Event{Kind: rapid.SampledFrom([]history.Kind{history.RunCompleted, history.RunFailed, history.RunContinued}).Draw(t, "how")}
				if end.Kind == history.RunFailed {
					end.Failure = &history.Failure{Name: "E"}
				}
				s.Turn.Decisions = append(s.Turn.Decisions, end)
			}
			s.Wake = m.wake(t)
		}
		if mail, _ := m.model.Inbox(ctx, owner, 0); len(mail) > 0 && rapid.Bool().Draw(t, "takes mail") {
			s.Mail = rapid.SampledFrom(mail).Draw(t, "up to").Seq
		}
		for range rapid.IntRange(0, 1).Draw(t, "attempts") {
			s.Attempts = append(s.Attempts, history.Attempt{Op: rapid.SampledFrom([]string{"/1", "/2"}).Draw(t, "attempted"), Number: m.clock})
		}
		for range rapid.IntRange(0, 1).Draw(t, "ended") {
			s.Ended = append(s.Ended, rapid.SampledFrom([]string{"/1", "/2"}).Draw(t, "ended op"))
		}
		if rapid.IntRange(0, 9).Draw(t, "halts") == 0 {
			s.Halt = "halted"
		}
		s.Leave = rapid.IntRange(0, 9).Draw(t, "leaves") == 0
	}
	for range rapid.IntRange(0, 2).Draw(t, "starts") {
		n := m.newRun(t)
		n.Else = m.maybe(t, "else")
		s.Start = append(s.Start, n)
	}
	for range rapid.IntRange(0, 2).Draw(t, "sends") {
		mail := m.mail(t)
		mail.Sent, mail.Lost = m.maybe(t, "sent"), m.maybe(t, "lost")
		s.Send = append(s.Send, mail)
	}
	return s
}
