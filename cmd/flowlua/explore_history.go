package main

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow/explore"
)

// checkHistory checks --history before anything is explored. The name tells debug, replay and graph that it is a file, and no run.
func (o *exploreOptions) checkHistory() error {
	if o.history == "" {
		return nil
	}
	if filepath.Ext(o.history) != ".json" {
		return usage("--history is a file whose name ends with .json, not %s: flowlua debug tells files from runs by that", o.history)
	}
	if old, err := os.ReadFile(o.history); err == nil {
		if _, err := history.ReadRecording(bytes.NewReader(old)); err != nil {
			return usage("--history: %s is there, and is no history: give another name", o.history)
		}
	}
	return nil
}

// writeHistory writes down the run on the first of the paths that are told.
func (o *exploreOptions) writeHistory(r *explore.Report) error {
	if o.history == "" || len(r.Failures) == 0 {
		return nil
	}
	var text bytes.Buffer
	if _, err := r.Failures[0].Recording.WriteTo(&text); err != nil {
		return failed(err)
	}
	return failed(os.WriteFile(o.history, text.Bytes(), 0o644))
}
