package explore

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"
)

// job is a path that is to be made: that of its parent with one more deviation.
type job struct {
	parent *job
	choice Choice
	depth  int
}

func (j *job) choices() Choices {
	list := make(Choices, j.depth)
	for k := j; k.depth > 0; k = k.parent {
		list[k.depth-1] = k.choice
	}
	return list
}

// done is a path that was made.
type done struct {
	job        *job
	wild       Choices // deviations that may follow
	violations []Violation
	steps      int
	faults     int
	guesses    int // values that nobody has given, and that are not the usual ones
	cut        bool
}

// search makes the paths.
type search struct {
	setup     *setup
	config    Config
	histories histories
	report    *Report
	random    *rand.Rand
	judges    []Judge
	worlds    []*world // one for each worker, used again and again
	started   time.Time
	found     map[string]*done // the shortest failure of each invariant
}

// batch is how many paths are made between two looks at the clock.
const batch = 512

// run makes paths with no deviation, with one, with two …, until none is left, one of them fails, or as many were made as may be.
func (s *search) run(ctx context.Context) error {
	s.random = rand.New(rand.NewPCG(s.config.Seed, 1))
	level := []*job{{}}
	for depth := 0; len(level) > 0 && len(s.found) == 0; depth++ {
		next, known, err := s.level(ctx, level)
		if err != nil {
			return err
		}
		if s.report.Ended != "" {
			s.report.Known += len(level)
			return nil
		}
		s.report.Deviations = depth
		s.report.Complete = s.report.Paths
		level = next
		if known > len(next) || len(level) > s.left() {
			s.report.Known += known
			if len(s.found) == 0 {
				return s.sample(ctx, level)
			}
			return nil
		}
	}
	if len(level) == 0 {
		s.report.Exhaustive = true
	}
	return nil
}

func (s *search) left() int { return s.config.Paths - s.report.Paths }

// level makes all paths of a level. Of the next it returns as many as there is room for, at random if these are not all.
func (s *search) level(ctx context.Context, level []*job) (next []*job, known int, err error) {
	room := max(s.left()-len(level), 1)
	for list := range slices.Chunk(level, batch) {
		results, err := s.batch(ctx, list)
		if err != nil || s.report.Ended != "" {
			return nil, 0, err
		}
		for _, r := range results {
			for _, c := range r.wild {
				known++
				j := &job{parent: r.job, choice: c, depth: r.job.depth + 1}
				if len(next) < room {
					next = append(next, j)
				} else if at := s.random.IntN(known); at < room {
					next[at] = j
				}
			}
		}
	}
	return next, known, nil
}

// sample makes paths out of a level that is too large, and goes on from half of them at random.
func (s *search) sample(ctx context.Context, level []*job) error {
	s.random.Shuffle(len(level), func(i, j int) { level[i], level[j] = level[j], level[i] })
	s.report.Sampled, s.histories.final = true, true
	for len(level) > 0 && len(s.found) == 0 && s.left() > 0 {
		n := min(len(level), max(s.left()/2, 1), batch)
		results, err := s.batch(ctx, level[:n])
		if err != nil || s.report.Ended != "" {
			return err
		}
		level = level[n:]
		var deeper []*job
		for _, r := range results {
			if len(r.wild) > 0 && len(deeper) < s.left() {
				c := r.wild[s.random.IntN(len(r.wild))]
				deeper = append(deeper, &job{parent: r.job, choice: c, depth: r.job.depth + 1})
			}
		}
		level = append(deeper[:len(deeper)/2], level...)
	}
	return nil
}

// batch makes paths in parallel. What comes of them does not depend on how many workers there are.
func (s *search) batch(ctx context.Context, jobs []*job) ([]done, error) {
	results := make([]done, len(jobs))
	errs := make([]error, len(s.judges))
	var next sync.Mutex
	at := 0
	work := func(worker int) {
		for {
			next.Lock()
			from := at
			at = min(at+16, len(jobs))
			to := at
			next.Unlock()
			if from == to {
				return
			}
			for i := from; i < to && errs[worker] == nil && ctx.Err() == nil; i++ {
				results[i], errs[worker] = s.one(jobs[i], worker)
			}
		}
	}
	if len(s.judges) == 1 {
		work(0)
	} else {
		var group sync.WaitGroup
		for worker := range s.judges {
			group.Go(func() { work(worker) })
		}
		group.Wait()
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	s.take(results)
	switch ctx.Err() {
	case nil:
	case context.DeadlineExceeded:
		s.report.Ended = "out of time"
	default:
		s.report.Ended = "interrupted"
	}
	if s.config.Progress != nil {
		s.config.Progress(Progress{Paths: s.report.Paths, Deviations: s.report.Deviations + 1, Sampling: s.report.Sampled, Elapsed: time.Since(s.started), Failures: len(s.found)})
	}
	return results, nil
}

// one makes and judges one path.
func (s *search) one(j *job, worker int) (done, error) {
	w := s.worlds[worker]
	w.again(j.choices())
	p := w.play()
	if w.halted {
		return done{}, nil
	}
	d := done{job: j, wild: slices.Clone(w.wild), steps: len(p.Steps), faults: p.Faults, guesses: w.guesses, cut: p.Cut}
	var err error
	d.violations, err = judge(p, s.judges[worker])
	return d, err
}

// take counts the results, and keeps the shortest failure of each invariant.
func (s *search) take(results []done) {
	r := s.report
	for i := range results {
		d := &results[i]
		if d.job == nil { // it was not made any more
			continue
		}
		r.Paths++
		r.Steps += d.steps
		if d.cut {
			r.Cut++
		}
		if len(d.violations) > 0 {
			r.Broken++
		}
		for _, v := range d.violations {
			if best := s.found[v.Invariant]; best == nil || d.shorterThan(best) {
				s.found[v.Invariant] = d
			}
		}
	}
}

// shorterThan tells which path is the better one to be shown. A value that was guessed may never come, so it is a worse reason than a fault.
func (d *done) shorterThan(other *done) bool {
	switch {
	case d.job.depth != other.job.depth:
		return d.job.depth < other.job.depth
	case d.guesses != other.guesses:
		return d.guesses < other.guesses
	case d.faults != other.faults:
		return d.faults < other.faults
	}
	return d.steps < other.steps
}

func workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
