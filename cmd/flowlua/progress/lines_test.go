package progress

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var start = time.Unix(1000, 0)

func at(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }

// board is a run with a bit of everything.
func board() *Board {
	b := &Board{}
	run := b.Step("")
	run.Name = "thumbnails"
	run.Begin(Running, at(0))
	add := func(path, name string, state State, from, to int) *Step {
		s := b.Step(path)
		s.Name, s.Kind = name, "activity"
		switch {
		case state.Over():
			s.Begin(Running, at(from))
			s.End(state, at(to))
		case state != Waiting:
			s.Begin(state, at(from))
		}
		return s
	}
	add("/1", "list", Done, 0, 40)
	add("/2", "scope", Running, 40, 0)
	add("/2t/1", "download cat.jpg", Done, 50, 1290)
	retry := add("/2t/2", "download dog.jpg", Retrying, 50, 0)
	retry.Attempt, retry.Of, retry.Note = 2, 5, "ServiceError: 503\n  try later"
	add("/2t/3", "thumbnail", Waiting, 0, 0)
	add("/3", "sleep", Sleeping, 60, 0)
	add("/4", "upload", Failed, 60, 90).Note = "disk full"
	add("/5", "clean_up", Cancelled, 60, 60)
	return b
}

func TestLines(t *testing.T) {
	require.Equal(t, strings.TrimLeft(`
▷ thumbnails  2.0s
├ ✓ list  40ms
├ ▷ scope  1.9s
│ ├ ✓ download cat.jpg  1.2s
│ ├ ↺ download dog.jpg  1.9s  attempt 2/5  ServiceError: 503 try later
│ └ ○ thumbnail
├ ⧖ sleep  1.9s
├ ✗ upload  30ms  disk full
└ ⊘ clean_up  0ms`, "\n"), strings.Join(board().Lines(at(2000), Style{}), "\n"))
}

// No event tells of branches: their state follows from what they began, and those that began one thing are not shown.
func TestBranches(t *testing.T) {
	b := &Board{}
	b.Step("").Name = "job"
	b.Step("").Begin(Running, at(0))
	for _, path := range []string{"/1/1", "/1/2", "/2/1/1"} {
		s := b.Step(path)
		s.Name, s.Kind = path, "activity"
		s.Begin(Running, at(100))
	}
	b.Step("/1/1").End(Done, at(300))
	require.Equal(t, []string{"▷ job  1.0s", "├ ▷ branch  900ms", "│ ├ ✓ /1/1  200ms", "│ └ ▷ /1/2  900ms", "└ ▷ /2/1/1  900ms"}, b.Lines(at(1000), Style{}))
	b.Step("/1/2").End(Failed, at(600))
	require.Equal(t, "├ • branch  500ms", b.Lines(at(1000), Style{})[1])
}

// Whether what failed was caught is not known; a timer is cancelled whenever somebody has waited with a timeout.
func TestBranchesThatAreOver(t *testing.T) {
	for name, c := range map[string]struct {
		kind  string
		first State
		last  State
		want  string
	}{
		"all is done":        {"activity", Done, Done, "└ ✓ branch  100ms"},
		"one failed":         {"activity", Failed, Done, "└ • branch  100ms"},
		"one was cancelled":  {"activity", Done, Cancelled, "└ • branch  100ms"},
		"a timer was":        {"timer", Cancelled, Done, "└ ✓ branch  100ms"},
		"a timer was, last":  {"timer", Done, Cancelled, "└ • branch  100ms"},
		"the other one runs": {"activity", Failed, Running, "└ ▷ branch  100ms"},
	} {
		t.Run(name, func(t *testing.T) {
			b := &Board{}
			b.Step("").Begin(Running, at(0))
			for i, state := range []State{c.first, c.last} {
				s := b.Step(fmt.Sprintf("/1/%d", i+1))
				s.Kind = c.kind
				s.Begin(Running, at(0))
				if state.Over() {
					s.End(state, at(100))
				}
			}
			require.Equal(t, c.want, b.Lines(at(100), Style{})[1])
		})
	}
}

func TestScopes(t *testing.T) {
	b := &Board{}
	b.Step("").Name = "job"
	for _, path := range []string{"/1t/1", "/1t/2", "/1c/1", "/1f/1", "/2t/1"} {
		s := b.Step(path)
		s.Name, s.Kind = path, "activity"
		s.End(Done, at(0))
	}
	require.Equal(t, "○ job|├ ✓ scope|│ ├ ✓ /1t/1|│ ├ ✓ /1t/2|│ ├ ✓ catch|│ │ └ ✓ /1c/1|│ └ ✓ finally|│   └ ✓ /1f/1|└ ✓ /2t/1",
		strings.ReplaceAll(strings.Join(b.Lines(at(0), Style{}), "|"), "  0ms", ""))
}

