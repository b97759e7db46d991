package explore

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Report is what an exploration has seen.
type Report struct {
	Workflow   string
	Input      json.RawMessage // a JSON array: what the paths began with
	Paths      int             // that were made
	Steps      int             // of all of them
	Cut        int             // paths that were cut off, as they went on and on
	Exhaustive bool            // there are no other paths within the bounds
	Complete   int             // paths with at most Deviations deviations: all that there are
	Deviations int
	Sampled    bool   // the rest was chosen at random,
	Known      int    // out of so many or more
	Broken     int    // paths that break an invariant
	Ended      string // why it has ended early: interrupted, out of time; "" if it has not
	Histories  int    // different turns that were made
	Elapsed    time.Duration
	Usual      *history.Failure // what the run fails with on the path without deviations; nil: it does not fail
	Failures   []*Failure       // one for each invariant that does not hold, in the order in which they were found
	Guessed    []Guess          // values that nobody has given
	Uncalled   []Uncalled       // activities of which the configuration says something, and which no path has called
}

// Failure is an invariant that does not hold, with the shortest path found.
type Failure struct {
	Violation
	Path      *Path
	Text      string            // the path step by step, for people
	Recording history.Recording // the run on it; what its history does not tell of, such as attempts that were made again, is in Path
}

// Guess is a value that was looked for because nobody has given it.
type Guess struct {
	Name  string // of the activity or the signal; "" for the input
	Kind  string // activity, signal, input
	Value string // a JSON array
}

// Uncalled is an activity that was not called: its name may be misspelt.
type Uncalled struct {
	Name string
	Hint string // " (did you mean …?)", or ""
}

// Progress is how far an exploration is.
type Progress struct {
	Paths      int
	Deviations int // of the paths that are being made
	Sampling   bool
	Elapsed    time.Duration
	Failures   int
}

// Rate is in paths per second.
func (r *Report) Rate() float64 { return float64(r.Paths) / max(r.Elapsed.Seconds(), 1e-6) }

// Explore makes the paths of a workflow and checks each. The error is about the configuration or a judge; what is wrong with the
// workflow is in the report.
func Explore(ctx context.Context, config Config) (*Report, error) {
	if config.Time > 0 {
		limited, cancel := context.WithTimeout(ctx, config.Time)
		defer cancel()
		ctx = limited
	}
	s, err := newSearch(ctx, config)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	s.report.Histories, s.report.Uncalled = s.histories.made, s.setup.plausible.uncalled()
	s.report.Elapsed = time.Since(s.started)
	if err := s.explainAll(); err != nil {
		return nil, err
	}
	return s.report, nil
}

// Replay makes one path, and reports what is wrong with it. Text of the failure, or of the path if it breaks nothing, is in the report
// as the only failure; its Invariant is "" then.
func Replay(config Config, choices Choices) (*Report, error) {
	s, err := newSearch(context.Background(), config)
	if err != nil {
		return nil, err
	}
	defer s.close()
	w := &world{setup: s.setup, histories: &s.histories, choices: choices, patient: true}
	p := w.play()
	if w.lost {
		return nil, fmt.Errorf("there is no path %s: at one of its points fewer things may happen; it comes from another script, input or options", choices)
	}
	violations, err := judge(p, s.judges[0])
	if err != nil {
		return nil, err
	}
	s.report.Paths, s.report.Steps, s.report.Elapsed = 1, len(p.Steps), time.Since(s.started)
	s.report.Broken = min(len(violations), 1)
	if len(violations) == 0 {
		violations = []Violation{{}}
	}
	for _, v := range violations {
		s.report.Failures = append(s.report.Failures, s.explain(choices, v))
	}
	return s.report, nil
}

