package scheduler

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTreeAgainstModel lets random trees live: what the scheduler does is what the naive model does, step by step.
func TestTreeAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, genProgram(false).Draw(t, "program"), false) })
}

// TestCalmTreesEnd: whatever happens, a tree whose catch, finally and shields do not wait can be brought to its end.
func TestCalmTreesEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, genProgram(true).Draw(t, "program"), true) })
}

func compare(t *rapid.T, p program, ends bool) {
	d, m := newDriver(p), newModel(p)
	defer d.tree.Stop()
	both := func(h happening) {
		d.happen(h)
		m.happen(h)
		same(t, d.trace, m.trace)
		same(t, d.results(), m.results())
	}
	for _, h := range append(p.outside, happening{what: runs}) {
		both(h)
	}
	if ends {
		for _, h := range d.endings() {
			both(h)
		}
		if !d.tree.Done() {
			t.Fatalf("the root does not end:\n%s\n%s", d.tree, strings.Join(d.trace, "\n"))
		}
	}
	checkInvariants(t, d)
	again := newDriver(p)
	defer again.tree.Stop()
	for _, h := range append(p.outside, happening{what: runs}) {
		again.happen(h)
	}
	same(t, again.trace, d.trace[:len(again.trace)])
}

func same[T comparable](t *rapid.T, got, want []T) {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("differs at %d:\nscheduler: %v\nmodel:     %v", i, tail(got, i), tail(want, i))
		}
	}
}

func tail[T any](s []T, i int) []T { return s[min(max(0, i-12), len(s)):min(i+2, len(s))] }

// checkInvariants looks at the trace only.
func checkInvariants(t *rapid.T, d *driver) {
	catches, finals := map[string]int{}, map[string]int{}
	for _, line := range d.trace {
		words := strings.Fields(line)
		switch words[0] {
		case "catch":
			catches[words[1]]++
			if finals[words[1]] > 0 {
				t.Fatalf("catch after finally: %s", line)
			}
		case "finally":
			finals[words[1]]++
		}
	}
	for id, n := range catches {
		if n > 1 {
			t.Fatalf("catch ran %d times in %s", n, id)
		}
	}
	for id, n := range finals {
		if n > 1 {
			t.Fatalf("finally ran %d times in %s", n, id)
		}
	}
}
