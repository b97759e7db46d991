package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// driving is what the flags of run and resume have in common.
type driving struct {
	database
	output       string
	timeout      time.Duration
	trace, quiet bool
	limits       limitFlags
}

func (o *driving) flags(c *cobra.Command) {
	o.addFlag(c)
	f := c.Flags()
	f.DurationVar(&o.timeout, "timeout", 0, "cancel the run after this `DURATION`, such as 30s")
	f.BoolVar(&o.trace, "trace", false, "show every event and decision")
	f.StringVarP(&o.output, "output", "o", "text", "`FORMAT` of the result: text or json")
	f.BoolVar(&o.quiet, "quiet", false, "show no progress")
	f.Var(&o.limits, "limit", "`NAME=VALUE` of a limit of the script, such as instructions=1e9 or memory=256MB; may be repeated")
}

func (o *driving) check(c *cobra.Command) error {
	if o.output != "text" && o.output != "json" {
		return usage("-o is 'text' or 'json', not '%s'", o.output)
	}
	if c.Flags().Changed("timeout") && o.timeout <= 0 {
		return usage("--timeout is a duration above zero, such as 30s or 5m, not %s", o.timeout)
	}
	return nil
}

// driver drives runs to their end and shows them meanwhile.
type driver struct {
	streams  streams
	options  driving
	store    history.Store
	engine   *flowlua.Engine
	view     *view
	underway *underway
	follows  bool // another process drives the run
}

// newDriver makes one on a store, which it closes in the end. scripts is where new runs come from; nil: there are none.
func newDriver(s streams, store history.Store, o driving, scripts fs.FS) (*driver, error) {
	print := s.Out
	if o.output == "json" {
		print = s.Err
	}
	d := &driver{streams: s, options: o, store: store, view: newView(s, print, o.quiet, o.trace), underway: newUnderway()}
	if o.limits.Instructions == 0 {
		o.limits.Instructions = defaultInstructions
	}
	var err error
	d.engine, err = flowlua.Open("", flowlua.Config{
		Store: store, Scripts: scripts, Print: d.view, Observer: d.underway.watched(d.view.observer()), Limits: vm.Limits(o.limits),
	})
	if err != nil {
		d.view.close()
	}
	return d, err
}

// inMemory reports whether nothing is kept.
func (d *driver) inMemory() bool {
	_, memory := d.store.(*history.Memory)
	return memory
}

// hint is what commands that are proposed need to find the same file.
func (d *driver) hint() string { return d.options.hint() }

// telling is the command that tells a run something from outside; "" if none can.
func (d *driver) telling(id string) string {
	if d.inMemory() {
		return ""
	}
	return "flowlua signal " + id + " NAME" + d.hint()
}

// resume takes up an open run that nobody drives. One that another process drives is followed.
func (d *driver) resume(run history.Run) error {
	if missing := d.missing(run); len(missing) > 0 {
		return fmt.Errorf("run %s waits for %s, which its script does not implement: the program that registers it has to drive the run (Engine.Recover)",
			run.ID, strings.Join(missing, ", "))
	}
	if err := d.remember(run); err != nil {
		return err
	}
	driven, err := history.Driver(context.Background(), d.store, &run, time.Now())
	if err != nil {
		return err
	}
	if driven == nil { // before the run says something
		d.view.say(fmt.Sprintf("flowlua: run %s goes on after %s", run.ID, plural(run.Turns, "turn")))
	}
	resumed, err := d.engine.Resume(context.Background(), run.ID)
	if errors.Is(err, flowlua.ErrNotOwned) {
		d.view.say(err.Error() + ": it is followed")
		d.follows = true
		resumed, err = d.engine.Find(context.Background(), run.ID)
	}
	if err != nil {
		return err
	}
	return d.drive(resumed)
}

// remember has what a run and those it has started have done shown, and counted as under way.
func (d *driver) remember(run history.Run) error {
	ctx := context.Background()
	for turn, err := range d.store.Turns(ctx, run.Ref, 0) {
		if err != nil {
			return err
		}
		d.view.before(run.Ref, turn)
		d.underway.turn(run.Ref, turn)
	}
	for child, err := range d.store.Runs(ctx, history.Filter{Parent: run.ID}) {
		if err != nil {
			return err
		}
		if child.Parent.Number == run.Number && child.ID != run.ID {
			if err := d.remember(child); err != nil {
				return err
			}
		}
	}
	return nil
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// missing are the activities that a run waits for and that its script does not implement.
func (d *driver) missing(run history.Run) (names []string) {
	sources, err := d.store.Sources(context.Background(), run.Program)
	if err != nil {
		return nil // the engine says it better
	}
	program, err := workflow.NewProgram(sources)
	if err != nil {
		return nil
	}
	var log workflow.Log
	for range log.Following(d.store.Turns(context.Background(), run.Ref, 0)) {
	}
	own := program.Activities()
	for _, o := range log.Open() {
		if name := o.Event.Name; o.Event.Kind == history.ActivityScheduled && !slices.Contains(own, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// takeOver takes a run that is followed up if its process has ended.
func (d *driver) takeOver(id string) {
	if _, err := d.engine.Resume(context.Background(), id); err == nil && d.follows {
		d.follows = false
		d.view.say("flowlua: the process that drove run " + id + " has ended: the run goes on here")
	}
}

// drive waits for the end of a run and reports it.
func (d *driver) drive(run *flowlua.Run) error {
	ctx := context.Background()
	stopped, err := d.wait(run)
	if stopped == killed {
		return exit(exitInterrupted, errors.New("killed"+d.next(run.ID())))
	}
	if err == nil {
		err = run.Result(ctx)
	}
	var results []json.RawMessage
	if info, lost := d.engine.Get(ctx, run.ID()); err == nil && len(info.Result) > 0 {
		err = errors.Join(lost, json.Unmarshal(info.Result, &results))
	}
	d.view.close()
	err = outcome(d.streams, d.options, results, err, stopped)
	if code := new(exitError); errors.As(err, &code) && code.err != nil {
		return exit(code.code, errors.New(code.Error()+d.next(run.ID())))
	}
	return err
}

// next is what can be done about a run that did not complete.
func (d *driver) next(id string) string {
	if d.inMemory() {
		return ""
	}
	run, err := d.store.Run(context.Background(), history.Ref{ID: id})
	switch {
	case err != nil:
		return ""
	case run.Status == history.Open:
		return fmt.Sprintf("\nThe run is open and can go on: flowlua resume %s%s", id, d.hint())
	}
	return fmt.Sprintf("\nSee what happened: flowlua show %s%s", id, d.hint())
}

// finish closes everything; err is what came of the run.
func (d *driver) finish(err error) error {
	d.view.close()
	var code *exitError
	if errors.As(err, &code) && code.code == exitInterrupted && strings.HasPrefix(code.Error(), "killed") {
		return err // it must not wait for anything
	}
	return errors.Join(d.engine.Close(context.Background()), d.view.lost, err)
}
