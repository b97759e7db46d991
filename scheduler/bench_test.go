package scheduler

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// BenchmarkTree starts n branches that wait for one promise, releases them and ends. x-baseline is the time per branch
// relative to that of a tree of a thousand, measured in the same run; B/branch is what a waiting branch holds, its
// coroutine's stack included. The first tree of each size is not timed: it pays for the pages that the system hands out
// and zeroes, which is not the scheduler's time.
//
// At 1e6 the stacks of the coroutines (2 KB each, given back by the runtime and taken again from the system) are most of
// the time; BenchmarkTreeUnstarted is the same tree without them.
func BenchmarkTree(b *testing.B) { benchmarkTree(b, grow) }

// BenchmarkTreeUnstarted is BenchmarkTree with branches that wait by After, so that they need no coroutine meanwhile.
func BenchmarkTreeUnstarted(b *testing.B) { benchmarkTree(b, growUnstarted) }

func benchmarkTree(b *testing.B, grow func(n int, parked func())) {
	var baseline float64
	for _, n := range []int{1e3, 1e4, 1e5, 1e6} {
		b.Run(fmt.Sprintf("%.0e", float64(n)), func(b *testing.B) {
			before := inUse()
			var held uint64
			grow(n, func() { held = inUse() - before })
			var spent time.Duration
			rounds := 0
			for b.Loop() {
				begin := time.Now()
				for range max(1, 100_000/n) {
					grow(n, nil)
					rounds++
				}
				spent += time.Since(begin)
			}
			perBranch := float64(spent.Nanoseconds()) / float64(rounds) / float64(n)
			if n == 1e3 {
				baseline = perBranch
			}
			b.ReportMetric(perBranch, "ns/branch")
			if baseline > 0 {
				b.ReportMetric(perBranch/baseline, "x-baseline")
			}
			b.ReportMetric(float64(held)/float64(n), "B/branch")
		})
	}
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// grow runs a tree of n waiting branches; parked is called while all wait.
func grow(n int, parked func()) {
	growing(n, parked, func(gate *Promise) Spec {
		return Spec{Body: func(b *Branch, _ []any) (any, error) { return b.Await(gate) }}
	})
}

func growUnstarted(n int, parked func()) {
	growing(n, parked, func(gate *Promise) Spec {
		return Spec{After: []*Promise{gate}, Body: func(*Branch, []any) (any, error) { return nil, nil }}
	})
}

func growing(n int, parked func(), how func(gate *Promise) Spec) {
	tree := New(Config{})
	gate := tree.Promise(nil, "gate")
	spec := how(gate)
	tree.Start("", nil, func(b *Branch, _ []any) (any, error) {
		for range n {
			if _, err := b.Spawn(spec); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	must(tree.Run())
	if parked != nil {
		parked()
	}
	must(gate.Set(nil))
	must(tree.Run())
	if !tree.Done() {
		panic("branches were left")
	}
	tree.Stop()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// BenchmarkBranch starts and ends branches that never wait, and branches that yield once.
func BenchmarkBranch(b *testing.B) {
	for name, body := range map[string]Func{
		"finish": func(*Branch, []any) (any, error) { return nil, nil },
		"yield":  func(b *Branch, _ []any) (any, error) { return nil, b.Yield() },
	} {
		b.Run(name, func(b *testing.B) {
			tree := New(Config{})
			defer tree.Stop()
			tree.Start("", nil, func(root *Branch, _ []any) (any, error) {
				b.ReportAllocs()
				for b.Loop() {
					p, err := root.Spawn(Spec{Body: body})
					must(err)
					_, err = root.Await(p)
					must(err)
				}
				return nil, nil
			})
			must(tree.Run())
		})
	}
}

// BenchmarkAwaitSettled is a wait that does not yield.
func BenchmarkAwaitSettled(b *testing.B) {
	tree := New(Config{})
	defer tree.Stop()
	ready := tree.Promise(nil, "")
	must(ready.Set(1))
	tree.Start("", nil, func(root *Branch, _ []any) (any, error) {
		for b.Loop() {
			_, err := root.Await(ready)
			must(err)
		}
		return nil, nil
	})
	must(tree.Run())
}
