package stdlib

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestLuaAgrees compares generated library calls with Lua 5.1 itself where it is installed, with a new seed each time.
// testdata/recorded holds such a program with what Lua 5.1 printed, for where it is not.
func TestLuaAgrees(t *testing.T) {
	recorded, err := os.ReadFile("testdata/recorded/calls.lua")
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/recorded/calls.expected")
	require.NoError(t, err)
	compareCalls(t, string(recorded), string(want))

	lua51, err := exec.LookPath("lua5.1")
	if err != nil {
		return
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	program := generateCalls(rand.New(rand.NewPCG(seed, 0)), 3000)
	file := filepath.Join(t.TempDir(), "calls.lua")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
	command := exec.Command(lua51, "calls.lua")
	command.Dir = filepath.Dir(file)
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	compareCalls(t, program, string(out))
}

func compareCalls(t *testing.T, program, want string) {
	t.Helper()
	got, err := runLua(t, "calls.lua", program)
	require.NoError(t, err)
	calls := map[string]string{}
	for _, line := range strings.Split(program, "\n") {
		if number, _, ok := strings.Cut(line, ","); ok && strings.HasPrefix(number, "try(") {
			calls[strings.TrimPrefix(number, "try(")] = line
		}
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	require.Len(t, gotLines, len(wantLines))
	for i, line := range wantLines {
		number, _, _ := strings.Cut(line, " ")
		require.Equal(t, line, gotLines[i], "%s", calls[number])
	}
}

const callsHead = `
local function text(v)
  if type(v) == "string" then return (string.format("%q", v):gsub("[^\32-\126]", function(c) return "\\" .. c:byte() end)) end
  if type(v) == "number" then return v ~= v and "nan" or v == 0 and "0" or tostring(v) end
  return type(v) == "table" and "table" or type(v) == "function" and "function" or tostring(v)
end
function show(...)
  local out = {}
  for i = 1, select("#", ...) do out[i] = text((select(i, ...))) end
  return table.concat(out, " ")
end
function all(f)
  local out = {}
  for i = 1, 40 do
    local s = show(f())
    if s == "" then break end
    out[i] = s
  end
  return unpack(out)
end
local function try(n, f) print(n, show(pcall(f))) end
`

// generateCalls writes a program that makes n calls and prints what comes of each.
func generateCalls(r *rand.Rand, n int) string {
	g := calls{r}
	var b strings.Builder
	b.WriteString(callsHead)
	for i := range n {
		if i%150 == 0 { // a function has a bounded number of constants
			b.WriteString(strings.Repeat("end ", min(i, 1)) + "do\n")
		}
		fmt.Fprintf(&b, "try(%d, function() return %s end)\n", i, g.call())
	}
	b.WriteString("end\n")
	return b.String()
}

type calls struct{ *rand.Rand }

func (g calls) of(list []string) string    { return list[g.IntN(len(list))] }
func (g calls) some(list ...string) string { return g.of(list) }

func (g calls) several(most int, list []string) string {
	var b strings.Builder
	for range g.IntN(most + 1) {
		b.WriteString(g.of(list))
	}
	return b.String()
}

var (
	patternPieces = strings.Fields(`a b c . %a %d %A [ab] [^a] [a-c] [%a-] [] [^ ] - * + ? * + - ? ( ) () (a ) ^ $ % %% %b %bab %b() %f %f[a] %f[^a] %1 %2
		%0 [a %z aa %s+ .- .* (.-) (.*) %w+ (%w+) [%w_]* %x %p %l %U = , foo`)
	subjects = []string{"hello world", "a=1, b=22, c=foo", "  trim me  ", "aaa", "abab(ab)ba", "foo.bar/baz", "", "\x00a\x00b", "THE (quick) fox",
		"x1y22z333", "a,b,,c", "\xe4\xff\x80abc", "key = value\nk2=v2\r\n", "%d%%", "((a)(b(c)))", "aabbcc"}
	letters  = strings.Split("a a a b b c 1 - ] ( ) = , % \x00 \n", " ")
	integers = strings.Fields(`0 1 -1 2 3 -3 5 10 -100 100 1.5 -0.5 2.9 255 65 '10' '0x10' 0.1 123456.789 1/3`)
	numbers  = append(strings.Fields(`1e10 -1e10 1e15 1e100 -1e-5 1e308 5e-324 2^53 0.5 1.25 99999.5 1e14 12345678901234`), integers...)
	literals = []string{`"abc"`, `"5"`, `"x y"`, `""`, `"a\000b"`, "nil", "true", "false", "{}", "print", "7"}
	indexes  = strings.Fields(`0 1 -1 2 3 -2 -3 5 10 -10 100 1.9 nil '2'`)
	replaces = []string{`"x"`, `"%0%0"`, `"%1"`, `"<%1>"`, `"%2"`, `"%%"`, `"%"`, `"%a"`, `""`, "5", `{a="1",b=2,hello=false}`, "string.upper", "{}", "nil",
		`function(...) return select("#",...).."" end`, "function() end", "function(a) return a==nil end", "function() return {} end", "function(a,b) return b end"}
	edits = []string{"table.insert(t,5)", "table.insert(t,1,7)", "table.insert(t,#t+1,2.5)", "table.remove(t)", "table.remove(t,1)", "table.remove(t,9)",
		"table.remove(t,#t)", "table.sort(t)", "table.sort(t,function(a,b) return a>b end)", "table.insert(t)", "table.insert(t,1,2,3)", "table.getn(t)", "table.maxn(t)"}
	elementary = strings.Fields("abs ceil floor max min modf frexp sqrt deg rad fmod mod")
)

func (g calls) subject() string {
	if g.IntN(10) < 7 {
		return literal(g.of(subjects))
	}
	return literal(g.several(14, letters))
}

func (g calls) pattern() string { return literal(g.of(patternPieces) + g.several(5, patternPieces)) }

func (g calls) index() string { return g.some("", ","+g.of(indexes)) }

// literal writes a text as Lua reads it.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c >= ' ' && c < 127 && c != '"' && c != '\\' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03d`, c)
		}
	}
	return b.String() + `"`
}

