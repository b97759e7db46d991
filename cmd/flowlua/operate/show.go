package operate

import (
	"context"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// ShowOptions say what to show of a run.
type ShowOptions struct {
	Events bool // its history too
	Follow bool // and what comes, until it ends
}

// Shown is the answer of show as JSON.
type Shown struct {
	Summary
	Script  string          `json:"script"` // the file
	Events  int             `json:"event_count"`
	Pending []Pending       `json:"pending"`           // what it has begun and is not over
	Waiting []Waiting       `json:"waiting"`           // its branches, as far as a replay works
	Problem string          `json:"problem,omitempty"` // what is wrong with what is stored of it
	Mail    []history.Event `json:"mail,omitempty"`    // what was sent to it and is not taken yet
	History []Event         `json:"events,omitempty"`
}

// waitsFor is up to how many turns show rebuilds a run to tell what its branches wait for.
const waitsUpTo = 20_000

// Show shows one run.
func (c *Console) Show(ctx context.Context, id string, o ShowOptions) error {
	run, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	switch {
	case o.Follow && c.Format == JSON:
		return misuse("-o json is one document, and --follow shows a run as it goes on: use -o jsonl")
	case o.Follow:
		return c.follow(ctx, run, o)
	case c.Format == JSONL && !o.Events:
		return misuse("-o jsonl is for events: use --events or --follow with it, or -o json")
	case c.Format == JSONL:
		return c.events(ctx, run, 0, nil)
	}
	shown, err := c.shown(ctx, run)
	if err != nil {
		return err
	}
	if c.Format == JSON {
		if o.Events {
			if err := c.events(ctx, run, 0, &shown.History); err != nil {
				return err
			}
		}
		return c.document(shown)
	}
	if err := c.showText(shown, &run); err != nil || !o.Events {
		return err
	}
	if err := c.say(""); err != nil {
		return err
	}
	return c.events(ctx, run, 0, nil)
}

// shown gathers what is known of a run.
func (c *Console) shown(ctx context.Context, run history.Run) (*Shown, error) {
	driver, err := c.driver(ctx, &run)
	if err != nil {
		return nil, err
	}
	s := &Shown{Summary: c.summary(&run, driver), Pending: []Pending{}, Waiting: []Waiting{}}
	if sources, err := c.Store.Sources(ctx, run.Program); err == nil {
		s.Script = sources.Main
	}
	p := post{Console: c}
	if s.Mail, err = p.of(ctx, &run); err != nil {
		return nil, err
	}
	s.Unread = len(s.Mail)
	var log workflow.Log
	there := int64(0)
	for t, err := range c.Store.Turns(ctx, run.Ref, 0) {
		if err != nil {
			return nil, err
		}
		log.Follow(&t)
		there++
	}
	s.Events = log.Events
	s.Problem = lacks(&run, there)
	if pending, err := c.pending(ctx, &run, &log); err != nil {
		return nil, err
	} else if pending != nil {
		s.Pending = pending
	}
	if run.Status == history.Open && log.Turns <= waitsUpTo {
		r, err := c.rebuild(ctx, run)
		if err == nil {
			s.Waiting = r.waits()
		}
		r.close()
	}
	return s, ctx.Err()
}
