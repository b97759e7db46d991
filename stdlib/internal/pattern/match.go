package pattern

import "strings"

// flush is how many steps are taken between two reports to Charge.
const flush = 4096

// Fault is a fault of the pattern met while matching; its text is Lua's.
type Fault string

// Error returns Lua's text.
func (f Fault) Error() string { return string(f) }

// position marks a capture that is a position, not text.
const position = -1

// Matcher runs patterns over one subject. Its zero value with a Subject is ready.
type Matcher struct {
	Subject string
	// Charge is told of the work done, one step for about one item tried or eight bytes scanned. It
	// may panic to end the match.
	Charge func(steps int64)
	Spent  int64 // steps told to Charge, since it was set to 0

	starts, ends [MaxCaptures]int
	choices      []choice
	steps        int64
}

// choice is an alternative to come back to: at resumes with item pc.
type choice struct {
	pc     int
	at     int // greedy: the end tried last; lazy: where the next repetition would be; optional: where to go on
	lowest int // greedy: the least end
	kind   opcode
}

// Find tries the pattern at each place from at on (only there if it is anchored). It returns the start and
// end of the first match, -1 if there is none. What it took may not have been reported before Settle.
func (m *Matcher) Find(p *Pattern, at int) (start, end int, err error) {
	for {
		if !p.anchored {
			if at = m.skip(p, at); at < 0 {
				return -1, -1, nil
			}
			if p.alone != nil {
				m.steps += 2
				return at, m.stretch(p.alone, at), nil
			}
		}
		end, err = m.run(p.items, at)
		if err != nil {
			m.Settle()
		}
		if end >= 0 || err != nil {
			return at, end, err
		}
		if at++; p.anchored || at > len(m.Subject) {
			return -1, -1, nil
		}
	}
}

// skip finds the first place from at on where an attempt could succeed, -1 if there is none.
func (m *Matcher) skip(p *Pattern, at int) int {
	first := p.first
	if first == nil {
		return at
	}
	rest := m.Subject[at:]
	i := -1
	switch {
	case len(p.prefix) > 1:
		i = strings.Index(rest, p.prefix)
	case first.single == opChar:
		i = strings.IndexByte(rest, first.char)
	default:
		for j := 0; j < len(rest); j++ {
			if first.set[rest[j]] {
				i = j
				break
			}
		}
	}
	if i < 0 {
		m.scanned(len(rest))
		return -1
	}
	m.scanned(i)
	return at + i
}

// scanned counts bytes that were looked at one after the other.
func (m *Matcher) scanned(n int) {
	if m.steps += int64(n) / 8; m.steps >= flush {
		m.Settle()
	}
}

// Reset is for another subject. What the last one took is reported then or later, when there is enough of it.
func (m *Matcher) Reset(subject string) {
	if m.steps >= flush/32 {
		m.Settle()
	}
	m.Subject, m.Spent = subject, 0
}

// Settle reports the steps that have gathered.
func (m *Matcher) Settle() {
	gathered := m.steps
	if gathered == 0 {
		return
	}
	m.steps = 0
	m.Spent += gathered
	if m.Charge != nil {
		m.Charge(gathered)
	}
}

// Capture gives capture i (from 0) of the last match, whose bounds are start and end: the whole match as
// capture 0 of a pattern without captures. A position capture has isPosition and the offset in from.
func (m *Matcher) Capture(p *Pattern, i, start, end int) (from, to int, isPosition bool, err error) {
	if i >= p.captures {
		if i != 0 {
			return 0, 0, false, Fault(faultIndex)
		}
		return start, end, false, nil
	}
	if p.open&(1<<i) != 0 {
		return 0, 0, false, Fault(faultUnfinished)
	}
	if m.ends[i] == position {
		return m.starts[i], 0, true, nil
	}
	return m.starts[i], m.ends[i], false, nil
}
