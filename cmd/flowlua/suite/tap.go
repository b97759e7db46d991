package suite

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

// TAP reports in the Test Anything Protocol, version 13.
type TAP struct {
	Out     io.Writer
	Explain func(err error, f *File) string

	count int
}

// Begin implements Reporter.
func (t *TAP) Begin(p Plan) {
	fmt.Fprintf(t.Out, "TAP version 13\n1..%d\n", p.Tests+p.Broken)
	if p.Shuffled {
		fmt.Fprintf(t.Out, "# --shuffle=%d\n", p.Seed)
	}
}

// Broken implements Reporter.
func (t *TAP) Broken(f *File) {
	t.count++
	fmt.Fprintf(t.Out, "not ok %d - %s does not load\n", t.count, f.Path)
	t.diagnostic("message", t.Explain(f.Err, f))
}

// Test implements Reporter.
func (t *TAP) Test(f *File, r *flowtest.Result) {
	t.count++
	word, directive := "ok", ""
	switch r.Status {
	case flowtest.Failed:
		word = "not ok"
	case flowtest.Pending:
		directive = strings.TrimSuffix(" # SKIP pending: "+r.Reason, ": ")
	}
	name := strings.NewReplacer("#", `\#`, "\n", " ").Replace(title(r))
	fmt.Fprintf(t.Out, "%s %d - %s: %s%s\n", word, t.count, f.Path, name, directive)
	if r.Status == flowtest.Failed {
		p := f.problem(r)
		t.diagnostic("message", p.message, "at", p.place, "trace", strings.Join(p.trace, "\n"))
	}
	for _, line := range r.Printed {
		fmt.Fprintf(t.Out, "# %s\n", strings.ReplaceAll(line, "\n", "\n# "))
	}
}

// diagnostic is a block of YAML, whose strings are those of JSON.
func (t *TAP) diagnostic(pairs ...string) {
	fmt.Fprintln(t.Out, "  ---")
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			text, _ := json.Marshal(pairs[i+1])
			fmt.Fprintf(t.Out, "  %s: %s\n", pairs[i], text)
		}
	}
	fmt.Fprintln(t.Out, "  ...")
}

// End implements Reporter.
func (t *TAP) End(s Summary) {
	if s.Skipped > 0 {
		fmt.Fprintf(t.Out, "Bail out! %d tests were not run\n", s.Skipped)
	}
}
