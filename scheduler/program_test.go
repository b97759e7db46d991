package scheduler

import (
	"fmt"

	"pgregory.net/rapid"
)

// A program is what a random tree does: both the scheduler (driver) and the naive model interpret it, and must leave the
// same trace. Things are numbered in the order in which they are begun; instructions refer to them by that number.

type action int

const (
	spawn action = iota
	try
	begin
	await
	first
	yield
	raise
	cancel
	set
	reject
	shield
	combineThem
	observe
	link
	giveBack
	actions
)

type instr struct {
	do      action
	n, m    int // references, modulo what there is
	daemon  bool
	swallow bool
	after   []int
	mode    mode
	how     combination
	body    []instr
	catch   []instr
	finally []instr
	caught  bool // has a catch
	final   bool // has a finally
}

const settables = 3

// happening is what comes from outside of the tree, between runs.
type happening struct {
	what happens
	n    int
	body []instr
}

type happens int

const (
	runs happens = iota
	completes
	fails
	sets
	cancels
	attaches
	happenings
)

type program struct {
	root    []instr
	outside []happening
}

func genProgram(calm bool) *rapid.Generator[program] {
	return rapid.Custom(func(t *rapid.T) program {
		g := generating{T: t, calm: calm, left: 40}
		p := program{root: g.block(3, true, 6)}
		for range rapid.IntRange(0, 14).Draw(t, "outside") {
			h := happening{what: happens(rapid.IntRange(0, int(happenings)-1).Draw(t, "what")), n: g.ref()}
			if h.what == attaches {
				h.body = g.block(1, true, 3)
			}
			p.outside = append(p.outside, h)
		}
		return p
	})
}

type generating struct {
	*rapid.T
	calm bool // nothing waits where it cannot be cancelled, so that every tree can be brought to an end
	left int
}

func (g *generating) ref() int { return rapid.IntRange(0, 30).Draw(g.T, "ref") }

func (g *generating) maybe(label string) bool { return rapid.IntRange(0, 2).Draw(g.T, label) == 0 }

// block is a body; waits tells whether it may wait.
func (g *generating) block(depth int, waits bool, most int) []instr {
	var block []instr
	for range rapid.IntRange(0, most).Draw(g.T, "length") {
		if g.left--; g.left < 0 {
			break
		}
		do := action(rapid.IntRange(0, int(actions)-1).Draw(g.T, "do"))
		switch do {
		case await, first, giveBack, begin:
			if !waits {
				do = yield
			}
		case spawn, try, shield:
			if depth == 0 {
				do = begin
				if !waits {
					do = yield
				}
			}
		}
		block = append(block, g.instr(do, depth, waits))
		if do == giveBack {
			break
		}
	}
	return block
}

func (g *generating) instr(do action, depth int, waits bool) instr {
	in := instr{do: do, n: g.ref(), m: g.ref(), swallow: g.maybe("swallow")}
	unshielded := waits && !g.calm
	switch do {
	case spawn, try, begin:
		in.daemon = g.maybe("daemon")
		if waits && g.maybe("after") {
			in.after = append(in.after, g.ref())
			if g.maybe("after2") {
				in.after = append(in.after, g.ref())
			}
		}
	case raise:
		in.daemon = g.maybe("cancelled") // raises a cancellation
	}
	switch do {
	case spawn:
		in.body = g.block(depth-1, waits, 4)
	case shield:
		in.body = g.block(depth-1, unshielded, 3)
	case try:
		in.body = g.block(depth-1, waits, 5)
		if in.caught = g.maybe("caught") || g.maybe("caught2"); in.caught {
			in.catch = g.block(depth-1, unshielded, 3)
		}
		if in.final = g.maybe("final"); in.final {
			in.finally = g.block(depth-1, unshielded, 3)
		}
	case begin:
		in.mode = mode(rapid.IntRange(0, int(ct)).Draw(g.T, "mode"))
	case combineThem:
		in.how = combination(rapid.IntRange(0, int(outcome)).Draw(g.T, "how"))
	}
	return in
}

func showValue(v any, err error) string {
	if err != nil {
		return "!" + text(err)
	}
	if s, ok := v.(Settled); ok {
		return fmt.Sprintf("settled(%v %s)", v.(Settled).Value, text(s.Err))
	}
	return fmt.Sprint(v)
}
