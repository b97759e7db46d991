package graph

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

// Mermaid draws at most 500 arrows and 50,000 bytes unless it is configured otherwise.
var mermaidLimits = limits{siblings: 24, all: 180}

var mermaidColors = map[string]string{
	"done": "fill:#dcfce7,stroke:#16a34a,color:#14532d", "ended": "fill:#e5e7eb,stroke:#6b7280,color:#111827",
	"failed": "fill:#fee2e2,stroke:#dc2626,color:#7f1d1d", "cancelled": "fill:#fef3c7,stroke:#d97706,color:#78350f",
	"running": "fill:#dbeafe,stroke:#2563eb,color:#1e3a8a", "retrying": "fill:#ffedd5,stroke:#ea580c,color:#7c2d12",
	"sleeping": "fill:#ede9fe,stroke:#7c3aed,color:#4c1d95", "waiting": "fill:#f3f4f6,stroke:#9ca3af,color:#374151",
}

// Mermaid writes the tree of a run as a flowchart.
func Mermaid(w io.Writer, p *operate.Picture) error {
	root, all := tree(p.Tree, mermaidLimits)
	var b strings.Builder
	fmt.Fprintf(&b, "flowchart LR\n")
	if text := foldedText(root, all); text != "" {
		fmt.Fprintf(&b, "  %%%% %s\n", text)
	}
	count := 0
	used := map[string]bool{}
	var write func(n *node) int
	write = func(n *node) int {
		id := count
		count++
		lines := label(n)
		for i := range lines {
			lines[i] = mermaidText(lines[i])
		}
		left, right := "[", "]"
		switch {
		case n.Kind == "workflow":
			left, right = "([", "])"
		case n.Kind == "timer":
			left, right = "{{", "}}"
		case n.folded > 0:
			left, right = "[/", "/]"
		}
		used[n.State] = true
		fmt.Fprintf(&b, "  n%d%s\"%s\"%s:::%s\n", id, left, strings.Join(lines, "<br/>"), right, n.State)
		for _, c := range n.children {
			fmt.Fprintf(&b, "  n%d --> n%d\n", id, write(c))
		}
		return id
	}
	write(root)
	if w := waitsText(p); w != "" {
		fmt.Fprintf(&b, "  waits[\"%s\"]:::waiting\n  n0 -.-> waits\n", mermaidText(short(w, 200)))
		used["waiting"] = true
	}
	for _, s := range states {
		if used[s] {
			fmt.Fprintf(&b, "  classDef %s %s\n", s, mermaidColors[s])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// waitsText tells what an open run waits for outside of itself.
func waitsText(p *operate.Picture) string {
	var parts []string
	for _, one := range pending(p) {
		parts = append(parts, one.what+" "+one.why)
	}
	if len(parts) == 0 {
		return ""
	}
	return "waits for " + strings.Join(parts, "; ")
}

// mermaidText writes what Mermaid could take for markup as its entities.
func mermaidText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '<':
			b.WriteString("#lt;")
		case r == '>':
			b.WriteString("#gt;")
		case r == '&':
			b.WriteString("#amp;")
		case r == '"':
			b.WriteString("#quot;")
		case strings.ContainsRune("#%`*_~\\{}[]()|;:$", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// MermaidTimeline writes what a run has begun over its time, as a Gantt chart.
func MermaidTimeline(w io.Writer, p *operate.Picture) error {
	root, all := tree(p.Tree, mermaidLimits)
	var b strings.Builder
	axis := "%H:%M:%S"
	switch whole := p.At.Sub(p.Created); {
	case whole < 10*time.Second:
		axis = "%S.%Ls"
	case whole > 48*time.Hour:
		axis = "%d %b"
	}
	fmt.Fprintf(&b, "gantt\n  title %s\n  dateFormat x\n  axisFormat %s\n", ganttText(title(p)), axis)
	if text := foldedText(root, all); text != "" {
		fmt.Fprintf(&b, "  %%%% %s\n", text)
	}
	fmt.Fprintf(&b, "  section %s\n", ganttText(root.Name))
	count := 0
	var write func(n *node)
	write = func(n *node) {
		if !n.Began.IsZero() {
			end := n.Ended
			if end.IsZero() {
				end = p.At
			}
			state := map[string]string{"done": "done, ", "ended": "done, ", "failed": "crit, ", "cancelled": "crit, "}[n.State]
			if state == "" {
				state = "active, "
			}
			count++
			fmt.Fprintf(&b, "  %s :%st%d, %d, %d\n", ganttText(strings.Join(label(n), ", ")), state, count, n.Began.UnixMilli(),
				max(n.Began.UnixMilli()+1, end.UnixMilli()))
		}
		for _, c := range n.children {
			write(c)
		}
	}
	write(root)
	_, err := io.WriteString(w, b.String())
	return err
}

// ganttText replaces what ends a text in a Gantt chart, which knows no quotes.
func ganttText(text string) string {
	text = strings.NewReplacer(":", "\u02d0", ";", ",", "#", "\u2116", "%", " pct", "<", "\u2039", ">", "\u203a", "&", "+", "\"", "\u201d", "`", "'",
		"\\", "/").Replace(plain(text))
	if text == "" {
		return "?"
	}
	return "\u2060" + text // no keyword begins so
}
