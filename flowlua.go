// Package flowlua runs workflows written in Lua inside a Go program.
//
//	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: os.DirFS("flows")})
//	err = engine.RegisterActivity("charge", charge) // func(context.Context, Order) (Receipt, error)
//	run, err := engine.Start(ctx, "process_order", order, flowlua.StartOptions{ID: "order-42"})
//	err = run.Result(ctx, &receipt)
//
// A workflow is a Lua script that decides; the work is done by activities, Go functions that the host registers or Lua
// functions of the script. What the scripts can say is in the folder spec.
package flowlua

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
)

// Config of an engine. The zero value works, but for Scripts when workflows are to be started.
type Config struct {
	Scripts     fs.FS         // where scripts are, *.lua; each is read once
	Logger      *slog.Logger  // the engine's log and that of the scripts' flow.log; nil: none
	Print       io.Writer     // where the scripts' print goes, line by line; nil: os.Stdout
	Store       Store         // nil: the one that Open's path says
	Workers     int           // activities that run at the same time; 0: 256
	Limits      Limits        // of each turn of a workflow; zero fields have safe defaults
	Observer    Observer      // told what happens
	Synchronous string        // of a file: "full", the default, syncs every commit to the disk; "normal" is faster, and a power cut may lose the newest turns
	Name        string        // what other engines on the same store call this one; "": the program, process and host
	Cache       int           // idle runs that are kept in memory, others are rebuilt from their history when something happens; 0: 1,000
	Lease       time.Duration // after which others may take this engine for dead if it does not say that it is alive; 0: 10 s
	Verify      bool          // replay each run from nothing after each of its turns and compare: for tests, slow
}

// Engine runs workflows. It is safe for concurrent use.
type Engine struct {
	config Config
	store  history.Store
	log    *slog.Logger
	print  *lineWriter

	turns    pool[*execution] // runs that have something to do
	commits  committer        // what they have decided, on its way into the store
	chores   pool[func()]     // of the engine itself, one after the other
	attempts pool[*task]      // activities that wait for a worker
	alarms   alarms           // timers of runs, timeouts and retries of activities
	lost     lostAttempts     // activities that are past their time and have not returned
	stopped  chan struct{}    // closed when no more turns are made
	dropping sync.Once        // guards that, and the end of what is open then

	lease      lease
	idle       idleRuns
	moved      atomic.Pointer[error] // the store is not where it was, and the engine halted
	notice     atomic.Bool           // somebody else has written, and nobody has looked yet
	audited    time.Time             // when it was last looked whether all runs are still this engine's; of the chores
	claiming   sync.Mutex            // one claim at a time, so that a run is opened once
	collected  int64                 // Seq of the newest mail that was seen
	collecting sync.Mutex            // guards that

	closeStore func() error // once

	mu         sync.RWMutex
	closed     bool
	recovering bool
	open       map[string]*execution // open runs that this engine drives, by ID
	leaving    map[*execution]bool   // that go on elsewhere and have not been let go yet
	left       leftRuns
	early      map[string][]history.Mail // for runs that are stored and not among these yet
	activities map[string]*activity.Func
	programs   programs
}

// Open makes an engine. path names the SQLite database in which runs are kept, which is made if there is none; several
// engines, also of several processes, may use it at the same time. ":memory:" keeps them as long as the engine is open.
// An engine drives the runs that it starts; see Recover for those of others. With Config.Store the path does not matter.
func Open(path string, config Config) (*Engine, error) {
	if config.Store == nil && path == "" {
		return nil, errors.New(`flowlua: open: expected the path of a database file, got ""; ":memory:" keeps runs only as long as the engine is open`)
	}
	if config.Store == nil {
		store, err := openStore(path, config.Synchronous)
		if err != nil {
			return nil, err
		}
		config.Store = store
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	e := &Engine{
		config: config, store: config.Store, log: config.Logger, print: newLineWriter(config.Print),
		stopped: make(chan struct{}), open: map[string]*execution{}, activities: map[string]*activity.Func{},
	}
	e.closeStore = sync.OnceValue(e.store.Close)
	e.programs.fsys = config.Scripts
	e.turns.max, e.turns.work = runtime.GOMAXPROCS(0), e.advance
	_, inMemory := e.store.(*history.Memory)
	e.commits.write, e.commits.atOnce = e.write, inMemory
	e.chores.max, e.chores.work = 1, func(do func(), _ *bool) { do() }
	e.attempts.max, e.attempts.work = cmp.Or(config.Workers, 256), e.attempt
	return e, nil
}

// RegisterActivity makes a Go function an activity that scripts can call by name. fn is any
// func([context.Context,] In…) (Out…[, error]); its types are checked here, so that a call cannot meet one that JSON
// does not carry. The context is cancelled as soon as the workflow asks for cancellation or the activity has timed out.
func (e *Engine) RegisterActivity(name string, fn any) error {
	f, err := activity.New(name, fn)
	if err != nil {
		return fmt.Errorf("flowlua: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrClosed
	}
	if _, ok := e.activities[name]; ok {
		return fmt.Errorf("flowlua: activity %q: %w", name, ErrAlreadyExists)
	}
	e.activities[name] = f
	if e.left != nil { // it may be what they miss
		e.left = nil
		e.chores.add(func() { e.takeUp(false) })
	}
	return nil
}

// Close stops the engine: turns in flight are finished and stored, the contexts of running activities are cancelled (the cause is
// ErrClosed) and their functions waited for, whatever they return, as they are performed again by who takes the run up, and open runs are handed back: another engine on the same store may take them up. Waiting ends with ctx; then the error
// names the activities that do not end, and Close may be called again to wait for them. Other calls of the engine return
// ErrClosed from now on.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	again := e.closed
	e.closed = true
	e.mu.Unlock()

	if !again {
		e.alarms.stop()
		e.turns.close()
		e.attempts.close()
		e.chores.close()
	}
	if err := e.settled(ctx); err != nil {
		go func() { // those who wait for a run hear of it when the turn is over
			_ = e.settled(context.Background())
			e.dropping.Do(e.drop)
		}()
		return fmt.Errorf("flowlua: close: a turn does not end: %w", err)
	}
	e.dropping.Do(e.drop)
	if err := e.commits.wait(ctx); err != nil { // the last heartbeats
		return fmt.Errorf("flowlua: close: the store does not answer: %w", err)
	}
	if err := e.attempts.wait(ctx); err != nil {
		return fmt.Errorf("flowlua: close: activities that do not end: %v: %w", &e.lost, err)
	}
	return errors.Join(e.leave(), e.closeStore())
}

// settled waits until no turn is being made or written.
func (e *Engine) settled(ctx context.Context) error {
	for _, wait := range []func(context.Context) error{e.turns.wait, e.commits.wait, e.chores.wait} {
		if err := wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// drop ends what is open when the last turn has been made: nothing opens or ends a run any more.
func (e *Engine) drop() {
	close(e.stopped)
	e.mu.RLock()
	open := slices.AppendSeq(slices.Collect(maps.Values(e.open)), maps.Keys(e.leaving))
	e.mu.RUnlock()
	for _, r := range open {
		r.abandon()
	}
}

// closedError is ErrClosed once the engine was closed.
func (e *Engine) closedError() error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return ErrClosed
	}
	return nil
}
