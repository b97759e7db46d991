package scheduler

import "iter"

// idleCoroutines bounds how many coroutines without work a tree keeps (about 4 KB each).
const idleCoroutines = 64

// coroutine runs one branch body after another. iter.Pull lets a body suspend from anywhere inside it.
type coroutine struct {
	tree   *Tree
	branch *Branch
	next   func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
}

func (t *Tree) coroutine() *coroutine {
	if n := len(t.idle); n > 0 {
		c := t.idle[n-1]
		t.idle[n-1] = nil
		t.idle = t.idle[:n-1]
		return c
	}
	c := &coroutine{tree: t}
	c.next, c.stop = iter.Pull(c.run)
	return c
}

func (c *coroutine) run(yield func(struct{}) bool) {
	c.yield = yield
	t := c.tree
	for {
		c.branch.execute()
		c.branch.coroutine = nil
		c.branch = nil
		if t.stopped || len(t.idle) >= idleCoroutines {
			return
		}
		t.idle = append(t.idle, c)
		if !yield(struct{}{}) {
			return
		}
	}
}

// suspend gives control back to Run until the branch is resumed. When the tree is stopped meanwhile, the body is
// unwound by a panic that nobody may catch.
func (c *coroutine) suspend() {
	if !c.yield(struct{}{}) {
		panic(unwinding{})
	}
}
