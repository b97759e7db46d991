// Package printf writes numbers and texts as C's printf does, which is what Lua's string.format and
// number texts are defined by. Output is the same on every platform.
package printf

// Spec is one conversion: the flags, the width and the precision between `%` and the letter.
type Spec struct {
	Minus, Plus, Space, Alternate, Zero bool
	Width                               int
	Precision                           int
	HasPrecision                        bool
}

// pad puts sign and digits into the width. zero says whether the Zero flag applies to this conversion.
func (s Spec) pad(dst []byte, sign, digits string, zero bool) []byte {
	gap := s.Width - len(sign) - len(digits)
	switch {
	case gap <= 0:
		dst = append(dst, sign...)
		return append(dst, digits...)
	case s.Minus:
		dst = append(dst, sign...)
		dst = append(dst, digits...)
		return fill(dst, ' ', gap)
	case zero && s.Zero:
		dst = append(dst, sign...)
		dst = fill(dst, '0', gap)
		return append(dst, digits...)
	}
	dst = fill(dst, ' ', gap)
	dst = append(dst, sign...)
	return append(dst, digits...)
}

func fill(dst []byte, c byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, c)
	}
	return dst
}

// sign is what stands before a number.
func (s Spec) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.Plus:
		return "+"
	case s.Space:
		return " "
	}
	return ""
}

// Text is `%s`: at most Precision bytes, padded with blanks to Width.
func (s Spec) Text(dst []byte, text string) []byte {
	if s.HasPrecision && len(text) > s.Precision {
		text = text[:s.Precision]
	}
	return s.pad(dst, "", text, false)
}
