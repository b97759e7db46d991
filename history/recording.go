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
	switch {
	case rec.Format > Format:
		return Recording{}, fmt.Errorf("history: recorded in format %d, this release reads up to %d: use a newer one", rec.Format, Format)
	case rec.Format < 1:
		return Recording{}, fmt.Errorf("history: not a recorded run: it names no format")
	}
	return rec, nil
}
