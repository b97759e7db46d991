package suite

import (
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// Config says how to run tests. The zero value works.
type Config struct {
	Choice
	Test       flowtest.Config
	Shuffle    bool
	Seed       uint64 // of the order
	Parallel   int    // tests at the same time; 0: one
	FailFast   bool
	Coverage   *Coverage        // counts the lines that are run; nil: nobody does
	Interrupts <-chan os.Signal // end the run after the tests that are under way
}

// Reporter is told of what becomes of the tests, one after the other.
type Reporter interface {
	Begin(p Plan)
	Broken(f *File) // a file that does not load
	Test(f *File, r *flowtest.Result)
	End(s Summary)
}

// Plan is what is going to be run.
type Plan struct {
	Files, Tests int // tests of the files that load
	Broken       int
	Shuffled     bool
	Seed         uint64
}

// Summary is what has become of it.
type Summary struct {
	Passed, Failed, Pending int
	Broken                  int // files that do not load
	Skipped                 int // tests that were not run: after the first failure, or an interruption
	Interrupted             bool
	Elapsed                 time.Duration // virtual
	Took                    time.Duration
}

// job is a test on its way.
type job struct {
	file   *File
	test   flowtest.Test
	result flowtest.Result
	ran    bool
	done   chan struct{}
}

// Run runs the tests of files and reports them in order.
func Run(files []*File, c Config, report Reporter) Summary {
	began := time.Now()
	plan := Plan{Files: len(files), Shuffled: c.Shuffle, Seed: c.Seed}
	var jobs []*job
	for _, f := range files {
		if f.Err != nil {
			plan.Broken++
		}
		for _, t := range f.tests(c.Choice) {
			jobs = append(jobs, &job{file: f, test: t, done: make(chan struct{})})
		}
	}
	plan.Tests = len(jobs)
	if c.Shuffle {
		rand.New(rand.NewPCG(c.Seed, 0)).Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	}
	report.Begin(plan)
	s := Summary{Broken: plan.Broken}
	for _, f := range files {
		if f.Err != nil {
			report.Broken(f)
		}
	}
	stop := make(chan struct{})
	wait := start(jobs, c, stop)
	stopped := false
	for _, j := range jobs {
		select {
		case <-j.done:
		case <-c.Interrupts:
			s.Interrupted = true
			if !stopped {
				stopped = true
				close(stop)
			}
		}
		<-j.done
		if !j.ran || stopped && !s.Interrupted {
			s.Skipped++
			continue
		}
		s.add(&j.result)
		report.Test(j.file, &j.result)
		if c.FailFast && !stopped && j.result.Status == flowtest.Failed {
			stopped = true
			close(stop)
		}
	}
	wait()
	s.Took = time.Since(began)
	if c.Coverage != nil {
		for _, f := range files {
			c.Coverage.take(f)
		}
	}
	report.End(s)
	return s
}

func (j *job) run(c Config) {
	if c.Coverage != nil {
		c.Test.Cover = func(file string, lines map[int]int) { c.Coverage.add(j.file.Shown(file), lines) }
	}
	j.result, j.ran = j.file.file.Run(j.test, c.Test), true
}

func (s *Summary) add(r *flowtest.Result) {
	s.Elapsed += r.Elapsed
	switch r.Status {
	case flowtest.Passed:
		s.Passed++
	case flowtest.Failed:
		s.Failed++
	default:
		s.Pending++
	}
}

// start lets workers take the jobs in order, until stop is closed; wait is for their end.
func start(jobs []*job, c Config, stop <-chan struct{}) (wait func()) {
	queue := make(chan *job, len(jobs))
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	var workers sync.WaitGroup
	for range max(c.Parallel, 1) {
		workers.Go(func() {
			for j := range queue {
				select {
				case <-stop:
				default:
					j.run(c)
				}
				close(j.done)
			}
		})
	}
	return workers.Wait
}
