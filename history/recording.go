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

// ReadRecording reads what WriteTo wrote, in this or an earlier release.
func ReadRecording(r io.Reader) (Recording, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Recording{}, fmt.Errorf("history: cannot read the recorded run: %w", err)
	}
	var plain bytes.Buffer // the values of a run are not indented
	if err := json.Compact(&plain, text); err != nil {
		return Recording{}, fmt.Errorf("history: not a recorded run: %w", err)
	}
	var rec Recording
	if err := json.Unmarshal(plain.Bytes(), &rec); err != nil {
		return Recording{}, fmt.Errorf("history: not a recorded run: %w", err)
	}
	if err := rec.readable(); err != nil {
		return Recording{}, err
	}
	return rec, nil
}

func (rec Recording) readable() error {
	switch {
	case rec.Format > Format:
		return fmt.Errorf("history: recorded in format %d, this release reads up to %d: use a newer one", rec.Format, Format)
	case rec.Format < 1:
		return fmt.Errorf("history: not a recorded run: it names no format")
	}
	return nil
}

// Rebuild gives the run as its turns make it, nobody's yet: what Import adds. An open one has something to do at once.
func (rec Recording) Rebuild() (Run, error) {
	if err := rec.readable(); err != nil {
		return Run{}, err
	}
	r := rec.Run
	run := Run{Ref: r.Ref, Workflow: r.Workflow, Program: r.Program, Input: r.Input, Parent: r.Parent, Created: r.Created, Status: Open, Wake: time.Unix(0, 0).UTC()}
	if run.Number < 1 {
		return Run{}, fmt.Errorf("history: not a recorded run: the number of run %q is %d, expected 1 or more", run.ID, run.Number)
	}
	for i, t := range rec.Turns {
		switch {
		case t.Seq != int64(i+1):
			return Run{}, fmt.Errorf("history: not a recorded run: turn %d of run %q is at the place of turn %d", t.Seq, run.ID, i+1)
		case run.Status != Open:
			return Run{}, fmt.Errorf("history: not a recorded run: turn %d of run %q comes after its end", t.Seq, run.ID)
		}
		run.Apply(t)
	}
	return run, nil
}
