package scheduler

import "errors"

// Await waits for p and returns its value or failure (rule 5). A settled promise does not yield. In a cancelled branch,
// and when the branch is cancelled while it waits, the error is *Cancelled, always the same object; only a failure
// (not a cancellation) that p had before the branch was cancelled is delivered all the same.
func (b *Branch) Await(p *Promise) (any, error) {
	if err := b.mayWait(p); err != nil {
		return nil, err
	}
	p.Observe()
	if !p.Settled() {
		b.on = p
		p.add(&b.single, b, 0)
		b.park()
		b.on = nil
		if b.cancelled != nil && !b.shielding && !b.rescued() {
			return nil, b.cancelled
		}
	}
	return p.value, p.err
}

// AwaitFirst waits until one of ps has settled and returns its index; of those that have settled already, the first in
// ps. It raises no failure of theirs, but counts as observing all of them. nil counts as settled; of nothing, the index
// is -1. The error is *Cancelled, as in Await.
func (b *Branch) AwaitFirst(ps ...*Promise) (int, error) {
	for _, p := range ps {
		if p == nil {
			continue
		}
		if err := b.mayWait(p); err != nil {
			return -1, err
		}
	}
	if b.cancelled != nil {
		return -1, b.cancelled
	}
	found := -1
	for i, p := range ps {
		if p != nil {
			p.Observe()
		}
		if found < 0 && (p == nil || p.Settled()) {
			found = i
		}
	}
	if found >= 0 || len(ps) == 0 {
		return found, nil
	}
	b.several = make([]wait, len(ps))
	for i, p := range ps {
		p.add(&b.several[i], b, i)
	}
	b.park()
	for i := range b.several {
		b.several[i].remove()
	}
	b.several = nil
	if b.cancelled != nil && !b.rescued() {
		return -1, b.cancelled
	}
	return int(b.woken.index), nil
}

// Yield goes to the end of the ready queue.
func (b *Branch) Yield() error {
	if err := b.mayWait(nil); err != nil {
		return err
	}
	b.tree.queue.push(b)
	b.suspend()
	return b.Cancelled()
}

// Shield runs spec.Body in a scope of its own that cannot be cancelled, waits for its end and returns its result. It is
// the one wait, and the one start, that a cancelled branch may make.
func (b *Branch) Shield(spec Spec) (any, error) {
	if err := b.mayStart(); err != nil && err != b.Cancelled() {
		return nil, err
	}
	s := b.newScope(ScopeSpec{Name: spec.Name, After: spec.After, Site: spec.Site, Try: spec.Body}, true)
	return b.endure(&s.promise)
}

// endure waits for p whatever is cancelled.
func (b *Branch) endure(p *Promise) (any, error) {
	cancelled := b.cancelled
	b.cancelled, b.shielding = nil, true
	v, err := b.Await(p)
	b.shielding = false
	if cancelled != nil {
		b.cancelled = cancelled
	}
	return v, err
}

var errOwnPromise = errors.New("a branch cannot wait for its own promise: it would never end")

// mayWait refuses what could never end or must not begin.
func (b *Branch) mayWait(p *Promise) error {
	t := b.tree
	switch {
	case t.stopped || t.stopping:
		panic(unwinding{})
	case t.current != b:
		return errors.New("only the running branch can wait: this was called from outside of it")
	case b.cancelled != nil:
		return b.cancelled
	case p != nil && p == &b.promise:
		return errOwnPromise
	}
	return nil
}

// settled resumes b through the queue.
func (b *Branch) settled(w *wait) error {
	if b.parked {
		b.woken = w
		b.wake()
	}
	return nil
}

func (b *Branch) wake() {
	b.parked = false
	b.tree.queue.push(b)
}

func (b *Branch) park() {
	b.woken = nil
	b.parked = true
	b.suspend()
}

func (b *Branch) suspend() { b.coroutine.suspend() }

// rescued: a real failure ended the wait before the branch was cancelled.
func (b *Branch) rescued() bool {
	return b.woken != nil && b.woken.promise.err != nil && AsCancelled(b.woken.promise.err) == nil
}

func (b *Branch) tearWaits() {
	b.single.tear()
	for i := range b.several {
		b.several[i].tear()
	}
}
