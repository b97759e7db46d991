package scheduler

// producers appends the paths of what is to settle a promise.
func (p *Promise) producers(paths []string) []string {
	switch {
	case p == nil || p.Settled():
	case p.producer != nil:
		paths = append(paths, p.producer.Path())
	case p.link != nil:
		paths = p.link.promise.producers(paths)
	case p.group != nil:
		for _, m := range p.group.members {
			paths = m.producers(paths)
		}
	}
	return paths
}

// find is what is open at a path, nil if nothing is.
func (t *Tree) find(path string) *node {
	if t.root == nil {
		return nil
	}
	return t.root.find(path)
}

func (s *Scope) find(path string) *node {
	if s.body != nil && s.body.Path() == path {
		return &s.body.node
	}
	for n := s.first; n != nil; n = n.next {
		if n.Path() == path {
			return n
		}
		if inner, ok := n.self.(*Scope); ok {
			if found := inner.find(path); found != nil {
				return found
			}
		}
	}
	return nil
}

// CancelAt cancels the branch, scope or operation at a path, as Promise.Cancel does; false: nothing is open there.
func (t *Tree) CancelAt(path string, cause error) bool {
	n := t.find(path)
	if n == nil || n.promise.Settled() {
		return false
	}
	n.self.cancelByName(cause)
	return true
}

// BranchAt is the branch that is open at a path, nil if none is.
func (t *Tree) BranchAt(path string) *Branch {
	if n := t.find(path); n != nil {
		b, _ := n.self.(*Branch)
		return b
	}
	return nil
}

// TraceAt is the logical stack of what is open at a path: where it stands and how it came about; nil if nothing is open there.
func (t *Tree) TraceAt(path string) []Frame {
	n := t.find(path)
	if n == nil {
		return nil
	}
	if b, ok := n.self.(*Branch); ok {
		if at, ok := b.Local.(Site); ok {
			return b.Trace(at.Frames())
		}
		return b.Trace(nil)
	}
	above := Branch{node: node{creators: n.creators}}
	var frames []Frame
	if n.site != nil {
		frames = n.site.Frames()
	}
	return above.Trace(frames)
}
