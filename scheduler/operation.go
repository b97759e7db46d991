package scheduler

// OperationSpec describes something that happens outside: an activity, a timer, a child workflow, a signal.
type OperationSpec struct {
	Kind, Name string
	After      []*Promise
	Daemon     bool
	Site       Site
	// Local is what the operation's Local begins with: so one Start can serve many operations.
	Local any
	// Start is queued like a branch and gets the values of After. It must not block. An error fails the operation.
	Start func(op *Operation, in []any) error
	// Cancel is called through the queue when the operation was started, has not ended, and is cancelled. It may complete
	// or fail the operation, which takes effect when it returns, or do nothing: then the real outcome is awaited. An error
	// fails the operation whatever else it did. nil means that a cancelled operation is gone at once.
	Cancel func(op *Operation, cause error) error
	// Result converts what Complete is given; an error fails the operation.
	Result func(v any) (any, error)
	// Note tells what the operation waits for, for dumps.
	Note func() string
}

// Operation is one of them, under way. Completing and failing are idempotent, late calls are ignored (rule 8).
type Operation struct {
	node
	// Local belongs to the host.
	Local any

	what       string
	start      func(op *Operation, in []any) error
	cancel     func(op *Operation, cause error) error
	result     func(v any) (any, error)
	note       func() string
	begunBy    *Branch // until Start has run
	failure    error
	cause      error // of the cancellation
	answer     func()
	done       bool
	cancelling bool
	byName     bool
	handling   bool // Cancel is running
	silent     bool
}

// Begin starts an operation in the scope of b. The error is *Cancelled when b is cancelled (rule 6).
func (b *Branch) Begin(spec OperationSpec) (*Operation, error) {
	if err := b.mayStart(); err != nil {
		return nil, err
	}
	op := &Operation{
		Local: spec.Local, begunBy: b, what: spec.Kind, start: spec.Start, cancel: spec.Cancel, result: spec.Result, note: spec.Note,
	}
	b.beget(&op.node, spec.Name, spec.Site, spec.Daemon)
	op.begin(op, spec.After)
	return op, nil
}

func (op *Operation) kind() string { return op.Kind() }

// Kind is the kind given in the specification.
func (op *Operation) Kind() string { return op.what }

// Promise is the result of the operation.
func (op *Operation) Promise() *Promise { return &op.promise }

// Done reports whether the operation has ended or was dropped.
func (op *Operation) Done() bool { return op.done || op.stage == gone }

func (op *Operation) step() {
	switch op.stage {
	case failing:
		op.done = true
		op.node.fail(op.afterFailure(), false)
	case queued:
		t := op.tree
		t.starting, op.begunBy = op.begunBy, nil
		op.stage = started
		err := op.start(op, op.inputs())
		t.starting = nil
		if err != nil && !op.done {
			op.done = true
			op.node.fail(err, false)
		}
	}
}

// Complete ends the operation with a value.
func (op *Operation) Complete(v any) {
	if op.Done() || op.answer != nil {
		return
	}
	if op.handling {
		late := v // a closure over v itself would cost every completion an allocation
		op.answer = func() { op.Complete(late) }
		return
	}
	if op.result != nil {
		var err error
		if v, err = op.result(v); err != nil {
			op.Fail(err)
			return
		}
	}
	op.end()
	_ = op.promise.settle(v, nil)
	op.tree.queue.push((*departure)(op))
}

// Fail ends the operation with an error.
func (op *Operation) Fail(err error) {
	if op.Done() || op.answer != nil {
		return
	}
	if op.handling {
		op.answer = func() { op.Fail(err) }
		return
	}
	op.end()
	op.failure = err
	op.silent = op.byName && AsCancelled(err) != nil || op.promise.observers > 0
	_ = op.promise.settle(nil, err)
	op.tree.queue.push((*departure)(op))
}

// end makes an operation that was completed before it started forget its start.
func (op *Operation) end() {
	op.done = true
	op.tear()
	op.after = nil
	op.stage = started
}

// departure is the turn of an operation that has ended to leave its scope.
type departure Operation

func (d *departure) step() {
	op := (*Operation)(d)
	op.stage = gone
	if !op.promise.Settled() { // cancelled without a handler
		_ = op.promise.settle(nil, cancelledWith(op.cause))
	}
	if op.failure == nil || op.silent {
		op.scope.leave(&op.node)
		return
	}
	op.scope.fail(&op.node, op.failure)
}

func (op *Operation) cancelFrom(failure error) {
	if op.unstarted() {
		op.drop(cancelledWith(failure))
		return
	}
	op.requestCancel(failure)
}

func (op *Operation) cancelByName(cause error) {
	if op.unstarted() {
		op.drop(cancelledBy(cause))
		op.scope.advance()
		return
	}
	op.byName = op.byName || !op.cancelling
	op.requestCancel(cancelledBy(cause))
}

func (op *Operation) unstarted() bool { return op.stage == waiting || op.stage == queued }

func (op *Operation) requestCancel(cause error) {
	if op.Done() || op.cancelling || op.stage != started {
		return
	}
	op.cancelling, op.cause = true, cause
	if op.cancel == nil {
		op.done = true
		op.tree.queue.push((*departure)(op))
		return
	}
	op.tree.queue.push((*cancellation)(op))
}

// cancellation is the turn of the cancellation handler of an operation.
type cancellation Operation

func (c *cancellation) step() {
	op := (*Operation)(c)
	if op.Done() {
		return
	}
	op.handling = true
	err := op.cancel(op, op.cause)
	op.handling = false
	answer := op.answer
	op.answer = nil
	switch {
	case err != nil:
		op.Fail(err)
	case answer != nil:
		answer()
	}
}
