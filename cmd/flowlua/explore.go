package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/workflow/explore"
)

// exploreOptions are the flags of the explore command.
type exploreOptions struct {
	workflow, input, invariants, path, output string
	spec, history                             string
	found                                     string // the file of invariants that is read
	seed                                      uint64
	paths, faults                             int
	time                                      time.Duration
	noCancel, noCrash                         bool
	quiet                                     bool
}

func newExploreCommand(s streams) *cobra.Command {
	var o exploreOptions
	c := &cobra.Command{
		Use:   "explore FILE",
		Short: "Try everything that may happen to a workflow",
		Long: `Try everything that may happen to a workflow: each activity succeeds, fails or times out, at each attempt; events come in
every order; a cancellation or a crash strikes at each moment. What must hold is checked on every path. Activities are not
run: unless the file of invariants says what they return, values are made up that the script can use.

Invariants are functions by name, in a Lua file that returns a table of them: FILE_invariants.lua beside FILE, or
--invariants. Without any, what every run must keep is checked: it ends, it is replayed as it ran, it has no error of Lua.

Paths are made in the order of their number of deviations from the usual one, so that the first to fail is one of the
shortest. When there are more than --paths, the rest is sampled at random by --seed.

A path that fails is printed step by step. --path makes it again, and --history writes down the run on it, for flowlua debug.
The exit code is 1 if an invariant is broken, 4 if the time was over before anything was examined.`,
		Example: `  flowlua explore scripts/payment.lua
  flowlua explore scripts/payment.lua --input '{"order": 7, "amount": 12.5}' --paths 5000
  flowlua explore scripts/payment.lua --path 1.2
  flowlua explore scripts/payment.lua --path 1.2 --history found.json
  flowlua explore scripts/payment.lua --spec scripts/payment_found_spec.lua`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if o.output != "text" && o.output != "json" {
				return usage("-o is 'text' or 'json', not '%s'", o.output)
			}
			if o.paths < 1 {
				return usage("--paths is how many paths are made at most, 1 or more, not %d", o.paths)
			}
			if o.faults < 0 {
				return usage("--faults is how many faults there are at most on one path, 0 or more, not %d", o.faults)
			}
			if c.Flags().Changed("time") && o.time <= 0 {
				return usage("--time is a duration above zero, such as 30s or 5m, not %s", o.time)
			}
			if o.path != "" && o.spec != "" {
				return usage("--spec writes out what an exploration finds, and --path makes one path alone: leave one of them out")
			}
			return o.explore(s, c, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&o.workflow, "workflow", "", "`NAME` of the workflow, if the file declares several")
	f.StringVar(&o.input, "input", "", "the workflow's argument: `JSON`, @FILE, or - for the standard input; made up if not given")
	f.StringVar(&o.invariants, "invariants", "", "`FILE` of Lua that returns what must hold; FILE_invariants.lua if that is there")
	f.IntVar(&o.paths, "paths", 20_000, "make at most `N` paths")
	f.IntVar(&o.faults, "faults", 2, "at most `N` failures, timeouts, cancellations and crashes on one path")
	f.DurationVar(&o.time, "time", 0, "stop after this `DURATION`, such as 30s")
	f.Uint64Var(&o.seed, "seed", 0, "`N` by which paths are sampled when there are too many")
	f.StringVar(&o.path, "path", "", "make this one `PATH`, as a failure has printed it")
	f.StringVar(&o.spec, "spec", "", "write what is broken out as a spec `FILE` for flowlua test, named …_spec.lua")
	f.StringVar(&o.history, "history", "", "write the run on the first path that is broken, or on that of --path, as a `FILE`.json for flowlua debug, replay and graph")
	f.BoolVar(&o.noCancel, "no-cancel", false, "the run is never asked to cancel")
	f.BoolVar(&o.noCrash, "no-crash", false, "the process never crashes")
	f.StringVarP(&o.output, "output", "o", "text", "`FORMAT` of the report: text or json")
	f.BoolVar(&o.quiet, "quiet", false, "show no progress")
	return c
}

func (o *exploreOptions) explore(s streams, c *cobra.Command, file string) error {
	config, err := o.config(s, c, file)
	if err != nil {
		return err
	}
	spec, err := o.newSpecFile(file)
	if err != nil {
		return err
	}
	if err := o.checkHistory(); err != nil {
		return err
	}
	for flag, name := range map[string]string{"spec": o.spec, "history": o.history} {
		if err := writable(name); err != nil {
			return usage("--%s: %w", flag, err)
		}
	}
	// Nearly all memory is garbage at once; collecting it rarely makes paths twice as fast.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	show := exploreReport{out: progress.VisibleWriter{Writer: s.Out}, file: file, again: o.again(c, file), json: o.output == "json", history: o.history}
	if o.path != "" {
		choices, err := explore.ParseChoices(o.path)
		if err != nil {
			return usage("--path: %w", err)
		}
		report, err := explore.Replay(config, choices)
		if err != nil {
			return failed(err)
		}
		if err := o.writeHistory(report); err != nil {
			return err
		}
		return show.path(report)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		select {
		case <-s.Interrupts:
			stop()
		case <-ctx.Done():
		}
	}()
	shown := exploreProgress{w: terminal(s.Err), quiet: o.quiet}
	config.Progress = shown.show
	report, err := explore.Explore(ctx, config)
	shown.clear()
	if err != nil {
		return failed(err)
	}
	if err := errors.Join(spec.write(report), o.writeHistory(report)); err != nil {
		return err
	}
	return show.report(report)
}

// config is what is to be explored.
func (o *exploreOptions) config(s streams, c *cobra.Command, file string) (explore.Config, error) {
	config := explore.Config{}
	program, err := loadProgram(file)
	if err != nil {
		return config, err
	}
	config.Program = program
	if err := o.script(file, &config); err != nil {
		return config, err
	}
	input, err := readInput(o.input, c.Flags().Changed("input"), s)
	if err != nil {
		return config, err
	}
	if input != nil {
		config.Input = append(append([]byte{'['}, input...), ']')
	}
	if o.workflow != "" || config.Workflow == "" {
		_, config.Workflow, err = load(file, o.workflow)
		if err != nil {
			return config, err
		}
	}
	changed := c.Flags().Changed
	if changed("paths") || config.Paths == 0 {
		config.Paths = o.paths
	}
	if changed("faults") || config.Faults == 0 {
		if config.Faults = o.faults; o.faults <= 0 {
			config.Faults = -1
		}
	}
	if changed("seed") {
		config.Seed = o.seed
	}
	if changed("time") {
		config.Time = o.time
	}
	config.NoCancel = config.NoCancel || o.noCancel
	config.NoCrash = config.NoCrash || o.noCrash
	return config, nil
}

// script adds what the file of invariants says.
func (o *exploreOptions) script(file string, config *explore.Config) error {
	name := o.invariants
	if name == "" {
		name = strings.TrimSuffix(file, ".lua") + "_invariants.lua"
		if _, err := os.Stat(name); err != nil {
			return nil
		}
	}
	o.found = name
	folder := filepath.Dir(name)
	script, err := explore.LoadScript(os.DirFS(folder), filepath.Base(name))
	if errors.Is(err, fs.ErrNotExist) {
		return usage("--invariants: there is no file %s", name)
	}
	if err == nil {
		err = script.Apply(config)
	}
	if err != nil {
		text, trace := loadProblem(folder, name, err)
		return exit(exitLoad, errors.New(text+trace))
	}
	return nil
}

// again is the command line that makes a path once more, without the path itself.
func (o *exploreOptions) again(c *cobra.Command, file string) string {
	words := []string{"flowlua", "explore", quoted(file)}
	for _, name := range []string{"workflow", "input", "invariants"} {
		if f := c.Flags().Lookup(name); f.Changed {
			words = append(words, "--"+name, quoted(f.Value.String()))
		}
	}
	for _, name := range []string{"no-cancel", "no-crash"} {
		if c.Flags().Changed(name) {
			words = append(words, "--"+name)
		}
	}
	return strings.Join(words, " ")
}

// quoted is a word for a shell.
func quoted(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?[]{}~`!#") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// exploreProgress is a line on the terminal.
type exploreProgress struct {
	w     *os.File // nil: no terminal
	quiet bool
	shown bool
	last  time.Time
}

func (p *exploreProgress) show(now explore.Progress) {
	if p.w == nil || p.quiet || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = time.Now(), true
	how := count(now.Deviations, "deviation")
	if now.Sampling {
		how = "sampling"
	}
	fmt.Fprintf(p.w, "\r\x1b[K%d paths, %.0f/s, %s", now.Paths, float64(now.Paths)/max(now.Elapsed.Seconds(), 1e-3), how)
	if now.Failures > 0 {
		fmt.Fprintf(p.w, ", %d broken", now.Failures)
	}
}

func (p *exploreProgress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
