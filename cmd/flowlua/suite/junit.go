package suite

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// JUnit reports as the XML that build servers read.
type JUnit struct {
	Out     io.Writer
	Explain func(err error, f *File) string

	suites []*junitSuite
}

type junitSuites struct {
	XMLName xml.Name      `xml:"testsuites"`
	Suites  []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`

	took time.Duration
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr,omitempty"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Skipped *junitProblem `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr,omitempty"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func inSeconds(d time.Duration) string { return fmt.Sprintf("%.6f", d.Seconds()) }

func (j *JUnit) suite(f *File) *junitSuite {
	for _, s := range j.suites {
		if s.Name == f.Path {
			return s
		}
	}
	s := &junitSuite{Name: f.Path}
	j.suites = append(j.suites, s)
	return s
}

// Begin implements Reporter.
func (j *JUnit) Begin(Plan) {}

// Broken implements Reporter.
func (j *JUnit) Broken(f *File) {
	s := j.suite(f)
	s.Tests++
	s.Errors++
	s.Cases = append(s.Cases, junitCase{Name: "load", Class: f.Path, File: f.Path, Time: inSeconds(0),
		Error: &junitProblem{Message: "the file does not load", Text: j.Explain(f.Err, f)}})
}

// Test implements Reporter.
func (j *JUnit) Test(f *File, r *flowtest.Result) {
	s := j.suite(f)
	s.Tests++
	s.took += r.Took
	c := junitCase{Name: r.Test.Title(), Class: f.Path, File: f.Path, Line: r.Test.Line, Time: inSeconds(r.Took), Out: strings.Join(r.Printed, "\n")}
	switch r.Status {
	case flowtest.Failed:
		s.Failures++
		p := f.problem(r)
		first, _, _ := strings.Cut(p.message, "\n")
		c.Failure = &junitProblem{Message: first, Type: p.name, Text: strings.Join(append([]string{p.place + ": " + p.message}, p.trace...), "\n")}
	case flowtest.Pending:
		s.Skipped++
		c.Skipped = &junitProblem{Message: r.Reason}
	}
	s.Cases = append(s.Cases, c)
}

// End implements Reporter.
func (j *JUnit) End(Summary) {
	for _, s := range j.suites {
		s.Time = inSeconds(s.took)
	}
	text, err := xml.MarshalIndent(junitSuites{Suites: j.suites}, "", "  ")
	if err != nil {
		panic(err) // these structs can be written
	}
	fmt.Fprintf(j.Out, "%s%s\n", xml.Header, text)
}
