package explore

import (
	"slices"

	"github.com/flowlua/flowlua/history"
)

// recording is the run that was explored as a store would have it: to be replayed, debugged and drawn. Of a run that was continued as
// new it is the last one. A turn that could not be made is left out.
func (w *world) recording() history.Recording {
	var main *run
	for _, r := range w.runs {
		if r.ref.ID == mainID {
			main = r
		}
	}
	program := w.setup.program
	rec := history.Recording{Format: history.Format, Sources: program.Sources(), Run: history.Run{Ref: main.ref, Workflow: main.workflow,
		Program: program.Hash(), Status: history.Open, Created: epoch, Input: w.setup.input}}
	for t := main.cursor.at; t.log.Seq > 0; t = t.before {
		if t.err == nil {
			rec.Turns = append(rec.Turns, t.log)
		}
	}
	slices.Reverse(rec.Turns)
	for i, t := range rec.Turns {
		if i == 0 {
			rec.Run.Created, rec.Run.Input = t.Time, t.Events[0].Payload
		}
		rec.Run.Apply(t)
	}
	return rec
}
