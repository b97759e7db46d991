package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestExamples: every command's help has examples. All are typed as the command wants them; those that look at runs, check scripts or begin
// a project are carried out, with a database that has the runs they name.
func TestExamples(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(folder, "scripts"), os.DirFS("../../scripts")))
	recorded, err := os.ReadFile(filepath.Join("testdata", "runs", "payment-1.json"))
	require.NoError(t, err)
	recorded = bytes.ReplaceAll(recorded, []byte(`"payment-1"`), []byte(`"order-7"`))
	t.Chdir(folder)
	require.NoError(t, os.WriteFile("order-7.json", recorded, 0o644))
	run := func(args ...string) (string, int) {
		var out bytes.Buffer
		code := execute(args, streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(name string) string {
			return map[string]string{"FLOWLUA_DB": "runs.db"}[name]
		}})
		return out.String(), code
	}
	out, code := run("import", "order-7.json")
	require.Zero(t, code, out)

	carriedOut := []string{"list", "show", "tree", "replay", "debug", "graph", "export", "db check", "version", "init", "types", "check"}
	count := 0
	for _, c := range all(newRootCommand(streams{In: strings.NewReader(""), Out: &nowhere{}, Err: &nowhere{}, Getenv: os.Getenv})) {
		path := strings.TrimPrefix(c.CommandPath(), "flowlua ")
		if c.HasSubCommands() && c.HasParent() || !c.Runnable() || path == "help" || strings.HasPrefix(path, "completion") {
			continue
		}
		require.NotEmpty(t, c.Example, "the help of %s has no example", path)
		for line := range strings.Lines(c.Example) {
			for _, args := range commandsIn(line) {
				t.Run(strings.Join(args, " "), func(t *testing.T) {
					root := newRootCommand(streams{In: strings.NewReader(""), Out: &nowhere{}, Err: &nowhere{}, Getenv: os.Getenv})
					found, rest, err := root.Find(args)
					require.NoError(t, err)
					require.NoError(t, found.ParseFlags(rest))
					if found.Args != nil {
						require.NoError(t, found.Args(found, found.Flags().Args()))
					}
					count++
					if name := strings.TrimPrefix(found.CommandPath(), "flowlua "); slices.Contains(carriedOut, name) && !slices.Contains(args, "--follow") && !slices.Contains(args, "--script") {
						out, code := run(globbed(t, args)...)
						require.Zero(t, code, out)
					}
				})
			}
		}
	}
	require.Positive(t, count)
}

// nowhere takes what is written and forgets it.
type nowhere struct{}

func (*nowhere) Write(p []byte) (int, error) { return len(p), nil }

func all(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		list = append(list, all(sub)...)
	}
	return list
}

var word = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)

// commandsIn are the calls of flowlua in a line for a shell, as their arguments.
func commandsIn(line string) (list [][]string) {
	var args []string
	inside := false
	end := func() {
		if inside {
			list = append(list, args)
		}
		args, inside = nil, false
	}
	skip := false
	for _, w := range word.FindAllString(line, -1) {
		switch {
		case w == "|" || w == "&&" || w == "&":
			end()
		case w == ">" || w == "<":
			skip = true
		case strings.HasPrefix(w, "#"):
			end()
			return list
		case skip:
			skip = false
		case w == "flowlua" && !inside:
			inside = true
		case inside:
			args = append(args, strings.Trim(w, `'"`))
		}
	}
	end()
	return list
}

// globbed replaces patterns by the files that they match, as a shell does.
func globbed(t *testing.T, args []string) (out []string) {
	for _, a := range args {
		files, err := filepath.Glob(a)
		require.NoError(t, err)
		if strings.Contains(a, "*") && len(files) > 0 {
			out = append(out, files...)
		} else {
			out = append(out, a)
		}
	}
	return out
}
