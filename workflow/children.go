package workflow

// children are the open child workflows.
type children struct {
	byID map[string]string // ID → path of its operation
	byOp map[string]string
}

func (c *children) add(id, op string) {
	if c.byID == nil {
		c.byID, c.byOp = map[string]string{}, map[string]string{}
	}
	c.byID[id], c.byOp[op] = op, id
}

func (c *children) remove(op string) {
	delete(c.byID, c.byOp[op])
	delete(c.byOp, op)
}
