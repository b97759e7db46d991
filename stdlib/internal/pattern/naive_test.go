package pattern

// naive is the recursive matcher of lstrlib.c (Lua 5.1.5), line for line: what the real one must agree with.
type naive struct {
	text   string
	source string
	level  int
	init   [MaxCaptures]int
	length [MaxCaptures]int
	steps  int
}

const (
	unfinished  = -1
	naivePlace  = -2
	naiveBudget = 20_000
	tooSlow     = Fault("too slow for the naive matcher")
)

func (m *naive) fail(f string) { panic(Fault(f)) }

func (m *naive) at(p int) byte {
	if p < len(m.source) {
		return m.source[p]
	}
	return 0
}

func (m *naive) byteAt(s int) byte {
	if s < len(m.text) {
		return m.text[s]
	}
	return 0
}

func (m *naive) classEnd(p int) int {
	c := m.at(p)
	p++
	switch c {
	case '%':
		if m.at(p) == 0 {
			m.fail(faultEscape)
		}
		return p + 1
	case '[':
		if m.at(p) == '^' {
			p++
		}
		for first := true; first || m.at(p) != ']'; first = false {
			if m.at(p) == 0 {
				m.fail(faultBracket)
			}
			c := m.at(p)
			p++
			if c == '%' && m.at(p) != 0 {
				p++
			}
		}
		return p + 1
	}
	return p
}

func naiveClass(c, letter byte) bool {
	member := members(letter | 0x20)
	if member == nil || !isAlpha(letter) {
		return c == letter
	}
	return member(c) == isLower(letter)
}

func (m *naive) bracket(c byte, p, end int) bool {
	sig := true
	if m.at(p+1) == '^' {
		sig = false
		p++
	}
	for p++; p < end; p++ {
		switch {
		case m.at(p) == '%':
			p++
			if naiveClass(c, m.at(p)) {
				return sig
			}
		case m.at(p+1) == '-' && p+2 < end:
			p += 2
			if m.at(p-2) <= c && c <= m.at(p) {
				return sig
			}
		case m.at(p) == c:
			return sig
		}
	}
	return !sig
}

func (m *naive) single(c byte, p, end int) bool {
	switch m.at(p) {
	case '.':
		return true
	case '%':
		return naiveClass(c, m.at(p+1))
	case '[':
		return m.bracket(c, p, end-1)
	}
	return m.at(p) == c
}

func (m *naive) match(s, p int) int {
	if m.steps++; m.steps > naiveBudget {
		panic(tooSlow)
	}
	switch m.at(p) {
	case 0:
		return s
	case '(':
		if m.at(p+1) == ')' {
			return m.open(s, p+2, naivePlace)
		}
		return m.open(s, p+1, unfinished)
	case ')':
		l := m.level - 1
		for ; l >= 0 && m.length[l] != unfinished; l-- {
		}
		if l < 0 {
			m.fail(faultClose)
		}
		m.length[l] = s - m.init[l]
		end := m.match(s, p+1)
		if end < 0 {
			m.length[l] = unfinished
		}
		return end
	case '$':
		if p+1 == len(m.source) {
			if s == len(m.text) {
				return s
			}
			return -1
		}
	case '%':
		switch c := m.at(p + 1); {
		case c == 'b':
			return m.balance(s, p+2)
		case c == 'f':
			p += 2
			if m.at(p) != '[' {
				m.fail(faultFrontier)
			}
			end := m.classEnd(p)
			var before byte
			if s > 0 {
				before = m.text[s-1]
			}
			if m.bracket(before, p, end-1) || !m.bracket(m.byteAt(s), p, end-1) {
				return -1
			}
			return m.match(s, end)
		case isDigit(c):
			l := int(c) - '1'
			if l < 0 || l >= m.level || m.length[l] == unfinished {
				m.fail(faultIndex)
			}
			n := m.length[l]
			if n == naivePlace || len(m.text)-s < n || m.text[m.init[l]:m.init[l]+n] != m.text[s:s+n] {
				return -1
			}
			return m.match(s+n, p+2)
		}
	}
	return m.repeated(s, p)
}

func (m *naive) open(s, p, what int) int {
	if m.level >= MaxCaptures {
		m.fail(faultMany)
	}
	m.init[m.level], m.length[m.level] = s, what
	m.level++
	end := m.match(s, p)
	if end < 0 {
		m.level--
	}
	return end
}

func (m *naive) balance(s, p int) int {
	if m.at(p) == 0 || m.at(p+1) == 0 {
		m.fail(faultBalance)
	}
	if m.byteAt(s) != m.at(p) {
		return -1
	}
	depth := 1
	for i := s + 1; i < len(m.text); i++ {
		if m.text[i] == m.at(p+1) {
			if depth--; depth == 0 {
				return m.match(i+1, p+2)
			}
		} else if m.text[i] == m.at(p) {
			depth++
		}
	}
	return -1
}

func (m *naive) repeated(s, p int) int {
	end := m.classEnd(p)
	is := func(s int) bool { return s < len(m.text) && m.single(m.text[s], p, end) }
	switch m.at(end) {
	case '?':
		if is(s) {
			if r := m.match(s+1, end+1); r >= 0 {
				return r
			}
		}
		return m.match(s, end+1)
	case '*', '+':
		least := 0
		if m.at(end) == '+' {
			least = 1
		}
		n := 0
		for is(s + n) {
			n++
		}
		for ; n >= least; n-- {
			if r := m.match(s+n, end+1); r >= 0 {
				return r
			}
		}
		return -1
	case '-':
		for {
			if r := m.match(s, end+1); r >= 0 {
				return r
			}
			if !is(s) {
				return -1
			}
			s++
		}
	}
	if !is(s) {
		return -1
	}
	return m.match(s+1, end)
}
