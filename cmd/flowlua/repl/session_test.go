package repl

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// typing is a session with what it has written.
type typing struct {
	*Session
	out bytes.Buffer
}

func newTyping(t *testing.T, config Config) *typing {
	s := &typing{}
	config.Out = &s.out
	var err error
	s.Session, err = New(config)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// types types lines and returns what was written.
func (s *typing) types(lines ...string) string {
	s.out.Reset()
	for _, line := range lines {
		s.Input(line)
	}
	return s.out.String()
}

func TestPrompt(t *testing.T) {
	s := newTyping(t, Config{})
	require.Equal(t, "> ", s.Prompt())
	s.types("for i = 1, 2 do")
	require.Equal(t, ">> ", s.Prompt())
	require.True(t, s.Drop())
	require.False(t, s.Drop())
	s.types(":skip 1h30m")
	require.Equal(t, "1h30m> ", s.Prompt())
	require.Contains(t, s.types("x = (", "1"), "")
	s.End()
	require.Contains(t, s.out.String(), "the chunk is not complete")
	require.True(t, s.Failed())
}

func TestPlainLines(t *testing.T) {
	s := newTyping(t, Config{})
	input := "1+1\r\nflow = require \"flow\"\np = flow.timer(\"1h\", \"later\")\n:skip 1h\np:await()\n:replay\nif x then\n"
	require.NoError(t, s.Run(Plain(strings.NewReader(input))))
	require.Equal(t, "2\nlater\nidentical (7 events)\nsession.lua:5: 'end' expected near '<eof>': the chunk is not complete\n", s.out.String())

	s = newTyping(t, Config{})
	require.NoError(t, s.Run(Plain(strings.NewReader(":quit\nprint(1)\n"))))
	require.Empty(t, s.out.String())
}

func TestInterrupt(t *testing.T) {
	interrupts := make(chan os.Signal, 1)
	s := newTyping(t, Config{Interrupts: interrupts, Limits: vm.Limits{Instructions: 1e12, Turn: time.Hour}})
	s.types("x = 1", "flow.spawn(function() while true do flow.sleep(1) end end)")
	enough, sent := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		for { // one that comes before anything runs interrupts nothing
			select {
			case interrupts <- os.Interrupt:
			case <-enough:
				return
			}
		}
	}()
	require.Contains(t, s.types("x = 2; while x do end"), "interrupted")
	require.Contains(t, s.types(`flow.workflow("endless", function() while true do end end)(); flow.yield()`), "interrupted")
	close(enough)
	<-sent
	require.Equal(t, "1\n", s.types("x"), "nothing of it has happened")
	s.types(":skip 10")
	require.Contains(t, s.types(":replay"), "identical")
}

func TestInterruptAtThePrompt(t *testing.T) {
	s := newTyping(t, Config{})
	s.types("flow.sleep(60)")
	s.out.Reset()
	s.interrupt()
	require.Contains(t, s.out.String(), "CancelledError")
	s.out.Reset()
	s.interrupt()
	require.Equal(t, "Ctrl-D leaves\n", s.out.String())
}

// TestExport: what is exported can be replayed elsewhere.
func TestExport(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("lib.lua", []byte("return 21"), 0o644))
	s := newTyping(t, Config{})
	s.types(`local n = require "lib" * 2`, "p = flow.timer(n)", ":skip 60", ":export history.json")
	s.types(":export lib.lua")
	require.Contains(t, s.out.String(), "a file whose name ends with .json expected, got 'lib.lua'")
	text, err := os.ReadFile("lib.lua")
	require.NoError(t, err)
	require.Equal(t, "return 21", string(text))
	require.NoError(t, os.Remove("lib.lua"))
	f, err := os.Open("history.json")
	require.NoError(t, err)
	defer f.Close()
	recording, err := history.ReadRecording(f)
	require.NoError(t, err)
	program, err := workflow.NewProgram(recording.Sources)
	require.NoError(t, err)
	e, err := workflow.Replay(workflow.Config{Program: program, Run: recording.Run.Ref}, workflow.Turns(recording.Turns))
	require.NoError(t, err)
	defer e.Close()
	require.Len(t, e.Chunks(), 2)
	n, _ := e.Locals().Local("n")
	require.Equal(t, "42", n.String())
}

