package stdlib

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFlowExamples runs every example of the flow declarations and compares what it prints.
func TestFlowExamples(t *testing.T) {
	count := 0
	for _, file := range declarationFiles(t) {
		for _, d := range readDeclared(t, file) {
			if d.example == "" {
				continue
			}
			count++
			t.Run(d.name, func(t *testing.T) {
				if file == "flow_activity.d.lua" {
					checkActivityExample(t, d.example)
					return
				}
				checkScript(t, "local flow = require 'flow'\n"+d.example)
			})
		}
	}
	require.Greater(t, count, 60)
}

// TestFlowIsDeclared holds the module against its declarations: every function and method has one, with an example.
func TestFlowIsDeclared(t *testing.T) {
	documented := map[string]bool{}
	for _, file := range declarationFiles(t) {
		for _, d := range readDeclared(t, file) {
			if d.function {
				require.NotEmpty(t, d.example, "%s: %s has no example", file, d.name)
				documented[d.name] = true
			}
		}
	}
	var registered []string
	add := func(prefix string, list []method) {
		for _, m := range list {
			registered = append(registered, prefix+m.name)
		}
	}
	add("flow.", flowFunctions)
	add("Promise:", promiseMethods)
	add("RetryPolicy:", policyMethods)
	add("Signal:", signalMethods)
	add("Channel:", channelMethods)
	add("Semaphore:", semaphoreMethods)
	for _, e := range (&errorValues{}).entries() {
		registered = append(registered, "Error:"+e.name)
	}
	for _, e := range (&ActivityFlow{}).entries() { // some of them are for activities only
		if !slices.Contains(registered, "flow."+e.name) {
			registered = append(registered, "flow."+e.name)
		}
	}
	add("Activity:", stubMethods)
	add("Workflow:", stubMethods)
	for _, l := range logLevels {
		registered = append(registered, "flow.log."+l.name)
	}
	for _, name := range registered {
		require.True(t, documented[name], "%s has no declaration", name)
		delete(documented, name)
	}
	require.Empty(t, documented, "declared, but not there")
}

// TestFlowChunks runs the language's tests: files of chunks, cut at lines that begin with "--- title".
func TestFlowChunks(t *testing.T) {
	files, err := filepath.Glob("testdata/flow/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, chunk := range strings.Split("\n"+string(text), "\n--- ")[1:] {
			title, body, _ := strings.Cut(chunk, "\n")
			t.Run(strings.TrimSuffix(filepath.Base(file), ".lua")+"/"+title, func(t *testing.T) {
				checkScript(t, "local flow = require 'flow'\n"+body)
			})
		}
	}
}

var (
	printedText   = regexp.MustCompile(`--> ?(.*)$`)
	expectedError = regexp.MustCompile(`--- error: (.*)$`)
)

// checkScript runs a script. "--> text" says what is printed, in order; "--- error: pattern" that the run fails, with an
// error that was raised in that line.
func checkScript(t *testing.T, source string) {
	t.Helper()
	var want []string
	failure, failureLine := "", 0
	for i, line := range strings.Split(source, "\n") {
		if m := printedText.FindStringSubmatch(line); m != nil {
			want = append(want, m[1])
		}
		if m := expectedError.FindStringSubmatch(line); m != nil {
			failure, failureLine = m[1], i+1
		}
	}
	r := newRun(newWorld())
	defer r.close()
	_, err := r.script("test.lua", source)
	if failure == "" {
		if err != nil {
			t.Logf("%s", traceOf(err))
		}
		require.NoError(t, err, "printed:\n%s", strings.Join(r.printed, "\n"))
	} else {
		require.Error(t, err)
		require.Regexp(t, failure, errorOf(err).Error())
		if errorOf(err).Name != nameCancelled { // which comes from outside
			require.Regexp(t, fmt.Sprintf(`^at test\.lua:%d\b`, failureLine), traceOf(err))
		}
	}
	require.Equal(t, strings.Join(want, "\n"), strings.Join(r.printed, "\n"))
}

func traceOf(err error) string { return strings.Join(errorOf(err).Trace(), "\n") }

// declaredName is one thing of a declaration file.
type declaredName struct {
	name     string
	function bool
	example  string
}

var declaredFunction = regexp.MustCompile(`^function ([\w.]+[.:]\w+)\(`)

// declarationFiles are those of the module, but for what is there in spec files only, whose examples run in package flowtest.
func declarationFiles(t *testing.T) []string {
	files, err := fs.Glob(Declarations(), "flow*.d.lua")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return slices.DeleteFunc(files, ForSpecs)
}

// readDeclared reads what a file declares, with the example in the comment above.
func readDeclared(t *testing.T, file string) []declaredName {
	text, err := fs.ReadFile(Declarations(), file)
	require.NoError(t, err)
	var list []declaredName
	var example strings.Builder
	inside := false
	for _, line := range strings.Split(string(text), "\n") {
		comment, is := strings.CutPrefix(line, "---")
		switch {
		case is && comment == "```lua":
			inside = true
		case is && comment == "```":
			inside = false
		case is && inside:
			example.WriteString(comment + "\n")
		case !is && line != "":
			d := declaredName{name: line, example: example.String()}
			if m := declaredFunction.FindStringSubmatch(line); m != nil {
				d.name, d.function = m[1], true
			}
			list = append(list, d)
			example.Reset()
		}
	}
	return list
}
