package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/cmd/flowlua/operate"
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
	leaves   bool // at once, without waiting for what is under way
	ends     <-chan os.Signal
	unhear   func() // of ends
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
		return nil, err
	}
	d.ends, d.unhear = s.ends()
	return d, nil
}

// inMemory reports whether nothing is kept.
func (d *driver) inMemory() bool {
	_, memory := d.store.(*history.Memory)
	return memory
}

// command is a command to try, as it is typed.
func (d *driver) command(words ...string) string { return d.options.command(words...) }

// resume takes up an open run that nobody drives. One that another process drives is followed.
func (d *driver) resume(run history.Run) error {
	if missing := d.missing(run); len(missing) > 0 {
		return fmt.Errorf("run %s waits for %s, which its script does not implement: the program that registers it has to drive the run (Engine.Recover)",
			run.ID, strings.Join(missing, ", "))
	}
	if err := d.remember(run); err != nil {
		return err
	}
	ctx := context.Background()
	driven, err := history.Driver(ctx, d.store, &run, time.Now())
	if err != nil {
		return err
	}
	if driven == nil { // before the run says something
		d.sayGoesOn(run)
	}
	resumed, err := d.engine.Resume(ctx, run.ID)
	if errors.Is(err, flowlua.ErrNotOwned) {
		d.view.say(err.Error() + ": it is followed")
		d.follows = true
		resumed, err = d.engine.Find(ctx, run.ID)
	}
	if err != nil {
		return err
	}
	return d.drive(resumed)
}

func (d *driver) sayGoesOn(run history.Run) {
	d.view.say(fmt.Sprintf("flowlua: run %s goes on after %s", run.ID, plural(run.Turns, "turn")))
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
	if left := d.left(run.ID(), stopped); left != nil {
		return left
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

// left is the error of a run that was left before its end, nil if it was not.
func (d *driver) left(id string, stopped stop) error {
	switch {
	case stopped == killed:
		d.leaves = true
		return exit(exitInterrupted, errors.New("killed"+d.next(id)))
	case stopped == unfollowed:
		run, err := d.store.Run(context.Background(), history.Ref{ID: id})
		if err == nil {
			var text string
			text, err = (&operate.Console{Store: d.store, Flags: d.options.hint()}).Onward(context.Background(), run)
			err = errors.Join(err, errors.New("interrupted: "+text))
		}
		return exit(exitInterrupted, err)
	case stopped == terminated && d.inMemory():
		return exit(exitTerminated, errors.New("terminated: the run is lost, as it was kept in memory"))
	case stopped == terminated:
		return exit(exitTerminated, errors.New("terminated: run "+id+" is handed back and stays open: "+d.command("resume", id)))
	}
	return nil
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
	case run.Halted != "":
		return "\nThe run is open and can go on: " + (&operate.Console{Flags: d.options.hint()}).Again(&run)
	case run.Status == history.Open:
		return "\nThe run is open and can go on: " + d.command("resume", id)
	}
	return "\nSee what happened: " + d.command("show", id) + "\nLook at its variables: " + d.command("debug", id)
}

// finish closes everything; err is what came of the run.
func (d *driver) finish(err error) error {
	d.view.close()
	defer d.unhear()
	if d.leaves {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { // whoever is told again does not wait any longer
		select {
		case <-d.ends:
			stop()
		case <-d.streams.Interrupts:
			stop()
		case <-ctx.Done():
		}
	}()
	return errors.Join(d.engine.Close(ctx), d.view.lost, err)
}
