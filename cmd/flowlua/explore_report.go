package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flowlua/flowlua/workflow/explore"
)

// exploreReport writes what an exploration has found.
type exploreReport struct {
	out   io.Writer
	file  string
	again string // the command line that --path is added to
	json  bool

	history string // the file into which the run on the first path was written; "" if it was not
}

// report writes all of it. The exit code is 1 if something is broken.
func (e *exploreReport) report(r *explore.Report) error {
	if e.json {
		if err := e.document(r); err != nil {
			return failed(err)
		}
	} else {
		for i, f := range r.Failures {
			fmt.Fprintf(e.out, "BROKEN: %s\n\n%s\n  again: %s --path %s\n", f.Invariant, f.Text, e.again, f.Path.Choices)
			if i == 0 {
				e.debug()
			}
			fmt.Fprintln(e.out)
		}
		if len(r.Failures) > 0 {
			e.guessed(r)
		}
		for _, u := range r.Uncalled {
			fmt.Fprintf(e.out, "No path calls an activity '%s'%s, of which activities.%s says what it returns\n\n", u.Name, u.Hint, u.Name)
		}
		e.unusual(r)
		fmt.Fprintf(e.out, "%s: %s\n", e.file, summary(r))
	}
	switch {
	case r.Ended == "interrupted":
		return exit(exitInterrupted, nil)
	case len(r.Failures) > 0:
		return exit(exitFailed, nil)
	case r.Paths == 0:
		return exit(exitCancelled, nil)
	}
	return nil
}

// path writes one path.
func (e *exploreReport) path(r *explore.Report) error {
	if e.json {
		if err := e.document(r); err != nil {
			return failed(err)
		}
	}
	broken := false
	for i, f := range r.Failures {
		broken = broken || f.Invariant != ""
		if e.json {
			continue
		}
		if i > 0 {
			fmt.Fprintf(e.out, "\n  invariant: %s\n  broken: %s\n", f.Invariant, f.Message)
			continue
		}
		fmt.Fprint(e.out, f.Text)
		if f.Invariant == "" {
			fmt.Fprintln(e.out, "\n  nothing is broken")
		}
	}
	if !e.json {
		e.debug()
	}
	if broken {
		return exit(exitFailed, nil)
	}
	return nil
}

// debug says how to look into the run that was written down.
func (e *exploreReport) debug() {
	if e.history != "" {
		fmt.Fprintf(e.out, "  debug: flowlua debug %s\n", quoted(e.history))
	}
}

// unusual warns of a run that fails without any fault: little of the script may have been looked at.
func (e *exploreReport) unusual(r *explore.Report) {
	if f := r.Usual; f != nil {
		fmt.Fprintf(e.out, "Without any fault the run fails, so little may have been looked at: %s: %s\n", f.Name, f.Message)
		fmt.Fprintf(e.out, "If that is not meant, give it --input, and a file of invariants that says what its activities return. The path: %s --path default\n\n", e.again)
	}
}

// guessed tells the values that nobody has given, as a failure may come from them.
func (e *exploreReport) guessed(r *explore.Report) {
	if len(r.Guessed) == 0 {
		return
	}
	fmt.Fprintln(e.out, "Values that were made up, as nobody has given them:")
	for _, g := range r.Guessed {
		fmt.Fprintf(e.out, "  %-40s %s\n", strings.TrimSpace(g.Kind+" "+g.Name), clip(strings.TrimSuffix(strings.TrimPrefix(g.Value, "["), "]"), 100))
	}
	fmt.Fprintln(e.out)
}

func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// summary says what was made, and how much that is of what there is.
func summary(r *explore.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of workflow %s in %v, %.0f per second", count(r.Paths, "path"), r.Workflow, r.Elapsed.Round(time.Millisecond), r.Rate())
	switch {
	case r.Exhaustive:
		b.WriteString(": all there are within the bounds")
	case r.Sampled && r.Paths == r.Complete:
		fmt.Fprintf(&b, ": all with at most %s; %d or more with more were not made", count(r.Deviations, "deviation"), r.Known)
	case r.Sampled:
		fmt.Fprintf(&b, ": all %d with at most %s, and %d of more than %d with more, at random", r.Complete, count(r.Deviations, "deviation"), r.Paths-r.Complete, r.Known)
	case r.Complete > 0:
		fmt.Fprintf(&b, ": all %d with at most %s", r.Complete, count(r.Deviations, "deviation"))
	}
	if r.Ended != "" {
		fmt.Fprintf(&b, "; then it was %s", r.Ended)
	}
	switch {
	case r.Cut == 1:
		b.WriteString("; 1 was cut off, as it went on and on")
	case r.Cut > 1:
		fmt.Fprintf(&b, "; %d were cut off, as they went on and on", r.Cut)
	}
	fmt.Fprintf(&b, ". %s", outcomeOf(r))
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func outcomeOf(r *explore.Report) string {
	if r.Paths == 0 {
		return "Nothing was examined"
	}
	switch len(r.Failures) {
	case 0:
		return "Nothing is broken"
	case 1:
		return "1 invariant is broken"
	}
	return count(len(r.Failures), "invariant") + " are broken"
}

// exploredJSON is the report as a document.
type exploredJSON struct {
	File       string          `json:"file"`
	Workflow   string          `json:"workflow"`
	Input      json.RawMessage `json:"input"` // a list of the arguments
	Paths      int             `json:"paths"`
	Exhaustive bool            `json:"exhaustive"`
	Complete   int             `json:"complete"` // paths with at most so many deviations: all there are
	Deviations int             `json:"deviations"`
	Sampled    bool            `json:"sampled"`
	Cut        int             `json:"cut"`
	Ended      string          `json:"ended,omitempty"`
	Seconds    float64         `json:"seconds"`
	Rate       float64         `json:"paths_per_second"`
	Usual      string          `json:"fails_without_fault,omitempty"` // with this error
	Uncalled   []string        `json:"uncalled,omitempty"`            // activities of the options that no path has called
	Failures   []brokenJSON    `json:"failures"`
}

type brokenJSON struct {
	Invariant string   `json:"invariant"`
	Message   string   `json:"message"`
	Where     string   `json:"where,omitempty"`
	Path      string   `json:"path"`
	Steps     []string `json:"steps"`
	Again     string   `json:"again"`
}

func (e *exploreReport) document(r *explore.Report) error {
	doc := exploredJSON{File: e.file, Workflow: r.Workflow, Input: r.Input, Paths: r.Paths, Exhaustive: r.Exhaustive, Complete: r.Complete,
		Deviations: r.Deviations, Sampled: r.Sampled, Cut: r.Cut, Ended: r.Ended, Seconds: r.Elapsed.Seconds(), Rate: r.Rate(), Failures: []brokenJSON{}}
	if r.Usual != nil {
		doc.Usual = r.Usual.Name + ": " + r.Usual.Message
	}
	for _, u := range r.Uncalled {
		doc.Uncalled = append(doc.Uncalled, u.Name)
	}
	for _, f := range r.Failures {
		if f.Invariant == "" {
			continue
		}
		steps := []string{}
		for line := range strings.Lines(f.Text) {
			if line = strings.TrimSpace(line); line == "" {
				break
			} else {
				steps = append(steps, line)
			}
		}
		doc.Failures = append(doc.Failures, brokenJSON{f.Invariant, f.Message, f.Where, f.Path.Choices.String(), steps, e.again + " --path " + f.Path.Choices.String()})
	}
	encoder := json.NewEncoder(e.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(doc)
}
