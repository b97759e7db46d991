package history

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// Recording is a whole run as one JSON document: what it ran on, what happened, what it decided.
type Recording struct {
	Format  int     `json:"format"`
	Run     Run     `json:"run"`
	Sources Sources `json:"sources"`
	Turns   []Turn  `json:"turns"`
}

// Record reads a run out of a store.
func Record(ctx context.Context, store Store, ref Ref) (Recording, error) {
	run, err := store.Run(ctx, ref)
	if err != nil {
		return Recording{}, err
	}
	sources, err := store.Sources(ctx, run.Program)
	if err != nil {
		return Recording{}, err
	}
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
	b, err := json.MarshalIndent(rec, "", " ")
	if err != nil {
		return 0, err
	}
	n, err := w.Write(append(b, '\n'))
	return int64(n), err
}

// ReadRecording reads what WriteTo wrote, in this or an earlier release.
func ReadRecording(r io.Reader) (Recording, error) {
	var rec Recording
	if err := json.NewDecoder(r).Decode(&rec); err != nil {
		return Recording{}, fmt.Errorf("history: not a recorded run: %w", err)
	}
	switch {
	case rec.Format > Format:
		return Recording{}, fmt.Errorf("history: recorded in format %d, this release reads up to %d: use a newer one", rec.Format, Format)
	case rec.Format < 1:
		return Recording{}, fmt.Errorf("history: not a recorded run: it names no format")
	}
	for i := range rec.Turns {
		compact(rec.Turns[i].Events)
		compact(rec.Turns[i].Decisions)
	}
	return rec, nil
}

// compact takes the indentation out of payloads: decisions are compared byte by byte.
func compact(events []Event) {
	for i := range events {
		p := &events[i].Payload
		if len(*p) == 0 {
			continue
		}
		if b, err := json.Marshal(*p); err == nil {
			*p = b
		}
	}
}
