package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/graph"
	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
)

// drawings are the formats of the graph command.
var drawings = []string{"mermaid", "dot", "html"}

func newGraphCommand(s streams) *cobra.Command {
	v := verb{streams: s}
	var format string
	var timeline bool
	c := &cobra.Command{
		Use:   "graph ID | HISTORY.json",
		Short: "Draw a run: its tree and its timeline",
		Long: `Draw a run, or what "flowlua export" has written of one: mermaid and dot are text, for documents and for Graphviz, of the execution
tree with durations, attempts and errors; with --timeline mermaid is a Gantt chart. html is one page that needs no network and
nothing beside it: the tree beside the timeline, the errors, what an open run waits for, the history.

Of a run that has begun thousands of things most are folded, and the drawing says how many.`,
		Example: `  flowlua graph order-7 > order-7.mmd
  flowlua graph @last --format html > run.html
  flowlua graph order-7.json --format dot | dot -Tsvg > order-7.svg`,
		Args: anID(0, 0, "the ID of one run or a HISTORY.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			draw := map[string]func(io.Writer, *operate.Picture) error{"mermaid": graph.Mermaid, "dot": graph.Dot, "html": graph.HTML}[format]
			switch {
			case draw == nil:
				return usage("--format is %s, not '%s'", or(drawings), format)
			case timeline && format == "mermaid":
				draw = graph.MermaidTimeline
			case timeline && format == "dot":
				return usage("Graphviz draws no timelines: --timeline is for mermaid, and html has one")
			}
			do := func(ctx context.Context, c *operate.Console, id string) error {
				p, err := c.Picture(ctx, id)
				if err != nil {
					return err
				}
				out := bufio.NewWriter(s.Out)
				return errors.Join(draw(out, p), out.Flush())
			}
			if filepath.Ext(args[0]) != ".json" && args[0] != "-" {
				return v.do(false, func(ctx context.Context, c *operate.Console) error { return do(ctx, c, args[0]) })
			}
			rec, err := v.recording(args[0])
			if err != nil {
				return err
			}
			ctx, stop := v.interruptible()
			defer stop()
			c := v.console()
			store := &history.Memory{}
			c.Store = store
			err = store.Import(ctx, rec)
			if err == nil {
				err = do(ctx, c, rec.Run.ID)
			}
			return v.outcome(ctx, err)
		},
		ValidArgsFunction: v.completeIDs(false, false),
	}
	c.Flags().StringVar(&format, "format", "mermaid", "`FORMAT` of the drawing: "+or(drawings))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(drawings, cobra.ShellCompDirectiveNoFileComp))
	c.Flags().BoolVar(&timeline, "timeline", false, "draw what was done when, as a Gantt chart (mermaid)")
	v.flags(c)
	return c
}
