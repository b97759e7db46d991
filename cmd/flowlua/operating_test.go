package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOperating types the shell transcripts of the chapter on operating runs.
func TestOperating(t *testing.T) { typeChapter(t, "12-operating.md") }

// TestTesting types those of the chapter on testing.
func TestTesting(t *testing.T) { typeChapter(t, "14-testing.md") }

// TestExploring types those of the chapter on exploring.
func TestExploring(t *testing.T) { typeChapter(t, "15-exploring.md") }

// TestDebugging types those of the chapter on debugging.
func TestDebugging(t *testing.T) { typeChapter(t, "16-debugging.md") }

// typeChapter types the shell transcripts of a chapter, all in one folder with one database. Its files are the blocks of Lua that
// name them in the first line.
func typeChapter(t *testing.T, name string) {
	chapter, err := os.ReadFile(filepath.Join("..", "..", "spec", name))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	sh := &shell{T: t, ctx: ctx, folder: t.TempDir()}
	for _, m := range scriptBlock.FindAllStringSubmatch(string(chapter), -1) {
		require.NoError(t, os.WriteFile(filepath.Join(sh.folder, m[2]), []byte(m[1]), 0o644))
	}
	blocks := consoleBlock.FindAllStringSubmatch(string(chapter), -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			sh.typed(command, want)
		}
	}
}

var (
	scriptBlock  = regexp.MustCompile("(?ms)^```lua(?: file)?\n(-- (\\S+\\.lua)\n.*?)^```$")
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
)

// shell types commands. One may run in the background, begun by & at the end of the line.
type shell struct {
	*testing.T
	ctx        context.Context
	folder     string
	background *exec.Cmd
	output     *growing // of the command in the background
}

func (sh *shell) typed(command, want string) {
	sh.Helper()
	switch job, background := strings.CutSuffix(command, " &"); {
	case background:
		sh.output = &growing{changed: make(chan struct{}, 1)}
		sh.background = sh.command("exec "+job, sh.output)
		require.NoError(sh, sh.background.Start())
		sh.output.wait(sh, command, want)
	case command == "wait":
		_ = sh.background.Wait()
		sh.compare(command, want, sh.output.rest())
	case command == "kill -9 %1":
		require.NoError(sh, sh.background.Process.Kill())
		_ = sh.background.Wait()
	default:
		var out bytes.Buffer
		_ = sh.command(command, &out).Run() // how it ended is in what it says
		sh.compare(command, want, out.String())
	}
}

func (sh *shell) command(line string, out interface{ Write([]byte) (int, error) }) *exec.Cmd {
	c := exec.CommandContext(sh.ctx, "sh", "-c", line)
	c.Dir, c.Stdout, c.Stderr = sh.folder, out, out
	c.Env = append(os.Environ(), "FLOWLUA_DB="+filepath.Join(sh.folder, "runs.db"))
	return c
}

func (sh *shell) compare(command, want, got string) {
	sh.Helper()
	if !matches(want, got) {
		require.Fail(sh, "$ "+command, "expected:\n%s\nfound:\n%s", want, got)
	}
}

// matches compares output; "…" stands for anything in a line. Empty lines do not count.
func matches(want, got string) bool {
	plain := func(text string) string { return emptyLines.ReplaceAllString(strings.Trim(text, "\n"), "\n") }
	pattern := strings.ReplaceAll(regexp.QuoteMeta(plain(want)), "…", ".*")
	return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(plain(got))
}

var emptyLines = regexp.MustCompile(`\n\s*\n+`)

// growing is output that is waited for.
type growing struct {
	changed chan struct{}

	mu   sync.Mutex
	text string
}

func (g *growing) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.text += string(p)
	select {
	case g.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

// rest is what has come and was not expected yet.
func (g *growing) rest() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	text := g.text
	g.text = ""
	return text
}

// wait waits until what is expected has come.
func (g *growing) wait(sh *shell, command, want string) {
	sh.Helper()
	got := ""
	for {
		if got += g.rest(); matches(want, got) {
			return
		}
		select {
		case <-g.changed:
		case <-sh.ctx.Done():
			sh.compare(command, want, got)
		}
	}
}
