package suite

import (
	"encoding/json"
	"io"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// JSON reports as one document.
type JSON struct {
	Out     io.Writer
	Explain func(err error, f *File) string

	doc document
}

type document struct {
	Tests   []testDocument  `json:"tests"`
	Broken  []brokenFile    `json:"broken,omitempty"` // files that do not load
	Summary summaryDocument `json:"summary"`
	Seed    uint64          `json:"seed,omitempty"` // of --shuffle
}

type testDocument struct {
	File    string           `json:"file"`
	Line    int              `json:"line"`
	Names   []string         `json:"names"` // of the blocks, then of the test
	Tags    []string         `json:"tags,omitempty"`
	Status  flowtest.Status  `json:"status"`
	Reason  string           `json:"reason,omitempty"` // why it is pending
	Failure *failureDocument `json:"failure,omitempty"`
	Printed []string         `json:"printed,omitempty"`
	Elapsed float64          `json:"elapsed"` // seconds of virtual time
	Took    float64          `json:"took"`    // seconds
	Turns   int              `json:"turns"`
}

type failureDocument struct {
	Name    string          `json:"name"`
	Message string          `json:"message"`
	At      string          `json:"at"` // file:line
	Trace   []string        `json:"trace,omitempty"`
	Details json.RawMessage `json:"details,omitempty"` // of an assertion: expected and got
}

type brokenFile struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

type summaryDocument struct {
	Passed  int     `json:"passed"`
	Failed  int     `json:"failed"`
	Pending int     `json:"pending"`
	Broken  int     `json:"broken"`
	Skipped int     `json:"skipped"`
	Elapsed float64 `json:"elapsed"`
	Took    float64 `json:"took"`
}

// Begin implements Reporter.
func (j *JSON) Begin(p Plan) {
	j.doc = document{Tests: []testDocument{}, Seed: p.Seed}
}

// Broken implements Reporter.
func (j *JSON) Broken(f *File) {
	j.doc.Broken = append(j.doc.Broken, brokenFile{f.Path, j.Explain(f.Err, f)})
}

// Test implements Reporter.
func (j *JSON) Test(f *File, r *flowtest.Result) {
	d := testDocument{File: f.Path, Line: r.Test.Line, Names: r.Test.Names, Tags: r.Test.Tags, Status: r.Status, Reason: r.Reason,
		Printed: r.Printed, Elapsed: r.Elapsed.Seconds(), Took: r.Took.Seconds(), Turns: r.Turns}
	if r.Failure != nil {
		p := f.problem(r)
		d.Failure = &failureDocument{p.name, r.Failure.Message, p.place, p.trace, r.Failure.Details}
	}
	j.doc.Tests = append(j.doc.Tests, d)
}

// End implements Reporter.
func (j *JSON) End(s Summary) {
	j.doc.Summary = summaryDocument{s.Passed, s.Failed, s.Pending, s.Broken, s.Skipped, s.Elapsed.Seconds(), s.Took.Seconds()}
	e := json.NewEncoder(j.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(j.doc) // the standard output that is gone is nobody's problem
}
