package scheduler

// heir is what a scope consists of: branches, scopes and operations.
type heir interface {
	step
	// cancelFrom tells that the phase it belongs to ends with failure (nil: only daemons are left).
	cancelFrom(failure error)
	cancelByName(cause error)
	kind() string
}

type stage uint8

const (
	waiting stage = iota // for its After promises
	queued
	failing // an After promise failed; its turn to say so is queued
	started
	gone
)

// node is what all heirs have in common. It is an element of the intrusive list of its scope, so that leaving is O(1).
type node struct {
	tree       *Tree
	self       heir
	scope      *Scope // whose phase it belongs to; nil for the root
	prev, next *node
	name       string
	site       Site
	creators   *lineage // how the creator came about
	above      *place   // of the creator
	here       *place   // made when first asked for
	after      []*Promise
	waits      []wait
	pending    int32
	number     int32
	letter     byte
	stage      stage
	daemon     bool
	linked     bool
	promise    Promise
}

// Path is the identity of the thing in the tree (rule 10).
func (n *node) Path() string { return n.place().path() }

// Name is its own name or that of its creator.
func (n *node) Name() string { return n.name }

// Site is where it was started, nil if unknown.
func (n *node) Site() Site { return n.site }

func (n *node) place() *place {
	if n.here == nil && n.number != 0 {
		n.here = newPlace(n.above, n.number, n.letter)
	}
	return n.here
}

func (n *node) describe() string { return n.name }

// begin puts the node into its scope and waits for its After promises; nil counts as ready.
func (n *node) begin(self heir, after []*Promise) {
	n.self, n.after = self, after
	n.promise.producer = n
	if n.scope != nil {
		n.scope.add(n)
	}
	for _, p := range after {
		if p == nil {
			continue
		}
		p.Observe()
		switch p.state {
		case pending:
			n.pending++
		case failed:
			n.stage = failing
		}
	}
	switch {
	case n.stage == failing:
	case n.pending == 0:
		n.stage = queued
	default:
		n.waits = make([]wait, 0, n.pending)
		for i, p := range after {
			if p != nil && !p.Settled() {
				n.waits = n.waits[:len(n.waits)+1]
				p.add(&n.waits[len(n.waits)-1], n, i)
			}
		}
		return
	}
	n.tree.queue.push(self)
}

func (n *node) settled(w *wait) error {
	if n.stage != waiting {
		return nil
	}
	n.pending--
	switch {
	case w.promise.err != nil:
		n.detach()
		n.stage = failing
	case n.pending == 0:
		n.waits = nil
		n.stage = queued
	default:
		return nil
	}
	n.tree.queue.push(n.self)
	return nil
}

// detach ends the wait for the After promises. They stay observed: a second one that fails was looked after like the first.
func (n *node) detach() {
	for i := range n.waits {
		n.waits[i].remove()
	}
	n.waits = nil
}

// tear ends it for a node that will not tell anybody how it ended.
func (n *node) tear() {
	for i := range n.waits {
		n.waits[i].tear()
	}
	n.waits = nil
}

// inputs are the values of the After promises.
func (n *node) inputs() []any {
	if len(n.after) == 0 {
		return nil
	}
	in := make([]any, len(n.after))
	for i, p := range n.after {
		if p != nil {
			in[i] = p.value
		}
	}
	n.after = nil
	return in
}

// afterFailure is the failure of the first After promise that has one.
func (n *node) afterFailure() error {
	for _, p := range n.after {
		if p != nil && p.err != nil {
			return p.err
		}
	}
	return nil
}

// succeed and fail first settle the promise, so that dependents are queued before the scope can close, then leave.
func (n *node) succeed(v any) {
	n.stage = gone
	_ = n.promise.settle(v, nil)
	n.scope.leave(n)
}

func (n *node) fail(err error, silent bool) {
	n.stage = gone
	silent = silent || n.promise.observers > 0
	_ = n.promise.settle(nil, err)
	if silent {
		n.scope.leave(n)
	} else {
		n.scope.fail(n, err)
	}
}

// drop removes what has not started. The scope is not advanced: that is for the caller.
func (n *node) drop(c *Cancelled) {
	n.tear()
	n.after = nil
	n.stage = gone
	n.scope.remove(n)
	_ = n.promise.settle(nil, c)
}
