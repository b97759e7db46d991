package scheduler

import (
	"errors"
	"fmt"
)

// Config configures a Tree; the zero value works.
type Config struct {
	// Clock is needed by Retry with delays only.
	Clock Clock
	// Unobserved gets the failures of what the root's try has started and that nobody has observed, instead of the root
	// failing with them: a session outlives them. nil: the root fails (rule 4).
	Unobserved func(err error)
}

// Tree is one execution: a root scope and everything in it.
type Tree struct {
	clock    Clock
	lost     func(err error) // Config.Unobserved
	queue    queue
	root     *Scope
	current  *Branch
	starting *Branch // whose operation is being started
	idle     []*coroutine
	fatal    error
	attached int32
	running  bool
	stopping bool
	stopped  bool
}

// New makes a tree in which nothing has been started.
func New(config Config) *Tree { return &Tree{clock: config.Clock, lost: config.Unobserved} }

// Start makes body the try of the root scope, which has no catch. It may be called once. The promise is the result.
func (t *Tree) Start(name string, site Site, body Func) *Promise {
	if t.root != nil {
		panic(engineError{errors.New("the tree was started before: make a new one for another run")})
	}
	s := &Scope{try: body}
	s.node = node{tree: t, name: name, site: site}
	t.root = s
	s.promise.Observe()
	s.begin(s, nil)
	return &s.promise
}

// Run runs the ready queue until everything waits. An error is an engine error (rule 9): Abort was called or a body or
// callback panicked. Nothing else runs then, and every later Run returns the same error.
func (t *Tree) Run() (err error) {
	switch {
	case t.fatal != nil:
		return t.fatal
	case t.stopped:
		return ErrStopped
	case t.running:
		return errors.New("the tree is running already: Run was called from inside of it")
	}
	t.running = true
	defer func() {
		t.running, t.current, t.starting = false, nil, nil
		if r := recover(); r != nil && t.fatal == nil {
			t.fatal = engineFailure(r)
		}
		if t.stopping {
			t.Stop()
			err = ErrStopped
			return
		}
		if t.fatal != nil {
			err = t.fatal
		}
	}()
	for t.fatal == nil && !t.stopping {
		s := t.queue.pop()
		if s == nil {
			break
		}
		s.step()
	}
	return nil
}

// resume runs b until it waits or ends.
func (t *Tree) resume(b *Branch) {
	t.current = b
	b.coroutine.next()
	t.current = nil
}

// Done reports whether the root scope is closed.
func (t *Tree) Done() bool { return t.root != nil && t.root.state == Closed }

// Result is the result of the root scope, an error while it is open.
func (t *Tree) Result() (any, error) {
	if t.root == nil {
		return nil, errors.New("not ready: the tree was not started")
	}
	return t.root.promise.Get()
}

// Cancel cancels the root scope. Before the first Run it completes silently; later the result is *Cancelled even if
// every scope inside swallowed it (P-081).
func (t *Tree) Cancel(cause error) {
	if t.root != nil {
		t.root.Cancel(cause)
	}
}

// Attach starts a branch of the root from outside of the tree, for signal handlers. It is an error if the root has left
// its try or was cancelled. While the root is only failing, it still runs (flow-semantics 1.3).
func (t *Tree) Attach(name string, site Site, body Func) (*Promise, error) {
	switch {
	case t.stopped:
		return nil, ErrStopped
	case t.root == nil:
		return nil, errors.New("the tree has no root yet: call Start before Attach")
	case t.root.state > Trying:
		return nil, fmt.Errorf("the root has left its try (it is %s): nothing can be attached to it", t.root.state)
	case t.root.cancelRequested:
		return nil, t.root.failure
	}
	return &t.attach(t.root, Spec{Name: name, Site: site, Body: body}).promise, nil
}

// attach starts a branch of any open scope.
func (t *Tree) attach(s *Scope, spec Spec) *Branch {
	t.attached++
	b := &Branch{body: spec.Body}
	b.node = node{
		tree: t, scope: s, name: spec.Name, site: spec.Site, number: t.attached, letter: '@', daemon: spec.Daemon,
	}
	if b.name == "" {
		b.name = s.name
	}
	b.begin(b, spec.After)
	return b
}

// Current is the branch that is running, nil if none is.
func (t *Tree) Current() *Branch { return t.current }

// Root is the root scope, nil before Start.
func (t *Tree) Root() *Scope { return t.root }

// Promise makes a settable promise; the description is for dumps. b, its maker, may be nil: a settable promise belongs
// to no scope, its failure is kept for whoever looks later.
func (t *Tree) Promise(_ *Branch, description string) *Promise {
	return &Promise{settable: true, description: description}
}

// Stop drops everything: every suspended body is unwound by a panic, so that its deferred functions run, and all
// coroutines end. Called from inside of the tree it takes effect at once for the caller's body, and for the rest when the
// step ends; Run returns ErrStopped then. Stopping twice does nothing.
func (t *Tree) Stop() {
	if t.stopped {
		return
	}
	if t.running {
		t.stopping = true
		if t.current != nil {
			panic(unwinding{})
		}
		return
	}
	t.stopped = true
	if t.root != nil {
		for _, b := range t.root.suspended(nil) {
			b.unwind()
		}
	}
	for _, c := range t.idle {
		c.stop()
	}
	t.idle = nil
	t.queue.clear()
}

// suspended appends the branches of s that have a coroutine. All are found before the first is unwound, because what
// runs then may still cancel others.
func (s *Scope) suspended(found []*Branch) []*Branch {
	if s.body != nil {
		found = append(found, s.body)
	}
	for n := s.first; n != nil; n = n.next {
		switch h := n.self.(type) {
		case *Branch:
			if h.coroutine != nil {
				found = append(found, h)
			}
		case *Scope:
			found = h.suspended(found)
		}
	}
	return found
}

func (b *Branch) unwind() {
	if c := b.coroutine; c != nil {
		b.tree.current = b
		c.stop()
		b.tree.current = nil
	}
}
