package history

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Recording is a whole run as one JSON document: what it ran on, what happened, what it decided.
type Recording struct {
	Format  int     `json:"format"`
	Run     Run     `json:"run"`
	Sources Sources `json:"sources"`
	Turns   []Turn  `json:"turns"`
}

// Record reads a run out of a store.
func Record(ctx context.Context, store Reader, ref Ref) (Recording, error) {
	run, err := store.Run(ctx, ref)
	if err != nil {
		return Recording{}, err
	}
	sources, err := store.Sources(ctx, run.Program)
	if err != nil {
		return Recording{}, err
	}
	run.Owner, run.Wake, run.Halted = 0, time.Time{}, "" // of the place where it was
	rec := Recording{Format: Format, Run: run, Sources: sources}
	for t, err := range store.Turns(ctx, run.Ref, 0) {
		if err != nil {
			return Recording{}, err
		}
		rec.Turns = append(rec.Turns, t)
	}
	return rec, nil
}

// WriteTo writes the document, indented for people to read.
func (rec Recording) WriteTo(w io.Writer) (int64, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // payloads stay what they are
	e.SetIndent("", " ")
	if err := e.Encode(rec); err != nil {
		return 0, err
	}
	return text.WriteTo(w)
}

func (rec Recording) readable() error {
	switch {
	case rec.Format > Format:
		return fmt.Errorf("recorded in format %d, this release reads up to %d: use a newer one", rec.Format, Format)
	case rec.Format < 1:
		return fmt.Errorf("it names no format")
	}
	return nil
}

// Rebuild gives the run as its turns make it, nobody's yet: what Import adds. An open one has something to do at once.
func (rec Recording) Rebuild() (Run, error) {
	if err := rec.readable(); err != nil {
		return Run{}, notRecorded(err)
	}
	if rec.Run.Number < 1 {
		return Run{}, notRecorded(fmt.Errorf("the number of run %q is %d, expected 1 or more", rec.Run.ID, rec.Run.Number))
	}
	status := Run{Status: Open}
	for i, t := range rec.Turns {
		switch {
		case t.Seq != int64(i+1):
			return Run{}, notRecorded(fmt.Errorf("turn %d of run %q is at the place of turn %d", t.Seq, rec.Run.ID, i+1))
		case status.Status != Open:
			return Run{}, notRecorded(fmt.Errorf("turn %d of run %q comes after its end", t.Seq, rec.Run.ID))
		}
		status.Apply(t)
	}
	return rec.rebuilt(), nil
}

func (rec Recording) rebuilt() Run {
	r := rec.Run
	run := Run{Ref: r.Ref, Workflow: r.Workflow, Program: r.Program, Input: r.Input, Parent: r.Parent, Created: r.Created, Status: Open, Wake: time.Unix(0, 0).UTC()}
	for i := range rec.Turns {
		run.Apply(rec.Turns[i])
	}
	return run
}
