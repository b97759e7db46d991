package pattern

// class returns the bytes of a class letter such as the `d` of `%d`, and nil when the letter names none.
// ASCII only, as in Lua's C locale.
func class(letter byte) *set {
	lower := letter | 0x20
	member := members(lower)
	if member == nil || letter < 'A' || letter > 'z' {
		return nil
	}
	var s set
	for c := range s {
		s[c] = member(byte(c)) == (letter == lower)
	}
	return &s
}

func members(lower byte) func(byte) bool {
	switch lower {
	case 'a':
		return isAlpha
	case 'c':
		return func(c byte) bool { return c < 32 || c == 127 }
	case 'd':
		return isDigit
	case 'l':
		return isLower
	case 'p':
		return func(c byte) bool { return c > 32 && c < 127 && !isAlpha(c) && !isDigit(c) }
	case 's':
		return func(c byte) bool { return c == ' ' || c >= 9 && c <= 13 }
	case 'u':
		return func(c byte) bool { return c >= 'A' && c <= 'Z' }
	case 'w':
		return func(c byte) bool { return isAlpha(c) || isDigit(c) }
	case 'x':
		return func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
	case 'z':
		return func(c byte) bool { return c == 0 }
	}
	return nil
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isAlpha(c byte) bool { return isLower(c | 0x20) }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// bracket reads the inside of `[...]`: body is what stands between the brackets.
func bracket(body string) *set {
	var s set
	value := true
	if body != "" && body[0] == '^' {
		value = false
		body = body[1:]
		for c := range s {
			s[c] = true
		}
	}
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '%' && i+1 == len(body): // the end of a range: Lua takes the bracket behind for what is escaped
			s[']'] = value
		case c == '%':
			i++
			add(&s, body[i], value)
		case i+2 < len(body) && body[i+1] == '-':
			for b := int(c); b <= int(body[i+2]); b++ {
				s[b] = value
			}
			i += 2
		default:
			s[c] = value
		}
	}
	return &s
}

func add(s *set, letter byte, value bool) {
	members := class(letter)
	if members == nil {
		s[letter] = value
		return
	}
	for c, in := range members {
		if in {
			s[c] = value
		}
	}
}