func TestLinesFitTheWidth(t *testing.T) {
	for _, width := range []int{1, 2, 10, 20, 40, 80, 200} {
		for _, color := range []bool{false, true} {
			for _, line := range board().Lines(at(2000), Style{Width: width, Color: color}) {
				require.Less(t, Cells(escape.ReplaceAllString(line, "")), max(width, 2), line)
			}
		}
	}
	require.Contains(t, board().Lines(at(2000), Style{Width: 40}), "│ ├ ↺ download dog.jpg  1.9s  attempt …")
}

func TestWideCharactersAndControls(t *testing.T) {
	b := &Board{}
	b.Step("").Name = "画像\x1b[2J処理 of everything"
	require.Equal(t, []string{"○ 画像[2J処…"}, b.Lines(at(0), Style{Width: 13}))
}

func TestColors(t *testing.T) {
	b := &Board{}
	b.Step("").Name = "job"
	b.Step("").End(Done, at(0))
	require.Equal(t, []string{"\x1b[32m✓ \x1b[0mjob\x1b[2m  0ms\x1b[0m"}, b.Lines(at(0), Style{Color: true}))
}

func TestFolding(t *testing.T) {
	b := &Board{}
	b.Step("").Name = "big"
	b.Step("").Begin(Running, at(0))
	for i := range 100 {
		s := b.Step(fmt.Sprintf("/%d", i+1))
		s.Name, s.Kind = fmt.Sprintf("item %d", i+1), "activity"
		switch {
		case i < 40:
			s.End(Done, at(0))
		case i < 43:
			s.Begin(Running, at(0))
		}
	}
	require.Equal(t, strings.TrimLeft(`
▷ big  1.0s
├ ✓ 40 done, ○ 57 waiting
├ ▷ item 41  1.0s
├ ▷ item 42  1.0s
└ ▷ item 43  1.0s`, "\n"), strings.Join(b.Lines(at(1000), Style{Height: 10}), "\n"))
	require.Equal(t, strings.TrimLeft(`
▷ big  1.0s
├ ✓ 40 done, ○ 57 waiting
├ ▷ 3 running`, "\n"), strings.Join(b.Lines(at(1000), Style{Height: 3}), "\n"))
	require.Len(t, b.Lines(at(1000), Style{}), 101)
}

// The order of folding: many leaves that are done first, then few, then whole branches.
func TestFoldingKeepsWhatItCan(t *testing.T) {
	b := &Board{}
	b.Step("").Name = "job"
	b.Step("").Begin(Running, at(0))
	for _, path := range []string{"/1", "/2/1", "/2/2", "/2/3", "/2/4", "/2/5", "/3", "/4/1", "/4/2"} {
		s := b.Step(path)
		s.Name, s.Kind = path, "activity"
		s.End(Done, at(0))
	}
	text := func(height int) string {
		return strings.ReplaceAll(strings.Join(b.Lines(at(0), Style{Height: height}), "|"), "  0ms", "")
	}
	require.Equal(t, "▷ job|├ ✓ /1|├ ✓ branch|│ └ ✓ 5 done|├ ✓ /3|└ ✓ branch|  ├ ✓ /4/1|  └ ✓ /4/2", text(10))
	require.Equal(t, "▷ job|├ ✓ 2 done|├ ✓ branch|│ └ ✓ 5 done|└ ✓ branch|  └ ✓ 2 done", text(6))
	require.Equal(t, "▷ job|└ ✓ 4 done", text(5))
}

func TestDuration(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0ms": 0, "999ms": 999 * time.Millisecond, "1.0s": time.Second, "59.9s": 59990 * time.Millisecond,
		"2m05s": 125 * time.Second, "1h02m": 62 * time.Minute,
	} {
		require.Equal(t, want, Duration(d))
	}
}

func TestStepsEndOnce(t *testing.T) {
	b := &Board{}
	s := b.Step("/1")
	s.End(Failed, at(10))
	s.End(Done, at(20))
	s.Begin(Running, at(30))
	require.Equal(t, Failed, s.State)
	require.Equal(t, time.Duration(0), s.Took(at(99)))
}
