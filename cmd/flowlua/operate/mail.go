package operate

import (
	"context"
	"fmt"
	"slices"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

// post is what was sent to open runs and is not part of their histories yet.
type post struct {
	*Console
	read map[int64]bool                  // the owners whose mail was looked at
	mail map[history.Ref][]history.Event // Number 0: whichever is open
}

// of gives the mail of a run. Of a run that somebody drives it is what is just on its way.
func (p *post) of(ctx context.Context, run *history.Run) ([]history.Event, error) {
	if run.Status != history.Open {
		return nil, nil
	}
	if err := p.fetch(ctx, run.Owner); err != nil {
		return nil, err
	}
	return slices.Concat(p.mail[run.Ref], p.mail[history.Ref{ID: run.ID}]), nil
}

// fetch reads the mail for the runs of an owner.
func (p *post) fetch(ctx context.Context, owner int64) error {
	if p.read[owner] {
		return nil
	}
	if p.mail == nil {
		p.read, p.mail = map[int64]bool{}, map[history.Ref][]history.Event{}
	}
	mail, err := p.Store.Inbox(ctx, owner, 0)
	if err != nil {
		return err
	}
	p.read[owner] = true
	for i := range mail {
		to := history.Ref{ID: mail[i].To, Number: mail[i].Number}
		p.mail[to] = append(p.mail[to], mail[i].Event)
	}
	return nil
}

// mailText is what waits for a run, as the command that has sent it.
func mailText(ev *history.Event) string {
	text := progress.Sentence(ev, ev.At)
	switch ev.Kind {
	case history.SignalReceived:
		text = "signal " + ev.Name + " " + line(ev.Payload)
		if ev.Run != "" {
			text += " from " + ev.Run
		}
	case history.CancelRequested:
		text = "cancel"
		for _, reason := range values(ev.Payload) {
			text += ": " + valueText(reason)
		}
	case history.RunTerminated:
		text = "terminate"
		if ev.Failure != nil && ev.Failure.Message != "" {
			text += ": " + ev.Failure.Message
		}
	}
	return clean(text)
}

// waiting counts mail for people: "2 messages wait".
func waiting(n int) string {
	if n == 1 {
		return "1 message waits"
	}
	return fmt.Sprintf("%d messages wait", n)
}

// unread writes what was sent to a run and is not taken yet.
func (c *Console) unread(mail []history.Event) error {
	if len(mail) == 0 {
		return nil
	}
	if err := c.say("\n%s", c.paint(faint, "sent, and not taken yet")); err != nil {
		return err
	}
	for i := range mail {
		if err := c.say("  %s", c.fit(mailText(&mail[i]), 2)); err != nil {
			return err
		}
	}
	return nil
}
