package explore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// explain makes a path once more, looks at where the script stands at each step, and tells it.
func (s *search) explain(choices Choices, v Violation) *Failure {
	e := &explanation{places: map[string]string{}}
	w := &world{setup: s.setup, histories: &s.histories, choices: choices, fresh: true, patient: true, seen: e.see}
	p := w.play()
	e.path = p
	e.tell(v)
	return &Failure{Violation: v, Path: p, Text: e.text.String(), Recording: w.recording()}
}

// explanation is a path in words.
type explanation struct {
	path   *Path
	places map[string]string // where the script has begun an operation: file:line, by run and operation
	waits  []string          // what the branches wait for at the end
	text   strings.Builder
}

// see notes where the operations of a turn were begun.
func (e *explanation) see(r *run, t *turn) {
	for i := range t.log.Decisions {
		d := &t.log.Decisions[i]
		switch d.Kind {
		case history.ActivityScheduled, history.TimerStarted, history.ChildStarted, history.SignalSent:
			for _, f := range r.cursor.execution.Trace(d.Op) {
				if f.Line > 0 {
					e.places[r.ref.ID+d.Op] = fmt.Sprintf("%s:%d", f.Source, f.Line)
					break
				}
			}
		}
	}
	e.waits = e.waits[:0]
	if t.closing.Kind == 0 && r.ref.ID == mainID {
		e.waits = append(e.waits, workflow.Waits(r.cursor.execution.Dump())...)
	}
}

// tell writes the steps, each with its number, its time and what the run did in answer. What is no default has a star.
func (e *explanation) tell(v Violation) {
	e.table(e.rows())
	if v.Invariant == "" {
		return
	}
	fmt.Fprintf(&e.text, "\n  invariant: %s\n  broken: %s", v.Invariant, v.Message)
	if v.Where != "" && !strings.Contains(v.Message, v.Where) {
		fmt.Fprintf(&e.text, " (%s)", v.Where)
	}
	e.text.WriteByte('\n')
}

// row is one line of the explanation.
type row struct{ number, time, text, place string }

func (e *explanation) rows() []row {
	var rows []row
	add := func(text, place string) { rows = append(rows, row{"", "", "  " + text, place}) }
	for i := 0; i < len(e.path.Steps); i++ {
		s := &e.path.Steps[i]
		if last := e.likewise(i); last > i {
			rows = append(rows, row{fmt.Sprintf("%d-%d", i+1, last+1), stdlib.FormatDuration(e.path.Steps[last].At), s.Name + " is attempted again and again, and fares no better", ""})
			i = last
			continue
		}
		number := strconv.Itoa(i + 1)
		if s.Option > 0 {
			number = "* " + number
		}
		rows = append(rows, row{number, stdlib.FormatDuration(s.At), e.step(s), ""})
		for _, consequence := range e.consequences(s) {
			add(consequence, "")
		}
		for _, a := range s.Answers {
			for j := range a.Decisions {
				if text, place := e.decision(a.Run, &a.Decisions[j]); text != "" {
					add("→ "+text, place)
				}
			}
		}
	}
	switch p := e.path; {
	case p.Err != nil:
		rows = append(rows, row{"", stdlib.FormatDuration(p.Elapsed), "here it ends: " + p.Err.Error(), ""})
	case p.Cut:
		rows = append(rows, row{"", stdlib.FormatDuration(p.Elapsed), "and so on: the path is cut off here", ""})
	case p.Closing.Kind == 0:
		rows = append(rows, row{"", stdlib.FormatDuration(p.Elapsed), "nothing more can happen; the run is open", ""})
		for _, w := range e.waits {
			add("a branch waits "+w, "")
		}
	}
	return rows
}

// likewise is the last of the steps from i on in which one call is attempted and fails without anybody taking notice; i if there are few.
func (e *explanation) likewise(i int) int {
	steps, last := e.path.Steps, i
	for ; last < len(steps); last++ {
		s := &steps[last]
		if s.Call == nil || s.Call != steps[i].Call || s.Option > 0 || len(s.Answers) > 0 || s.What != Resumes && s.What != Fails && s.What != TimesOut {
			break
		}
	}
	if last-i < 4 {
		return i
	}
	return last - 1
}

// table aligns the rows.
func (e *explanation) table(rows []row) {
	number, clock := 0, 0
	for _, r := range rows {
		number, clock = max(number, len(r.number)), max(clock, len(r.time))
	}
	for _, r := range rows {
		line := fmt.Sprintf("  %*s  %-*s  %s", number, r.number, clock, r.time, r.text)
		if r.place != "" {
			line += "  (" + r.place + ")"
		}
		e.text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