func newSearch(ctx context.Context, config Config) (*search, error) {
	config.Paths = cmp.Or(config.Paths, 20_000)
	s := &search{config: config, report: &Report{}, started: time.Now(), found: map[string]*done{}}
	var err error
	if s.setup, err = newSetup(config); err != nil {
		return nil, err
	}
	s.setup.over = func() bool { return ctx.Err() != nil }
	s.setup.calibrate(ctx)
	s.report.Workflow, s.report.Input, s.report.Usual, s.report.Guessed = s.setup.workflow, s.setup.input, s.setup.usual, s.setup.plausible.guesses(s.setup)
	for range workers(config.Workers) {
		var j Judge = nobody{}
		if config.Judges != nil {
			if j, err = config.Judges(); err != nil {
				s.close()
				return nil, err
			}
		}
		s.judges = append(s.judges, j)
		s.worlds = append(s.worlds, &world{setup: s.setup, histories: &s.histories, path: new(Path)})
	}
	return s, nil
}

func (s *search) close() {
	for _, j := range s.judges {
		j.Close()
	}
}

// explainAll makes the shortest path of each failure again, and tells it.
func (s *search) explainAll() error {
	list := make([]*done, 0, len(s.found))
	for invariant, d := range s.found {
		d := *d
		d.violations = slices.DeleteFunc(slices.Clone(d.violations), func(v Violation) bool { return v.Invariant != invariant })
		list = append(list, &d)
	}
	slices.SortFunc(list, func(a, b *done) int {
		return cmp.Or(cmp.Compare(a.job.depth, b.job.depth), cmp.Compare(a.guesses, b.guesses), cmp.Compare(a.faults, b.faults), cmp.Compare(a.steps, b.steps),
			cmp.Compare(a.violations[0].Invariant, b.violations[0].Invariant))
	})
	for _, d := range list {
		choices, v, err := s.shrink(d.job.choices(), d.violations[0])
		if err != nil {
			return err
		}
		s.report.Failures = append(s.report.Failures, s.explain(choices, v))
	}
	return nil
}

// shrink leaves out deviations as long as the invariant stays broken.
func (s *search) shrink(choices Choices, v Violation) (Choices, Violation, error) {
	for again := true; again; {
		again = false
		for i := range choices {
			fewer := slices.Delete(slices.Clone(choices), i, i+1)
			w := &world{setup: s.setup, histories: &s.histories, choices: fewer}
			p := w.play()
			if w.halted {
				return choices, v, nil
			}
			if w.lost {
				continue
			}
			found, err := judge(p, s.judges[0])
			if err != nil {
				return nil, v, err
			}
			if at := slices.IndexFunc(found, func(f Violation) bool { return f.Invariant == v.Invariant }); at >= 0 {
				choices, v, again = fewer, found[at], true
				break
			}
		}
	}
	return choices, v, nil
}

// newSetup decides what the configuration leaves open.
func newSetup(c Config) (*setup, error) {
	if c.Program == nil {
		return nil, fmt.Errorf("explore: expected a program to explore, got none: set Config.Program")
	}
	s := &setup{program: c.Program, workflow: c.Workflow, input: c.Input, limits: c.Limits, library: c.Library, cancel: !c.NoCancel, crash: !c.NoCrash,
		faults: cmp.Or(c.Faults, 2), steps: cmp.Or(c.Steps, 300)}
	if s.workflow == "" {
		names := c.Program.Workflows()
		if len(names) != 1 {
			return nil, fmt.Errorf("the file declares several workflows: say which of %v", names)
		}
		s.workflow = names[0]
	} else if !slices.Contains(c.Program.Workflows(), s.workflow) {
		return nil, fmt.Errorf("the file declares no workflow %q; it has %v", s.workflow, c.Program.Workflows())
	}
	s.plausible = newPlausible(c)
	names := maps.Clone(s.plausible.script.signals)
	if len(c.Program.Workflows()) > 1 { // whose they are is not known
		clear(names)
	}
	for name := range c.Signals {
		names[name] = true
	}
	s.signalNames = slices.Sorted(maps.Keys(names))
	return s, nil
}
