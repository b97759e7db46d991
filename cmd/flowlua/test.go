package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/suite"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// testOptions are the flags of the test command.
type testOptions struct {
	output, filter, shuffle string
	tags, except            []string
	failFast, watch         bool
	verbose                 bool
	parallel                int
	limits                  limitFlags
	coverage                bool
	lcov                    string
}

// anySeed stands for --shuffle without a seed.
const anySeed = "new"

func newTestCommand(s streams) *cobra.Command {
	var o testOptions
	c := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of workflows",
		Long: `Run the tests of workflows: spec files, whose names end in _spec.lua. PATH is such a file, FILE:LINE for one test of it, or
a folder with all that is in it; without any it is the current one.

Each test is a workflow on a virtual clock, so that hours pass at once, and each run that it starts is replayed and
compared after every turn. What describe, it, assert and flow.test can do is in spec/14-testing.md and the
declarations of the standard library.

Modules are looked for in the folder of the spec file, in the one above if that is named spec, and else in the nearest
one above that has them.

The exit code is 0 if all tests pass, 1 if one fails, 2 for wrong usage or if there is no test, 3 if a spec file does not
load, and 130 if the tests were interrupted.`,
		Example: `  flowlua test
  flowlua test scripts/payment_spec.lua
  flowlua test scripts --filter cancel --fail-fast
  flowlua test scripts --coverage --watch
  flowlua test scripts -o junit > report.xml`,
		RunE: func(c *cobra.Command, paths []string) error { return runTests(s, paths, o) },
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "dots", "`FORMAT` of the report: dots, tap, junit or json")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "a line for each test, and what it prints; else that is shown of tests that fail")
	f.StringVar(&o.filter, "filter", "", "only tests whose names match the regular expression `PATTERN`")
	f.StringSliceVar(&o.tags, "tags", nil, "only tests with one of these `TAGS` (#slow in a name is the tag slow)")
	f.StringSliceVar(&o.except, "exclude-tags", nil, "no tests with one of these `TAGS`")
	f.StringVar(&o.shuffle, "shuffle", "", "run the tests in another order; --shuffle=`SEED` repeats one")
	f.Lookup("shuffle").NoOptDefVal = anySeed
	f.BoolVar(&o.failFast, "fail-fast", false, "end with the first test that fails")
	f.BoolVar(&o.watch, "watch", false, "run them again whenever a script changes, until interrupted")
	f.IntVarP(&o.parallel, "parallel", "j", runtime.GOMAXPROCS(0), "`N` tests at the same time")
	f.BoolVar(&o.coverage, "coverage", false, "show which lines of the scripts were run")
	f.StringVar(&o.lcov, "lcov", "", "write that to a `FILE` in the format of lcov")
	f.Var(&o.limits, "limit", "`NAME=VALUE` of a limit of each run, such as instructions=1e9; may be repeated")
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"dots", "tap", "junit", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// config is what the flags say.
func (o *testOptions) config(s streams) (c suite.Config, err error) {
	c = suite.Config{FailFast: o.failFast, Parallel: o.parallel, Interrupts: s.Interrupts}
	c.Test.Limits = vm.Limits(o.limits)
	c.Tags, c.Except = o.tags, o.except
	if o.parallel < 1 {
		return c, usage("--parallel expects a number of at least 1, got %d", o.parallel)
	}
	if o.filter != "" {
		if c.Filter, err = regexp.Compile(o.filter); err != nil {
			return c, usage("--filter expects a regular expression: %s; a backslash before a character takes its meaning from it", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	switch o.shuffle {
	case "":
	case anySeed:
		c.Shuffle, c.Seed = true, rand.Uint64N(1e6)
	default:
		if c.Seed, err = strconv.ParseUint(o.shuffle, 10, 64); err != nil {
			return c, usage("--shuffle expects a seed, a whole number, got %q", o.shuffle)
		}
		c.Shuffle = true
	}
	return c, nil
}

func (o *testOptions) reporter(s streams) (suite.Reporter, error) {
	switch o.output {
	case "dots":
		color := terminal(s.Out) != nil && s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
		return &suite.Dots{Out: s.Out, Color: color, Verbose: o.verbose, Explain: explainBroken, Command: "flowlua test"}, nil
	case "tap":
		return &suite.TAP{Out: s.Out, Explain: explainBroken}, nil
	case "junit":
		return &suite.JUnit{Out: s.Out, Explain: explainBroken}, nil
	case "json":
		return &suite.JSON{Out: s.Out, Explain: explainBroken}, nil
	}
	formats := []string{"dots", "tap", "junit", "json"}
	return nil, usage("--output expects one of %s, got '%s'%s", strings.Join(formats, ", "), o.output, stdlib.Suggest(o.output, formats))
}

// explainBroken says what is wrong with a file that does not load.
func explainBroken(err error, f *suite.File) string {
	text, trace := loadProblem(f.Root, f.Path, err)
	return text + trace
}

func runTests(s streams, paths []string, o testOptions) error {
	config, err := o.config(s)
	if err != nil {
		return err
	}
	if o.watch {
		return watchTests(s, paths, o, config)
	}
	summary, err := testOnce(s, paths, o, config)
	if err != nil {
		return err
	}
	switch {
	case summary.Interrupted:
		return exit(exitInterrupted, nil)
	case summary.Failed > 0:
		return exit(exitFailed, nil)
	case summary.Broken > 0:
		return exit(exitLoad, nil)
	case summary.Passed+summary.Pending == 0:
		return usage("no test is chosen: --filter, --tags and --exclude-tags leave none of those there are")
	}
	return nil
}

// testOnce finds, loads and runs the tests.
func testOnce(s streams, paths []string, o testOptions, config suite.Config) (suite.Summary, error) {
	report, err := o.reporter(s)
	if err != nil {
		return suite.Summary{}, err
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	places, err := suite.Find(paths)
	if err != nil {
		return suite.Summary{}, usage("%w", err)
	}
	if len(places) == 0 {
		return suite.Summary{}, usage("there are no spec files in %s: their names end in _spec.lua", strings.Join(paths, ", "))
	}
	var coverage suite.Coverage
	if o.coverage || o.lcov != "" {
		config.Coverage = &coverage
	}
	var files []*suite.File
	for _, p := range places {
		files = append(files, suite.Open(p))
	}
	summary := suite.Run(files, config, report)
	if o.coverage && o.output == "dots" {
		fmt.Fprint(s.Out, coverage.Text())
	} else if o.coverage {
		fmt.Fprint(s.Err, coverage.Text())
	}
	if o.lcov != "" {
		if err := coverage.WriteLCOV(o.lcov); err != nil {
			return summary, failed(err)
		}
	}
	return summary, nil
}
