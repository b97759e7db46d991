package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reaction is an output that does something when a text comes, once for each of a list.
type reaction struct {
	text  string
	doing []func()
}

func (r *reaction) Write(p []byte) (int, error) {
	if strings.Contains(string(p), r.text) && len(r.doing) > 0 {
		do := r.doing[0]
		r.doing = r.doing[1:]
		do()
	}
	return len(p), nil
}

// TestWatch: the tests run again when a script has changed, also when it was broken meanwhile.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) func() {
		return func() { require.NoError(t, os.WriteFile(filepath.Join(dir, "a_spec.lua"), []byte(text), 0o644)) }
	}
	write(`it("a", function() end)`)()
	interrupts := make(chan os.Signal, 1)
	out := &reaction{text: " passed", doing: []func(){
		write(`it("a", function() error("no") end)`),
		write(`it("a"`),
		write(`it("a", function() end) it("b", function() end)`),
		func() { interrupts <- os.Interrupt },
	}}
	code := execute([]string{"test", dir, "--watch"}, streams{
		In: strings.NewReader(""), Out: out, Err: &strings.Builder{}, Interrupts: interrupts, Getenv: func(string) string { return "" },
	})
	require.Equal(t, exitInterrupted, code)
	require.Empty(t, out.doing)
}
