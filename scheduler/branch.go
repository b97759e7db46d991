package scheduler

// Func is the body of a branch. in are the values of its After promises, in order. A result that is a *Promise is
// awaited by the branch as its last act, repeatedly, and its value becomes the result.
type Func func(b *Branch, in []any) (any, error)

// Spec describes a branch.
type Spec struct {
	// Name is for people; empty means the name of the branch that starts it.
	Name string
	// After are promises whose values the body gets; it starts when all are ready. If one fails, the branch fails with
	// that very error without having started.
	After []*Promise
	// Daemon branches do not keep their scope open. What a daemon starts is daemon too (flow-semantics 1.5).
	Daemon bool
	Site   Site
	Body   Func
}

// Branch is a coroutine in the tree.
type Branch struct {
	node
	// Local belongs to the host. If it is a Site, dumps show its frames as where the branch stands.
	Local any

	body      Func
	coroutine *coroutine
	on        *Promise // what it awaits, nil if several or nothing
	several   []wait   // what AwaitFirst waits for
	single    wait
	woken     *wait // what ended the wait
	cancelled *Cancelled
	line      *lineage // made when it starts something
	phase     *Scope   // whose phase body it is, nil for an ordinary branch
	begun     int32    // things begun so far
	parked    bool
	byName    bool // cancelled by its promise
	shielding bool // in a wait that cancellation does not end
}

func (b *Branch) kind() string { return "branch" }

// Cancelled is the *Cancelled that every wait and start of the branch now raises, nil if it is not cancelled.
func (b *Branch) Cancelled() error {
	if b.cancelled == nil {
		return nil
	}
	return b.cancelled
}

// NextID is the path of the next thing the branch begins, used up by this call (rule 10).
func (b *Branch) NextID() string {
	b.begun++
	return newPlace(b.place(), b.begun, 0).path()
}

// Spawn starts a branch in the scope of b. The error is *Cancelled when b is cancelled (rule 6).
func (b *Branch) Spawn(spec Spec) (*Promise, error) {
	if err := b.mayStart(); err != nil {
		return nil, err
	}
	c := &Branch{body: spec.Body}
	b.beget(&c.node, spec.Name, spec.Site, spec.Daemon)
	c.begin(c, spec.After)
	return &c.promise, nil
}

func (b *Branch) mayStart() error {
	t := b.tree
	switch {
	case t.stopped:
		return ErrStopped
	case t.current != b && t.starting != b:
		return errOutside
	case b.cancelled != nil:
		return b.cancelled
	}
	return nil
}

// beget fills in what the new node has from its creator.
func (b *Branch) beget(n *node, name string, site Site, daemon bool) {
	b.begun++
	n.tree, n.scope, n.site = b.tree, b.scope, site
	n.name = name
	if name == "" {
		n.name = b.name
	}
	n.above, n.number = b.place(), b.begun
	n.creators = b.lineage()
	n.daemon = daemon || b.daemon
}

// lineage is how b came about, shared by everything it starts.
func (b *Branch) lineage() *lineage {
	if b.line == nil {
		b.line = extend(b.creators, b.site)
	}
	return b.line
}

func (b *Branch) step() {
	switch b.stage {
	case queued:
		b.stage = started
		b.coroutine = b.tree.coroutine()
		b.coroutine.branch = b
		b.tree.resume(b)
	case failing:
		b.fail(b.afterFailure(), false)
	case started:
		b.tree.resume(b)
	}
}

// execute runs the body in its coroutine.
func (b *Branch) execute() {
	t := b.tree
	v, err, ok := b.call()
	if !ok || t.stopped || t.fatal != nil {
		return
	}
	t.current = nil
	b.body, b.Local = nil, nil
	if b.phase != nil {
		b.stage = gone
		b.phase.bodyEnded(b, v, err)
		return
	}
	if err != nil {
		b.fail(err, b.byName && AsCancelled(err) != nil)
		return
	}
	b.succeed(v)
}

// call is false if the body did not end by itself.
func (b *Branch) call() (v any, err error, ok bool) {
	defer func() {
		if ok {
			return
		}
		r := recover()
		if _, stop := r.(unwinding); stop || b.tree.fatal != nil {
			return
		}
		if b.tree.fatal = errExited; r != nil {
			b.tree.fatal = engineFailure(r)
		}
	}()
	v, err = b.body(b, b.inputs())
	for err == nil {
		p, promise := v.(*Promise)
		if !promise {
			break
		}
		if p == nil {
			v = nil
			break
		}
		v, err = b.Await(p)
	}
	return v, err, true
}

// cancelFrom and cancelByName: an unstarted branch is dropped, a waiting one is woken, through the queue, with
// *Cancelled at its wait; a running one is only marked (flow-semantics 1.4). A branch that is about to fail because of an
// After promise does that: its failure must not be lost.
func (b *Branch) cancelFrom(failure error) {
	if b.stage == waiting || b.stage == queued {
		b.drop(cancelledWith(failure))
		return
	}
	b.cancel(cancelledWith(failure))
}

func (b *Branch) cancelByName(cause error) {
	if b.stage == waiting || b.stage == queued {
		b.drop(cancelledBy(cause))
		b.scope.advance()
		return
	}
	if b.cancelled == nil {
		b.byName = true
	}
	b.cancel(cancelledBy(cause))
}

func (b *Branch) cancel(c *Cancelled) {
	if b.stage != started || b.cancelled != nil {
		return
	}
	b.cancelled = c
	if b.parked && !b.shielding {
		b.tearWaits()
		b.wake()
	}
}
