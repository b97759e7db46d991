package pattern

import "strings"

// run is one attempt at one place: the items in order, and after a failure the newest choice. It
// returns the end of the match or -1.
func (m *Matcher) run(items []item, s int) (int, error) {
	text := m.Subject
	m.choices = m.choices[:0]
	pc := 0
	for {
		if m.steps++; m.steps >= flush {
			m.Settle()
		}
		it := &items[pc]
		ok := true
		switch it.op {
		case opMatch:
			return s, nil
		case opChar:
			ok = s < len(text) && text[s] == it.char
			s++
		case opAny:
			ok = s < len(text)
			s++
		case opSet:
			ok = s < len(text) && it.set[text[s]]
			s++
		case opGreedy:
			end := m.stretch(it, s)
			lowest := s + int(it.least)
			ok = end >= lowest
			if ok && end > lowest && items[pc+1].op != opMatch {
				m.choices = append(m.choices, choice{pc: pc, at: end + 1, lowest: lowest, kind: opGreedy})
				ok = false // let the choice itself take its first, longest end
			} else {
				s = end
			}
		case opLazy:
			m.choices = append(m.choices, choice{pc: pc, at: s, kind: opLazy})
			if it.ahead {
				ok = s < len(text) && text[s] == it.follow
			}
		case opOptional:
			if s < len(text) && it.accepts(text[s]) {
				m.choices = append(m.choices, choice{pc: pc, at: s, kind: opOptional})
				s++
			}
		case opOpen:
			m.starts[it.capture] = s
		case opPosition:
			m.starts[it.capture], m.ends[it.capture] = s, position
		case opClose:
			m.ends[it.capture] = s
		case opEnd:
			ok = s == len(text)
		case opFail:
			return -1, Fault(it.fault)
		default:
			s, ok = m.special(it, s)
		}
		if ok {
			pc++
			continue
		}
		if pc, s = m.retry(items); pc < 0 {
			return -1, nil
		}
	}
}

// accepts tells whether a repeated item takes the byte.
func (it *item) accepts(c byte) bool {
	switch it.single {
	case opChar:
		return c == it.char
	case opSet:
		return it.set[c]
	}
	return true
}

// stretch is the furthest end a greedy item can reach from s.
func (m *Matcher) stretch(it *item, s int) int {
	text := m.Subject
	end := s
	switch it.single {
	case opAny:
		end = len(text)
	case opChar:
		for end < len(text) && text[end] == it.char {
			end++
		}
	case opSet:
		set := it.set
		for end < len(text) && set[text[end]] {
			end++
		}
	}
	m.steps += int64(end-s) / 8
	return end
}

// retry takes the newest choice that is left: the item and the place to go on with, -1 if there is none.
func (m *Matcher) retry(items []item) (pc, s int) {
	for last := len(m.choices) - 1; last >= 0; last = len(m.choices) - 1 {
		ch := &m.choices[last]
		it := &items[ch.pc]
		switch ch.kind {
		case opGreedy:
			if m.shorten(it, ch) {
				if ch.at == ch.lowest {
					m.choices = m.choices[:last]
				}
				return ch.pc + 1, ch.at
			}
		case opLazy:
			if m.lengthen(it, ch) {
				return ch.pc + 1, ch.at
			}
		case opOptional:
			m.choices = m.choices[:last]
			return ch.pc + 1, ch.at
		}
		m.choices = m.choices[:last]
	}
	return -1, 0
}

// shorten moves a greedy choice to its next shorter end.
func (m *Matcher) shorten(it *item, ch *choice) bool {
	ch.at--
	if !it.ahead {
		return ch.at >= ch.lowest
	}
	top := min(ch.at+1, len(m.Subject))
	if top <= ch.lowest {
		return false
	}
	window := m.Subject[ch.lowest:top]
	i := strings.LastIndexByte(window, it.follow)
	m.steps += int64(len(window)-i) / 8
	ch.at = ch.lowest + i
	return i >= 0
}

// lengthen moves a lazy choice over at least one more repetition.
func (m *Matcher) lengthen(it *item, ch *choice) bool {
	text := m.Subject
	from := ch.at
	at := from
	if it.ahead && it.single == opAny {
		if from+1 > len(text) {
			return false
		}
		i := strings.IndexByte(text[from+1:], it.follow)
		if i < 0 {
			m.steps += int64(len(text)-from) / 8
			return false
		}
		m.steps += int64(i) / 8
		ch.at = from + 1 + i
		return true
	}
	for at < len(text) && it.accepts(text[at]) {
		at++
		if !it.ahead || at < len(text) && text[at] == it.follow {
			m.steps += int64(at-from) / 8
			ch.at = at
			return true
		}
	}
	m.steps += int64(at-from) / 8
	return false
}

// special runs the items that look at more than one byte.
func (m *Matcher) special(it *item, s int) (int, bool) {
	text := m.Subject
	switch it.op {
	case opBack:
		if m.ends[it.capture] == position {
			return s, false
		}
		whole := text[m.starts[it.capture]:m.ends[it.capture]]
		m.steps += int64(len(whole)) / 8
		return s + len(whole), strings.HasPrefix(text[s:], whole)
	case opFrontier:
		var before, here byte
		if s > 0 {
			before = text[s-1]
		}
		if s < len(text) {
			here = text[s]
		}
		return s, !it.set[before] && it.set[here]
	}
	return m.balance(it, s)
}

func (m *Matcher) balance(it *item, s int) (int, bool) {
	text := m.Subject
	if s >= len(text) || text[s] != it.char {
		return s, false
	}
	depth := 1
	for i := s + 1; i < len(text); i++ {
		switch text[i] {
		case it.other: // first, so that %bxx pairs equal bytes
			if depth--; depth == 0 {
				m.steps += int64(i-s) / 4
				return i + 1, true
			}
		case it.char:
			depth++
		}
	}
	m.steps += int64(len(text)-s) / 4
	return s, false
}
