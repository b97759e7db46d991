package vm

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSourceBombs: what the code generator would take seconds or gigabytes for is refused while it is read.
func TestSourceBombs(t *testing.T) {
	const size = 500_000
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	each := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, source, message string }{
		{"size", fill("f() ") + fill("f() "), "more than the 524288 allowed (Limits.SourceBytes)"},
		{"not", "return " + fill("not ") + "1", "chunk has too many syntax levels"},
		{"minus", "return " + fill("- ") + "1", "chunk has too many syntax levels"},
		{"length", "return " + fill("#") + "a", "chunk has too many syntax levels"},
		{"braces", "return " + fill("{"), "chunk has too many syntax levels"},
		{"parentheses", "return " + fill("("), "chunk has too many syntax levels"},
		{"brackets", "return " + fill("a["), "chunk has too many syntax levels"},
		{"power", "return a" + fill("^a"), "chunk has too many syntax levels"},
		{"functions", fill("function f() "), "chunk has too many syntax levels"},
		{"function values", "return " + fill("function() return "), "chunk has too many syntax levels"},
		{"blocks", fill("do "), "chunk has too many syntax levels"},
		{"ifs", fill("if a then "), "chunk has too many syntax levels"},
		{"repeats", fill("repeat "), "chunk has too many syntax levels"},
		{"whiles", fill("while a do "), "chunk has too many syntax levels"},
		{"fors", fill("for i = 1, 2 do "), "chunk has too many syntax levels"},
		{"fields", "return a" + fill(".a"), "expression has more than 3400 operators in a row"},
		{"calls", "f" + fill("()"), "expression has more than 3400 operators in a row"},
		{"calls with texts", "f" + fill("''"), "expression has more than 3400 operators in a row"},
		{"calls with tables", "f" + fill("{}"), "expression has more than 3400 operators in a row"},
		{"methods", "f" + fill(":a()"), "expression has more than 3400 operators in a row"},
		{"concat", "return a" + fill("..a"), "chunk has too many syntax levels"},
		{"sum", "return a" + fill("+a"), "expression has more than 3400 operators in a row"},
		{"and", "return a" + fill(" and a"), "expression has more than 3400 operators in a row"},
		{"equal", "return a" + fill("==a"), "expression has more than 3400 operators in a row"},
		{"elseif", "if a then " + fill("elseif a then ") + " end", "the if statement has more than 2000 elseif"},
		{"locals", fill("local a "), "more than 200 local variables"},
		{"names of a local", "local " + fill("a,") + "a", "more than 200 local variables"},
		{"targets", fill("a,") + "a = 1", "too many local variables"},
		{"arguments", "f(" + fill("a,") + "a)", "too many local variables"},
		{"upvalues", "local " + each("a%d,", 99) + "a return function() return " + each("a%d,", 99) + "a end", "more than 60 upvalues"},
		{"statements", fill("f() "), "the function is too long"},
		{"constants", each("a = %d.5 ", 30_000), "function has too many constants"},
		{"texts", "return {" + each("'%d',", 30_000) + "}", "function has too many constants"},
		{"labels", each("::l%d:: ", 30_000), "function has more than 1000 labels"},
		{"many functions", fill("f=function()end "), "chunk has more than 10000 functions"},
		{"long brackets", "return [" + fill("="), "invalid long string delimiter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Compile("bomb.lua", c.source, Limits{})
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, c.message)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(130<<20))
		})
	}
}

// TestLargeSources: texts that people may write are read.
func TestLargeSources(t *testing.T) {
	for name, source := range map[string]string{
		"chain of concats": "return a" + strings.Repeat("..a", 180),
		"sum":              "return 1" + strings.Repeat("+1", 3000),
		"elseif":           "if a then " + strings.Repeat("elseif a then ", 1900) + " end",
		"list":             "return {" + strings.Repeat("1,", 100_000) + "}",
		"powers":           "return 0" + strings.Repeat("+a^2", 1000),
		"text":             "return [[" + strings.Repeat("x", 500_000) + "]]",
		"functions":        strings.Repeat("f = function() return a.b.c end ", 5000),
		"statements":       strings.Repeat("f(1) ", 20_000),
	} {
		_, err := Compile("large.lua", source, Limits{})
		require.NoError(t, err, name)
	}
}