func (g calls) call() string {
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf("string.find(%s,%s%s%s)", g.subject(), g.pattern(), g.some("", ",1", ",2", ",-3", ",nil"), "")
	case 1:
		return fmt.Sprintf("string.find(%s,%s,%s,true)", g.subject(), g.pattern(), g.of(indexes))
	case 2:
		return fmt.Sprintf("string.match(%s,%s%s)", g.subject(), g.pattern(), g.index())
	case 3, 4:
		return fmt.Sprintf("string.gsub(%s,%s,%s%s)", g.subject(), g.pattern(), g.of(replaces), g.index())
	case 5:
		return fmt.Sprintf("all(string.gmatch(%s,%s))", g.subject(), g.pattern())
	case 6, 7:
		return g.format()
	case 8:
		return fmt.Sprintf("string.%s(%s%s%s)", g.some("sub", "byte"), g.subject(), g.index(), g.index())
	case 9:
		return fmt.Sprintf("string.%s(%s)", g.some("upper", "lower", "reverse", "len", "char", "rep"), g.some(g.subject(), g.of(literals), g.of(literals)+","+g.of(indexes)))
	case 10:
		return fmt.Sprintf("math.%s(%s)", g.of(elementary), g.some(g.of(numbers), g.of(numbers)+","+g.of(numbers), g.of(literals)))
	}
	var list []string
	for range 1 + g.IntN(6) {
		list = append(list, "function() return "+g.of(edits)+" end")
	}
	return fmt.Sprintf("(function() local t={%s} local o={} for i,f in ipairs{%s} do o[i]=show(pcall(f)) end return show(unpack(t)),unpack(o) end)()",
		g.several(6, []string{"1,", "2,", "3,", "9,"}), strings.Join(list, ","))
}

// format makes a conversion; integers that 64 bits cannot hold are left out, as C says nothing about them.
func (g calls) format() string {
	letter := g.some("d", "i", "u", "x", "X", "o", "c", "e", "E", "f", "g", "G", "q", "s", "s", "y")
	list := numbers
	if strings.Contains("diuxXoc", letter) {
		list = integers
	}
	argument := g.of(list)
	if g.IntN(4) == 0 || letter == "s" || letter == "q" {
		argument = g.of(literals)
	}
	layout := g.some("", "x", "%%") + "%" + g.several(2, strings.Split("-|+| |#|0", "|")) + g.some("", "", "5", "10", "20") + g.some("", "", ".", ".0", ".3", ".20") + letter
	return fmt.Sprintf("string.format(%s%s)", literal(layout), g.some(","+argument, ","+argument, ""))
}
