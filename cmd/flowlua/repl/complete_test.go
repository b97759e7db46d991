package repl

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("orders.lua", nil, 0o644))
	require.NoError(t, os.Mkdir("other", 0o755))
	s := newTyping(t, Config{})
	s.types("local locals, point = 1, { x = 1, yes = 2, deep = { deeper = {} } }", "p = flow.timer(60)", "e = flow.error('x')", "function point:move() end",
		"trap = setmetatable({ field = 1 }, { __index = function() error('asked') end })", "stub = flow.activity('charge')", "text = 'abc'")
	for line, want := range map[string]string{
		"loc":            "local locals",
		"flow.sp":        "spawn",
		"x = flow.retr":  "retry",
		"point.":         "deep move x yes",
		"point:":         "move",
		"point.deep.dee": "deeper",
		"p:aw":           "await",
		"p:":             "await cancel chain fail get outcome ready set unchain",
		"e.mess":         "message",
		"trap.f":         "field",
		"trap.missing.x": "",
		"text:up":        "upper",
		"stub:w":         "with",
		"string.form":    "format",
		"print(toSt":     "",
		"print(tost":     "tostring",
		":sk":            "skip",
		":ti":            "tick time timeout",
		":load o":        "orders.lua other/",
		":help flow.ti":  "flow.timeout flow.timer",
		":help ti":       "tick time timeout",
		":time poin":     "point",
		":cancel @2":     "@2/1",
		":nosuch x":      "",
		"1 + ":           "",
		"..x":            "",
		"   ":            "",
	} {
		got, replaced := s.Complete(line)
		require.Equal(t, want, strings.Join(got, " "), line)
		for _, candidate := range got {
			require.True(t, strings.HasSuffix(line, candidate[:replaced]), line)
		}
	}
}

// TestTerminal types keys into the line editor.
func TestTerminal(t *testing.T) {
	file := t.TempDir() + "/history"
	play := func(keys string) string {
		s := newTyping(t, Config{})
		in, keyboard := io.Pipe()
		lines, err := Terminal(s.Session, TerminalConfig{HistoryFile: file, Stdin: in, Stdout: io.Discard, Test: true})
		require.NoError(t, err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			io.WriteString(keyboard, keys)
			keyboard.Close()
		}()
		require.NoError(t, s.Run(lines))
		<-done
		require.NoError(t, lines.Close())
		return s.out.String()
	}
	require.Equal(t, "2\n", play("1+1\r"))
	require.Equal(t, "3\n", play("x = 1\x031+2\r"), "Ctrl-C drops the line")
	require.Equal(t, "5\n", play("function f()\r\tif true then\r\t\treturn 5\r\tend\rend\rf()\r"), "pasted tabs are no completion")
	require.Equal(t, "6\n", play("mat\tma\x7f\x7f.max(6)\r"))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "function f() ⏎   if true then ⏎     return 5 ⏎   end ⏎ end\n", "whole chunks, indented")
	require.Equal(t, "9\n", play("function f()\rreturn 9\rend\r\x1b[A\rf()\r"), "a chunk comes back as one line")
}