// TestRecord: what is recorded is a transcript that holds.
func TestRecord(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newTyping(t, Config{})
	s.types("for i = 1, 2 do", "print('> ' .. i)", "end", "print('')", "p = flow.timer(5, 'x')", ":skip 5", "p:await()", "error('x')", ":back", ":time 1", ":tree", ":record out.txt")
	text, err := os.ReadFile("out.txt")
	require.NoError(t, err)
	parts, err := ParseTranscript(string(text))
	require.NoError(t, err)
	require.Len(t, parts, 1)
	_, err = parts[0].Run(Config{})
	require.NoError(t, err)

	parts, err = ParseTranscript(strings.Replace(string(text), "\nx\n", "\ny\n", 1))
	require.NoError(t, err)
	_, err = parts[0].Run(Config{})
	require.ErrorContains(t, err, "expected:\ny\nfound:\nx")
	_, err = ParseTranscript("output\n> 1")
	require.Error(t, err)
}

// TestWidth: what is shown fits the terminal, but for what was printed and words that do not.
func TestWidth(t *testing.T) {
	for _, width := range []int{40, 200} {
		s := newTyping(t, Config{Color: true, Size: func() (int, int) { return width, 24 }})
		out := s.types(":help", ":help flow.retry", ":help flow.Promise", "{ description = 'something', other = 'something else', third = { 'nested' } }",
			"flow.try { function() flow.sleep(100) end }:await()", ":tree", "for i = 1, 50 do flow.timer(i) end", ":tree")
		for _, line := range strings.Split(out, "\n") {
			plain := escapes.ReplaceAllString(line, "")
			if strings.HasPrefix(plain, "waits ") || strings.HasPrefix(plain, "    ") {
				continue
			}
			require.LessOrEqual(t, progress.Cells(plain), width, line)
		}
	}
}

func TestColor(t *testing.T) {
	require.Contains(t, newTyping(t, Config{Color: true}).types("error('x')"), "\x1b[31m")
	require.NotContains(t, newTyping(t, Config{}).types("error('x')", ":help", ":tree"), "\x1b")
}

// TestLive: real time passes between what happens.
func TestLive(t *testing.T) {
	var slept []time.Duration
	s := newTyping(t, Config{Pause: func(d time.Duration, _ <-chan os.Signal) bool {
		slept = append(slept, d)
		return len(slept) < 3
	}})
	s.types("for i = 1, 5 do flow.sleep(i) print(i) end", ":live")
	require.Equal(t, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}, slept)
	require.Contains(t, s.out.String(), "1\n2\n")
	require.NotContains(t, s.out.String(), "3\n")
}

// TestLooking: looking at values and completing changes nothing that a script or a replay could see.
func TestLooking(t *testing.T) {
	s := newTyping(t, Config{})
	s.types("a, b = {}, {}", "a", "b", "print(b)", "{ f = print, g = function() end }", "flow", "string", "_G")
	s.Complete("flow.")
	s.Complete("string.")
	require.Equal(t, "table: 0x00000002\n", s.types("print(a)"))
	require.Contains(t, s.types(":replay"), "identical")
}

// FuzzInput: whatever is typed, the session lives on, and its history replays.
func FuzzInput(f *testing.F) {
	for _, seed := range []string{"1+1\n:tree\n:why", "flow.sleep(1)\n:tick\n:back\n:goto 2", "a = flow.activity('a')\na(1)\n:complete a {}\n:fail a x\n:timeout a\n:stub a 1", "local x <\n=\n:save",
		"w = flow.workflow('w', function() flow.sleep(1) error('x') end)\nw()\n:run\n:events\n:cancel\n:stack", ":signal a [1]\n:heartbeat x\n:skip 1\n:replay\n:help flow.try\n:time 1", "if x\n\t then\x00 end", "return flow.spawn(function() flow.yield() end)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := newTyping(t, Config{})
		for _, line := range strings.Split(text, "\n") {
			word, _, _ := strings.Cut(strings.TrimLeft(line, " \t:"), " ")
			if c, err := s.named(word); err == nil && (c.kind == aFile || c.name == "live") {
				return // writes files, or waits
			}
		}
		for _, line := range strings.Split(text, "\n") {
			s.Complete(line)
			s.Input(line)
		}
		s.End()
		s.out.Reset()
		require.Equal(t, "2\n", s.types("1+1"))
		require.Contains(t, s.types(":replay"), "identical")
	})
}
