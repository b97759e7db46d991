package graph

import (
	"fmt"
	"io"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

var dotLimits = limits{siblings: 40, all: 400}

var dotColors = map[string][2]string{ // fill and line
	"done": {"#dcfce7", "#16a34a"}, "ended": {"#e5e7eb", "#6b7280"}, "failed": {"#fee2e2", "#dc2626"}, "cancelled": {"#fef3c7", "#d97706"},
	"running": {"#dbeafe", "#2563eb"}, "retrying": {"#ffedd5", "#ea580c"}, "sleeping": {"#ede9fe", "#7c3aed"}, "waiting": {"#f3f4f6", "#9ca3af"},
}

// Dot writes the tree of a run for Graphviz.
func Dot(w io.Writer, p *operate.Picture) error {
	root, all := tree(p.Tree, dotLimits)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph run {\n  rankdir=LR\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11]\n  edge [color=\"#9ca3af\"]\n")
	text := title(p) + ", " + string(p.Status)
	if folded := foldedText(root, all); folded != "" {
		text += "; " + folded
	}
	fmt.Fprintf(&b, "  label=%s\n  labelloc=t\n  fontname=\"sans-serif\"\n", dotText(text))
	count := 0
	var write func(n *node) int
	write = func(n *node) int {
		id := count
		count++
		more := ""
		switch {
		case n.folded > 0:
			more = ", style=\"dashed,filled\""
		case n.Kind == "timer":
			more = ", shape=hexagon, style=filled"
		case n.Kind == "workflow":
			more = ", penwidth=2"
		}
		color := dotColors[n.State]
		fmt.Fprintf(&b, "  n%d [label=%s, fillcolor=%q, color=%q%s]\n", id, dotText(strings.Join(label(n), "\n")), color[0], color[1], more)
		for _, c := range n.children {
			fmt.Fprintf(&b, "  n%d -> n%d\n", id, write(c))
		}
		return id
	}
	write(root)
	if text := waitsText(p); text != "" {
		fmt.Fprintf(&b, "  waits [label=%s, style=dashed]\n  n0 -> waits [style=dashed]\n", dotText(short(text, 200)))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotText is a quoted text: of a backslash Graphviz would make an escape, of & an entity.
func dotText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "&", "&amp;").Replace(text) + `"`
}
