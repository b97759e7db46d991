package history_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestCheckID(t *testing.T) {
	for _, id := range []string{"7", "order-7", "größe", "a b", "it's", "a/b", "order/2026-01", "order/7/audit", "a@b.example", "注文", "$(x)", strings.Repeat("x", history.LongestID)} {
		require.NoError(t, history.CheckID(id), id)
	}
	for id, want := range map[string]string{
		"":                       "an empty ID",
		"@last":                  "what begins with @",
		"-o":                     "what begins with - is a flag",
		"a#2":                    "expected no #",
		"#":                      "expected no #",
		" a":                     "no spaces at its beginning and end",
		"a\n":                    "no spaces at its beginning and end",
		"a\nb":                   `"a\nb" cannot name a run: it contains U+000A`,
		"a\x1b[2Jb":              `"a\x1b[2Jb" cannot name a run: it contains U+001B`,
		"a\u202eb":               "it contains U+202E",
		"a\u00a0b":               "it contains U+00A0",
		"a\xffb":                 "it is not UTF-8",
		"a\x00":                  "it contains U+0000",
		"order/7":                "the IDs end in /7 that children get by their place",
		"order/1t/2*5":           "the IDs end in /2*5",
		strings.Repeat("é", 128): "it has 256 bytes, expected at most 255",
	} {
		require.ErrorContains(t, history.CheckID(id), want, "%q", id)
	}
}
