package flowlua

import (
	"io"
	"os"
	"sync"
)

// lineWriter keeps the lines of runs that print at the same time apart.
type lineWriter struct {
	mu  sync.Mutex
	w   io.Writer // nil: os.Stdout, as it is at the time
	buf []byte
}

func newLineWriter(w io.Writer) *lineWriter { return &lineWriter{w: w} }

func (l *lineWriter) line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(append(l.buf[:0], text...), '\n')
	_, _ = l.out().Write(l.buf) // a script is not to blame for a closed pipe
}

// Write is for what activities write to their standard output.
func (l *lineWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out().Write(p)
}

func (l *lineWriter) out() io.Writer {
	if l.w == nil {
		return os.Stdout
	}
	return l.w
}
