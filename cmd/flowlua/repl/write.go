package repl

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// exchange is what was typed and what was written.
type exchange struct {
	input  string
	output strings.Builder
}

// begin notes what was typed, so that it can be recorded.
func (s *Session) begin(text string) { s.log = append(s.log, exchange{input: text}) }

func (s *Session) write(w io.Writer, text string) {
	if n := len(s.log); n > 0 {
		s.log[n-1].output.WriteString(escapes.ReplaceAllString(text, ""))
	}
	io.WriteString(w, text)
}

// say writes a line of an answer.
func (s *Session) say(format string, args ...any) {
	s.write(s.config.Out, fmt.Sprintf(format, args...)+"\n")
}

// note writes a line about what happens, in a faint colour.
func (s *Session) note(format string, args ...any) {
	s.say("%s", s.paint("2", fmt.Sprintf(format, args...)))
}

// print is that of scripts.
func (s *Session) print(line string) { s.say("%s", line) }

// complain writes an error.
func (s *Session) complain(text string) {
	s.failed = true
	first, rest, more := strings.Cut(text, "\n")
	text = s.paint("31", first)
	if more {
		text += "\n" + s.paint("2", rest)
	}
	s.write(s.config.Err, text+"\n")
}

func (s *Session) paint(color, text string) string {
	if !s.config.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

func (s *Session) width() int {
	if s.config.Size == nil {
		return 0
	}
	columns, _ := s.config.Size()
	return columns
}

type outWriter struct{ *Session }

func (w outWriter) Write(p []byte) (int, error) {
	w.write(w.config.Out, string(p))
	return len(p), nil
}

// logger shows flow.log as lines.
func (s *Session) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(outWriter{s}, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}
