package flowtest_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// TestPasses runs tests that pass.
func TestPasses(t *testing.T) {
	results := run(t, os.DirFS("testdata/specs"), "passes_spec.lua")
	for _, r := range results[:len(results)-1] {
		t.Run(r.Test.Title(), func(t *testing.T) {
			require.Equal(t, flowtest.Passed, r.Status, "%+v", r.Failure)
			require.NotZero(t, r.Test.Line)
		})
	}
	require.Equal(t, flowtest.Pending, results[len(results)-1].Status)
	require.Equal(t, []string{"one", "two-three"}, results[len(results)-2].Test.Tags)
}

var failing = regexp.MustCompile(`--- fails: (.*)$`)

// TestFails runs tests that fail. "--- fails: pattern" stands at the line that the failure names.
func TestFails(t *testing.T) {
	text, err := os.ReadFile("testdata/specs/fails_spec.lua")
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	for _, r := range run(t, os.DirFS("testdata/specs"), "fails_spec.lua") {
		t.Run(r.Test.Title(), func(t *testing.T) {
			require.Equal(t, flowtest.Failed, r.Status)
			for i, line := range lines[r.Test.Line:] {
				if m := failing.FindStringSubmatch(line); m != nil {
					require.Regexp(t, m[1], r.Failure.Message)
					place := "at fails_spec.lua:" + itoa(r.Test.Line+i+1)
					require.Contains(t, strings.Join(r.Failure.Trace, "\n")+"\n", place, "the trace")
					return
				}
			}
			t.Fatal("the test does not say how it fails")
		})
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// TestClockGoesNoFurther: times that histories cannot have are not reached.
func TestClockGoesNoFurther(t *testing.T) {
	results := run(t, fstest.MapFS{"x_spec.lua": {Data: []byte(`it("waits", function() for i = 1, 9 do require("flow").sleep("800000h") end end)`)}}, "x_spec.lua")
	require.Equal(t, flowtest.Failed, results[0].Status)
	require.Contains(t, results[0].Failure.Message, "the test does not end: it is 800000h later, and its clock goes no further than 1314000h")
}
