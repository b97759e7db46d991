package graph_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/net/html"

	"github.com/flowlua/flowlua/cmd/flowlua/graph"
	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

var update = flag.Bool("update", false, "rewrite the expected drawings in testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// picture runs a workflow for a time (0: to its end): charge takes a second, ship fails, others hang.
func picture(t *testing.T, id, script string, input any, until time.Duration) *operate.Picture {
	program, err := workflow.LoadProgram(fstest.MapFS{"run.lua": {Data: []byte(script)}}, "run.lua")
	require.NoError(t, err)
	w := virtual.New(virtual.Config{
		Program: program,
		Activities: map[string]virtual.Activity{
			"charge": virtual.Always(virtual.Returns("receipt").After(time.Second)),
			"ship":   virtual.Always(virtual.Fails(`No"Truck</pre>`, hostile).After(2 * time.Second)),
		},
		Missing: virtual.Always(virtual.Hangs()),
		Trust:   true,
	})
	defer w.Close()
	run, err := w.Start(id, "main", input)
	require.NoError(t, err)
	require.NoError(t, w.RunFor(until))
	store := &history.Memory{}
	for _, r := range w.All() {
		require.NoError(t, store.Import(t.Context(), r.Recording()))
	}
	c := operate.Console{Store: store, Now: func() time.Time { return w.Now().Add(time.Second) }, Out: io.Discard}
	p, err := c.Picture(t.Context(), run.Ref().ID)
	require.NoError(t, err)
	return p
}

// hostile is text that every format has to take for nothing but text.
const hostile = "<script>alert(1)</script> \"quoted\" 'it' `code` ]]>--> %% end; n0[x] {y} |z| & &amp; #35; \\N \\\" // \u202e\nsubgraph click"

var trip = `local flow = require "flow"
local charge, ship = flow.activity "charge", flow.activity("ship", { retry = { initial = "1s", max_attempts = 3 } })
local child = flow.workflow("child <b>", function(x) return charge(x):await() end)
flow.workflow("main", function(mode)
  flow.status("booking " .. mode)
  local parts = flow.try {
    function()
      for i = 1, 3 do flow.spawn(function() return child(i):await() end) end
      flow.spawn(function() flow.sleep("3s") return charge(mode):await() end)
    end,
    finally = function() charge("final"):await() end,
  }
  parts:await()
  local ok, err = pcall(function() return ship(mode):await() end)
  if mode == "open" then
    flow.spawn(function() flow.sleep("2h") end)
    flow.spawn(function() return flow.activity("approve " .. mode)("by hand"):await() end)
    flow.signal("go " .. "<b>"):await()
  end
  error(flow.error("Trip<i>Failed", "no hotel & no train", { cause = err }))
end)`

// drawings are of a run that has failed, and is hostile, and of one that is open.
func drawings(t *testing.T) map[string]*operate.Picture {
	return map[string]*operate.Picture{
		"failed": picture(t, `trip<b>"1`, trip, hostile, 0),
		"open":   picture(t, "trip-2", trip, "open", time.Minute),
	}
}

func TestText(t *testing.T) {
	for name, p := range drawings(t) {
		for ext, draw := range map[string]func(io.Writer, *operate.Picture) error{"mmd": graph.Mermaid, "gantt.mmd": graph.MermaidTimeline, "dot": graph.Dot} {
			t.Run(name+"."+ext, func(t *testing.T) {
				var out bytes.Buffer
				require.NoError(t, draw(&out, p))
				file := filepath.Join("testdata", name+"."+ext)
				if *update {
					require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), out.String())
				require.NotContains(t, out.String(), "\u202e")
				if ext == "dot" {
					graphviz(t, out.String())
				}
			})
		}
	}
}

// graphviz draws with the program, where there is one.
func graphviz(t *testing.T, text string) {
	if _, err := exec.LookPath("dot"); err != nil {
		t.Log("dot is not installed: it was not asked whether it takes this")
		return
	}
	c := exec.Command("dot", "-Tsvg")
	c.Stdin = strings.NewReader(text)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NotContains(t, string(out), "Warning")
	require.NotContains(t, string(out), "<script>")
}

// TestMermaidEscapes: outside of its quotes a drawing has nothing of the run.
func TestMermaidEscapes(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, graph.Mermaid(&out, drawings(t)["failed"]))
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, `"`) {
			require.Regexp(t, `^  n\d+(\[|\(\[|\{\{|\[/)"([^"<>&%\\]|<br/>)*"(\]|\]\)|\}\}|/\]):::\w+\n$`, line)
		}
	}
}

