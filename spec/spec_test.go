// Package spec_test runs the examples of the chapters.
package spec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/flowlua/flowlua"
	"github.com/stretchr/testify/require"
)

func chapters(t *testing.T) []string {
	files, err := filepath.Glob("[0-9][0-9]-*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// TestExamples runs every block of Lua of every chapter, in virtual time, each turn verified by replay.
func TestExamples(t *testing.T) {
	for _, file := range chapters(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found, _, err := examples(file, string(text))
		require.NoError(t, err)
		for _, e := range found {
			t.Run(fmt.Sprintf("%s:%d", file, e.line), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					require.Equal(t, e.want, e.run(t))
				})
			})
		}
	}
}

// run is what the example prints, and its end.
func (e *example) run(t *testing.T) string {
	var out bytes.Buffer
	script := strings.TrimSuffix(e.file, ".md") + ".lua"
	engine, err := flowlua.Open(":memory:", flowlua.Config{
		Scripts: fstest.MapFS{script: {Data: []byte(e.source)}},
		Print:   &out,
		Verify:  true,
	})
	require.NoError(t, err)
	ctx := context.Background()
	defer func() { require.NoError(t, engine.Close(ctx)) }()

	input := any(nil)
	if e.input != "" {
		input = json.RawMessage(e.input)
	}
	run, err := engine.Start(ctx, e.workflow, input, flowlua.StartOptions{ID: "example", Script: script})
	require.NoError(t, err)
	var world sync.WaitGroup
	for _, o := range e.outside {
		world.Go(func() { o.happen(&out, engine, run) })
	}

	var result any
	err = run.Result(ctx, &result)
	world.Wait()
	var failure *flowlua.Error
	switch {
	case errors.As(err, &failure):
		fmt.Fprintf(&out, "failed: %s\n", failure.Error())
	case err != nil:
		fmt.Fprintf(&out, "failed: %s\n", err)
	case result != nil:
		text, err := json.Marshal(result)
		require.NoError(t, err)
		fmt.Fprintf(&out, "=> %s\n", text)
	}
	return out.String()
}

// happen waits, in virtual time, and tells the run, unless that has ended before.
func (o outside) happen(out *bytes.Buffer, engine *flowlua.Engine, run *flowlua.Run) {
	select {
	case <-time.After(o.at):
	case <-run.Done():
		return
	}
	var err error
	if o.signal == "" {
		err = engine.Cancel(context.Background(), run.ID(), o.text)
	} else {
		var args []any
		if err = json.Unmarshal([]byte(o.text), &args); err == nil {
			err = engine.Signal(context.Background(), run.ID(), o.signal, args...)
		}
	}
	if err != nil {
		fmt.Fprintf(out, "outside, after %v: %v\n", o.at, err)
	}
}

// TestGoBlocks: Go in the chapters is copied from files that the compiler sees.
func TestGoBlocks(t *testing.T) {
	for _, file := range chapters(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		_, blocks, err := examples(file, string(text))
		require.NoError(t, err)
		for _, b := range blocks {
			code, err := os.ReadFile(filepath.FromSlash("../" + b.file))
			require.NoError(t, err, "%s:%d", file, b.line)
			require.Contains(t, unindented(string(code)), unindented(b.source), "%s:%d is not in %s", file, b.line, b.file)
		}
	}
}

func unindented(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		b.WriteString(strings.TrimLeft(line, " \t"))
	}
	return b.String()
}

// TestIndex: the table of contents names every chapter.
func TestIndex(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, file := range chapters(t) {
		require.Contains(t, string(text), "("+file+")")
	}
}
