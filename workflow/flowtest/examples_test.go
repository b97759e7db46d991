package flowtest_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow/flowtest"
)

// TestExamples runs the examples of what is declared for spec files. Those of spec.d.lua are whole files; the others are the body of
// a test, in which flow and the workflow order are there. "--> text" says what is printed, in order.
func TestExamples(t *testing.T) {
	read := func(name string) *fstest.MapFile {
		data, err := os.ReadFile("testdata/examples/" + name)
		require.NoError(t, err)
		return &fstest.MapFile{Data: data}
	}
	for _, file := range []string{"spec.d.lua", "assert.d.lua", "spy.d.lua", "flow_test.d.lua", "flow_explore.d.lua"} {
		found := examples(t, file)
		require.NotEmpty(t, found)
		for _, e := range found {
			t.Run(file+"/"+e.name, func(t *testing.T) {
				require.NotEmpty(t, e.source, "it has no example")
				source := "local flow = require 'flow' local order = require 'order'\n"
				if file == "spec.d.lua" {
					source += e.source
				} else {
					source += "it('example', function()\n" + e.source + "end)"
				}
				var printed []string
				for _, r := range run(t, fstest.MapFS{"order.lua": read("order.lua"), "thanks.lua": read("thanks.lua"), "x_spec.lua": {Data: []byte(source)}}, "x_spec.lua") {
					require.Nil(t, r.Failure, "%+v", r.Failure)
					printed = append(printed, strings.Split(strings.Join(r.Printed, "\n"), "\n")...)
				}
				require.Equal(t, strings.TrimSpace(strings.Join(e.want, "\n")), strings.TrimSpace(strings.Join(printed, "\n")))
			})
		}
	}
}

func run(t *testing.T, files fs.FS, name string) (results []flowtest.Result) {
	t.Helper()
	file, err := flowtest.Load(files, name)
	require.NoError(t, err)
	for _, test := range file.Tests {
		results = append(results, file.Run(test, flowtest.Config{}))
	}
	return results
}

type example struct {
	name, source string
	want         []string
}

var (
	declared = regexp.MustCompile(`^function ([\w.:]+)\(`)
	printed  = regexp.MustCompile(`--> ?(.*)$`)
)

// examples are those of the functions of a declaration file.
func examples(t *testing.T, file string) (list []example) {
	text, err := fs.ReadFile(stdlib.Declarations(), file)
	require.NoError(t, err)
	var now example
	inside := false
	for _, line := range strings.Split(string(text), "\n") {
		comment, is := strings.CutPrefix(line, "---")
		switch {
		case is && comment == "```lua":
			inside = true
		case is && comment == "```":
			inside = false
		case is && inside:
			now.source += comment + "\n"
			if m := printed.FindStringSubmatch(comment); m != nil {
				now.want = append(now.want, m[1])
			}
		case !is && line != "":
			if m := declared.FindStringSubmatch(line); m != nil {
				now.name = m[1]
				list = append(list, now)
			}
			now = example{}
		}
	}
	return list
}