func TestHTML(t *testing.T) {
	for name, p := range drawings(t) {
		t.Run(name, func(t *testing.T) {
			text := page(t, p)
			root, err := html.Parse(strings.NewReader(text))
			require.NoError(t, err)
			words := ""
			for n := range root.Descendants() {
				switch {
				case n.Type == html.TextNode:
					words += " " + n.Data
				case n.Type == html.ElementNode:
					require.NotContains(t, []string{"script", "img", "iframe", "b1", "i1"}, n.Data)
					for _, a := range n.Attr {
						require.NotContains(t, []string{"src", "href", "onload", "onclick"}, a.Key, "the page asks for nothing")
					}
				}
			}
			require.Contains(t, words, "<script>alert(1)</script>", "shown as it is")
			if name == "open" {
				require.Contains(t, words, "What it waits for")
				require.Contains(t, words, "timer  due in 1h59m")
				require.Contains(t, words, "signal 'go <b>'")
				require.Contains(t, words, "activity approve open")
			} else {
				require.Contains(t, words, "Trip<i>Failed")
				require.Contains(t, words, "caused by")
			}
		})
	}
}

func page(t *testing.T, p *operate.Picture) string {
	var out bytes.Buffer
	require.NoError(t, graph.HTML(&out, p))
	return out.String()
}

// TestLarge: a run of ten thousand operations gives drawings that can be looked at, which say what they leave out.
func TestLarge(t *testing.T) {
	p := picture(t, "large", `local flow = require "flow"
		local charge, ship = flow.activity "charge", flow.activity "ship"
		flow.workflow("main", function(n)
			local list = {}
			for i = 1, n do list[i] = (i % 1000 == 7 and ship or charge)(i):outcome() end
			flow.all(list):await()
		end)`, 10_000, 0)
	var out bytes.Buffer
	require.NoError(t, graph.Mermaid(&out, p))
	require.Less(t, out.Len(), 50_000, "Mermaid's limit")
	require.Less(t, strings.Count(out.String(), "-->"), 500, "Mermaid's limit")
	require.Contains(t, out.String(), "parts are shown one by one; the others are folded")
	out.Reset()
	require.NoError(t, graph.Dot(&out, p))
	require.Less(t, strings.Count(out.String(), "->"), 500)
	text := page(t, p)
	require.Less(t, len(text), 2_000_000)
	require.Contains(t, text, "the others are folded")
	require.Contains(t, text, "failed")
	require.Equal(t, 10, strings.Count(text, "class=\"row failed activity\""), "what has failed is not folded")
}

// TestJSON keeps the shapes apart: a picture is no document of its own.
// TestAttempts: each has a part of the bar, and what is known of it is told.
func TestAttempts(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(1_790_000_000+int64(seconds), 0).UTC() }
	p := &operate.Picture{At: at(10)}
	p.ID, p.Number, p.Workflow, p.Created, p.Status = "pay-7", 1, "pay", at(0), history.Completed
	p.Tree = operate.Branch{Kind: "workflow", Name: "pay", State: "done", Began: at(0), Ended: at(10), Children: []operate.Branch{
		{Path: "/1", Kind: "activity", Name: "charge(7)", State: "done", Began: at(0), Ended: at(10), Seconds: 10, Attempt: 3, Attempts: 5, Past: history.Past{
			{Number: 1, Began: at(0)}, {Number: 2, Began: at(4), Ended: at(5), Failure: &history.Failure{Name: "Busy", Message: "<not now>"}}, {Number: 3, Began: at(8), Ended: at(10)}}}}}
	var page, flowchart bytes.Buffer
	require.NoError(t, graph.HTML(&page, p))
	for _, want := range []string{
		`<i class="bar whole"`,
		`<i class="bar try lost" title="attempt 1, from 0.000s its process died: its work may have been done" style="--l:0.00;--w:40.00;`,
		`<i class="bar try failed" title="attempt 2, 4.000s to 5.000s Busy: &lt;not now&gt;" style="--l:40.00;--w:10.00;`,
		`<i class="bar try done" title="attempt 3, 8.000s to 10.000s" style="--l:80.00;--w:20.00;`,
		`attempt 1: its process died, its work may have been done<br>attempt 2: Busy: &lt;not now&gt;</li>`,
	} {
		require.Contains(t, page.String(), want)
	}
	require.NoError(t, graph.Mermaid(&flowchart, p))
	require.Contains(t, flowchart.String(), "attempt 3 of 5<br/>attempt 1#58; its process died, its work may have been done<br/>attempt 2#58; Busy#58; #lt;not now#gt;")
}

func TestEmpty(t *testing.T) {
	p := &operate.Picture{}
	require.NoError(t, json.Unmarshal([]byte(`{"ID":"x"}`), p))
	for _, draw := range []func(io.Writer, *operate.Picture) error{graph.Mermaid, graph.MermaidTimeline, graph.Dot, graph.HTML} {
		require.NoError(t, draw(io.Discard, p), "a run that has not made a turn")
	}
}
