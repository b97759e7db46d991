package explore

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// trial is the path without deviations with some values.
type trial struct {
	path     *Path
	expected []stdlib.Expected
	rank     int // 0: it completes or waits; 1: it fails; 2: with an error of Lua; 3: the engine cannot run it
}

func (s *setup) try() trial {
	s.tries++
	s.plausible.forget()
	if s.guessed {
		var rest []any
		if s.plausible.every {
			rest = s.plausible.rest(s.plausible.script.takes[s.workflow])
		}
		s.input = s.plausible.array(s.plausible.shapes[inputName], "input", rest...)
	}
	w := &world{setup: s, histories: new(histories)}
	t := trial{path: w.play(), expected: w.main().cursor.at.expected}
	switch p := t.path; {
	case p.Err != nil:
		t.rank = 3
	case scriptError(&p.Closing) != nil:
		t.rank = 2
	case p.Status == history.Failed:
		t.rank = 1
	}
	return t
}

func (t *trial) better(than *trial) bool {
	return t.rank < than.rank || t.rank == than.rank && t.rank > 0 && len(t.path.Steps) > len(than.path.Steps)
}

// calibrate looks for values that the script can use where nobody has given any: those with which the path without deviations comes
// furthest. Then it looks for other values with which the script decides otherwise: these are deviations.
func (s *setup) calibrate(ctx context.Context) {
	s.guessed = s.input == nil
	best := s.try()
	most := mostTries
	if best.rank == 3 { // it may be slow, and other values will hardly help
		most = 10
	}
	s.enough = func() bool { return s.tries > most || ctx.Err() != nil }
	if best.rank == 2 && s.guessed && len(s.plausible.script.takes[s.workflow]) > 1 { // it misses more than the first
		s.plausible.every = true
		if t := s.try(); t.better(&best) {
			best = t
		} else {
			s.plausible.every = false
		}
	}
	for best.rank > 0 && !s.enough() {
		better, found := s.improve(best)
		if !found {
			break
		}
		best = better
	}
	if best.rank == 0 {
		best = s.enrich(best)
	}
	for _, e := range best.expected {
		if !slices.Contains(s.signalNames, e.Name) {
			s.signalNames = append(s.signalNames, e.Name)
		}
	}
	slices.Sort(s.signalNames)
	s.vary(best)
	s.plausible.forget()
	if last := s.try(); last.path.Status == history.Failed {
		s.usual = last.path.Closing.Failure
	}
}

// mostTries is how many paths are made to find values.
const mostTries = 500

// enrich changes a shape if the run then calls more activities, and completes.
func (s *setup) enrich(best trial) trial {
	for _, what := range s.guessable(best.path) {
		old := s.plausible.shapes[what]
		for _, sh := range [...]shape{records, texts} {
			s.plausible.shapes[what] = sh
			for range 4 {
				if s.enough() {
					break
				}
				if t := s.try(); t.rank == 0 && t.path.Status == history.Completed && len(t.path.Calls) > len(best.path.Calls) {
					best, old = t, sh
					break
				}
				s.plausible.other()
			}
		}
		s.plausible.shapes[what] = old
	}
	return best
}

// improve changes one shape.
func (s *setup) improve(best trial) (trial, bool) {
	v := s.plausible
	for _, what := range s.guessable(best.path) {
		old := v.shapes[what]
		for sh := range shapes {
			if sh == old || s.enough() {
				continue
			}
			v.shapes[what] = sh
			if t := s.try(); t.better(&best) {
				return t, true
			}
		}
		v.shapes[what] = old
	}
	for range 3 {
		v.other()
		if t := s.try(); t.better(&best) {
			return t, true
		}
	}
	v.other()
	return best, false
}

// other goes through the ways in which records may be filled.
func (v *plausible) other() {
	if v.plain == text {
		v.plain = number
		return
	}
	v.plain = text
	v.items ^= text
}

// guessable are the names of what nobody has given a value for, what came last first.
func (s *setup) guessable(p *Path) []string {
	var list []string
	add := func(what string) {
		if !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	for _, step := range slices.Backward(p.Steps) {
		switch {
		case step.What == Succeeds && len(s.plausible.given.Activities[step.Name].Returns) == 0:
			add(activityName(step.Name))
		case step.What == Arrives && len(s.plausible.given.Signals[step.Name].Args) == 0:
			add(signalName(step.Name))
		}
	}
	if s.guessed {
		add(inputName)
	}
	return list
}

// mostVariants is how many further values an activity or a signal has: each is a deviation everywhere.
const mostVariants = 2

// vary finds values with which the script decides otherwise, and makes no mistake.
func (s *setup) vary(usual trial) {
	v := s.plausible
	variants := map[string][]json.RawMessage{}
	for _, step := range usual.path.Steps {
		var what string
		switch {
		case step.What == Succeeds && len(s.plausible.given.Activities[step.Name].Returns) == 0:
			what = activityName(step.Name)
		case step.What == Arrives && len(s.plausible.given.Signals[step.Name].Args) == 0:
			what = signalName(step.Name)
		default:
			continue
		}
		if _, tried := variants[what]; tried {
			continue
		}
		variants[what] = nil
		seen := []*Path{usual.path}
		for _, other := range v.others(what, step.Name) {
			if s.enough() {
				break
			}
			v.variants = map[string][]json.RawMessage{what: {other}}
			t := s.with(step.Point)
			if t.rank < 2 && !slices.ContainsFunc(seen, func(p *Path) bool { return alike(p, t.path) }) && len(variants[what]) < mostVariants {
				variants[what] = append(variants[what], other)
				seen = append(seen, t.path)
			}
		}
	}
	v.variants = variants
}

// with makes the path on which the value of one step is the variant.
func (s *setup) with(point int) trial {
	s.plausible.forget()
	s.tries++
	t := trial{rank: 3}
	w := &world{setup: s, histories: new(histories)}
	w.variantAt = point
	t.path = w.play()
	if t.path.Err == nil {
		t.rank = 0
		if scriptError(&t.path.Closing) != nil {
			t.rank = 2
		}
	}
	return t
}

// alike says whether the runs of two paths have decided the same, values aside.
func alike(a, b *Path) bool {
	if len(a.Steps) != len(b.Steps) {
		return false
	}
	for i := range a.Steps {
		if !slices.EqualFunc(a.Steps[i].Answers, b.Steps[i].Answers, func(x, y Answer) bool {
			return slices.EqualFunc(x.Decisions, y.Decisions, func(x, y history.Event) bool {
				return x.Kind == y.Kind && x.Op == y.Op && x.Name == y.Name && x.At.Equal(y.At)
			})
		}) {
			return false
		}
	}
	return true
}
