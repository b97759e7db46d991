package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/flowlua/flowlua"
	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history"
)

// resumeAll drives what nobody drives until all of it has ended or the user has had enough.
func resumeAll(s streams, o driving) error {
	store, err := o.open(s, false)
	if err != nil {
		return err
	}
	d, err := newDriver(s, store, o, nil)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	return d.finish(d.resumeAll())
}

func (d *driver) resumeAll() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	code, why := exitInterrupted, "interrupted"
	go func() {
		select {
		case <-d.streams.Interrupts:
		case <-d.ends:
			code, why = exitTerminated, "terminated"
		case <-ctx.Done():
		}
		cancel()
	}()
	taken, err := d.takeAll(ctx)
	if err == nil && len(taken) > 0 {
		err = d.await(ctx, taken)
	}
	if ctx.Err() != nil {
		return exit(code, errors.New(why+": the runs that have not ended are handed back and stay open: "+d.command("resume", "--all")))
	}
	return err
}

// takeAll takes up the open runs that nobody drives, each with those that it has started.
func (d *driver) takeAll(ctx context.Context) (taken []*flowlua.Run, err error) {
	runs, err := (&operate.Console{Store: d.store}).Undriven(ctx)
	if err != nil {
		return nil, err
	}
	began := map[history.Ref]bool{}
	for _, run := range runs {
		if run.Parent != nil && began[run.Parent.Ref] {
			began[run.Ref] = true
			continue
		}
		if missing := d.missing(run); len(missing) > 0 {
			d.view.say(fmt.Sprintf("flowlua: run %s is left alone: it waits for %s, which its script does not implement", run.ID, missing[0]))
			continue
		}
		if err := d.remember(run); err != nil {
			return nil, err
		}
		d.sayGoesOn(run)
		resumed, err := d.engine.Resume(ctx, run.ID)
		switch {
		case errors.Is(err, flowlua.ErrNotOwned), errors.Is(err, flowlua.ErrNotOpen): // somebody was faster
			d.view.say(err.Error())
		case err != nil:
			return nil, err
		default:
			began[run.Ref] = true
			taken = append(taken, resumed)
		}
	}
	if len(taken) == 0 {
		d.view.say("flowlua: there is nothing to take up: " + d.command("list", "--status", "open") + " shows what is open")
	}
	return taken, nil
}

// await waits for the ends of runs, and says how they did not complete.
func (d *driver) await(ctx context.Context, taken []*flowlua.Run) error {
	type ending struct {
		id  string
		err error
	}
	endings := make(chan ending)
	for _, run := range taken {
		go func() {
			select {
			case endings <- ending{run.ID(), run.Result(ctx)}:
			case <-ctx.Done():
			}
		}()
	}
	failed := 0
	for range taken {
		select {
		case e := <-endings:
			if e.err != nil && ctx.Err() == nil {
				failed++
				d.view.say(fmt.Sprintf("flowlua: run %s: %s%s", e.id, failureText(e.err), d.next(e.id)))
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	text := fmt.Sprintf("%s taken up: %d completed", plural(int64(len(taken)), "run"), len(taken)-failed)
	if failed > 0 {
		return exit(exitFailed, fmt.Errorf("%s, %d did not: %s shows how they ended", text, failed, d.command("list")))
	}
	d.view.say("flowlua: " + text)
	return nil
}
