package pattern

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// result is a find with its captures, as one comparable text.
func result(text, source string) string {
	var steps int64
	m := Matcher{Subject: text, Charge: func(n int64) { steps += n }}
	p := Compile(source, true)
	start, end, err := m.Find(p, 0)
	if err != nil {
		return err.Error()
	}
	if start < 0 {
		return "none"
	}
	out := fmt.Sprint(start, " ", end)
	for i := range p.Captures() {
		from, to, isPosition, err := m.Capture(p, i, start, end)
		switch {
		case err != nil:
			return err.Error()
		case isPosition:
			out += fmt.Sprint(" @", from)
		default:
			out += fmt.Sprintf(" %q", text[from:to])
		}
	}
	return out
}

// naiveResult is result by the naive matcher; "" when that takes too long.
func naiveResult(text, source string) (out string) {
	defer func() {
		if f, ok := recover().(Fault); ok {
			out = string(f)
			if f == tooSlow {
				out = ""
			}
		}
	}()
	source, _, _ = strings.Cut(source, "\x00")
	source, anchored := strings.CutPrefix(source, "^")
	m := naive{text: text, source: source}
	for s := 0; s <= len(text); s++ {
		m.level = 0
		if end := m.match(s, 0); end >= 0 {
			out := fmt.Sprint(s, " ", end)
			for l := range m.level {
				switch m.length[l] {
				case unfinished:
					return faultUnfinished
				case naivePlace:
					out += fmt.Sprint(" @", m.init[l])
				default:
					out += fmt.Sprintf(" %q", text[m.init[l]:m.init[l]+m.length[l]])
				}
			}
			return out
		}
		if anchored {
			break
		}
	}
	return "none"
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ text, source, want string }{
		{"hello", "l+", "2 4"},
		{"hello", "^l", "none"},
		{"hello", "o$", "4 5"},
		{"hello", "", "0 0"},
		{"key = value", "(%w+)%s*=%s*(%w+)", `0 11 "key" "value"`},
		{"aXb", "a(.-)b", `0 3 "X"`},
		{"aab", "a-b", "0 3"},
		{"f(a(b)c)d", "%b()", "1 8"},
		{"THE (quick) fox", "%f[%a]%a+%f[%A]", "0 3"},
		{"aa bb", "(%a)%1", `0 2 "a"`},
		{"abc", "()b()", `1 2 @1 @2`},
		{"a]b", "[]]", "1 2"},
		{"a-b", "[a-]+", "0 2"},
		{"a^b", "[b^]+", "1 3"},
		{"x\x00y", "%z", "1 2"},
		{"ab", "a\x00zzz", "0 1"},
		{"a$b", "a$b", "0 3"},
		{"\xff\x80", "[\x80-\xff]+", "0 2"},
		{"x", "%", faultEscape},
		{"x", "[a", faultBracket},
		{"x", "[^]", faultBracket},
		{"x", "[a%]", faultBracket},
		{"x", "%f", faultFrontier},
		{"x", "%b", faultBalance},
		{"x", ")", faultClose},
		{"x", "%1", faultIndex},
		{"x", "(%1)", faultIndex},
		{"x", "(x", faultUnfinished},
		{"x", strings.Repeat("()", 33), faultMany},
		{"abc", "x%", "none"}, // the fault is never reached
		{"abc", "x[", "none"},
		{strings.Repeat("a", 8), strings.Repeat("a?", 8) + strings.Repeat("a", 8), "0 8"},
	} {
		require.Equal(t, c.want, result(c.text, c.source), "%q ~ %q", c.text, c.source)
		require.Contains(t, []string{c.want, ""}, naiveResult(c.text, c.source), "%q ~ %q", c.text, c.source)
	}
}

// pieces are what random patterns are made of.
var pieces = strings.Fields(`a b c . %a %d %A [ab] [^a] [a-c] [a-%%] [+-%d] [%a-] [] [^ ] - * + ? * + - ? ( ) () (a ) ^ $ % %% %b %bab %bac %f %f[a] %f[^a] %1 %2 %0 [a %z aa ab`)

func randomPattern(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(8) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func randomText(r *rand.Rand) string {
	out := make([]byte, r.IntN(12))
	for i := range out {
		out[i] = "aaabbc1-]\x00"[r.IntN(10)]
	}
	return string(out)
}

func TestRandomPatternsAgreeWithLua(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		text, source := randomText(r), randomPattern(r)
		if want := naiveResult(text, source); want != "" {
			require.Equal(t, want, result(text, source), "%q ~ %q", text, source)
		}
	}
}

func TestLongSubjectsNeedNoStack(t *testing.T) {
	text := strings.Repeat("a", 1<<20)
	require.Equal(t, fmt.Sprintf("0 %d", len(text)), result(text, ".*"))
	require.Equal(t, fmt.Sprintf("0 %d", len(text)), result(text, ".-$"))
	require.Equal(t, faultMany, result("a", strings.Repeat("(", 5_000_000)))
	require.Equal(t, faultComplex, result("a", strings.Repeat("a?", 5_000_000)))
}

func TestChargeEndsHopelessMatches(t *testing.T) {
	spent := Fault("spent")
	var steps int64
	m := Matcher{Subject: strings.Repeat("a", 3000), Charge: func(n int64) {
		if steps += n; steps > 1_000_000 {
			panic(spent)
		}
	}}
	require.PanicsWithValue(t, spent, func() { m.Find(Compile("a*a*a*a*b", true), 0) })
}

func FuzzPattern(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		f.Add(randomText(r), randomPattern(r))
	}
	f.Fuzz(func(t *testing.T, text, source string) {
		if len(text) > 64 || len(source) > 64 {
			return
		}
		if want := naiveResult(text, source); want != "" {
			require.Equal(t, want, result(text, source), "%q ~ %q", text, source)
		}
	})
}
