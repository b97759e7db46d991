package scheduler

import (
	"fmt"
	"strings"
)

// Node is one thing in a dump of the tree.
type Node struct {
	Path, Kind, Name, State string
	Daemon                  bool
	// Waiting is what it waits for, empty if for nothing.
	Waiting string
	// For are the paths of what would end the wait, as far as that is in the tree.
	For []string
	// Frames are where it stands, if the host tells (Branch.Local), else where it was started.
	Frames   []Frame
	Children []Node
}

// Dump lists what is open in the tree and what each part waits for, in creation order; empty once the root is closed.
func (t *Tree) Dump() []Node {
	if t.root == nil || t.root.state == Closed {
		return nil
	}
	return []Node{t.root.dump()}
}

func (n *node) dumped() Node {
	d := Node{Path: n.Path(), Kind: n.self.kind(), Name: n.name, Daemon: n.daemon}
	d.State = [...]string{"waiting", "ready", "failing", "started", "gone"}[n.stage]
	if n.site != nil {
		d.Frames = n.site.Frames()
	}
	if n.stage == waiting {
		d.Waiting = argumentsText(n.after)
		for _, p := range n.after {
			d.For = p.producers(d.For)
		}
	}
	return d
}

func (s *Scope) dump() Node {
	d := s.node.dumped()
	d.State = s.state.String()
	if s.body != nil {
		d.Children = append(d.Children, s.body.dump())
	}
	for n := s.first; n != nil; n = n.next {
		switch h := n.self.(type) {
		case *Scope:
			d.Children = append(d.Children, h.dump())
		case *Branch:
			d.Children = append(d.Children, h.dump())
		case *Operation:
			d.Children = append(d.Children, h.dump())
		}
	}
	return d
}

func (b *Branch) dump() Node {
	d := b.node.dumped()
	if s, ok := b.Local.(Site); ok {
		d.Frames = s.Frames()
	}
	if b.stage != started {
		return d
	}
	switch {
	case b.tree.current == b:
		d.State = "running"
	case !b.parked:
		d.State = "ready"
	case b.on != nil:
		d.State, d.Waiting = "waiting", "for "+promiseText(b.on)
		d.For = b.on.producers(nil)
	default:
		d.State, d.Waiting = "waiting", "for the first of "+waitsText(b.several)
		for i := range b.several {
			d.For = b.several[i].promise.producers(d.For)
		}
	}
	if b.cancelled != nil {
		d.State = "cancelled, " + d.State
	}
	return d
}

func (op *Operation) dump() Node {
	d := op.node.dumped()
	switch {
	case op.done:
		d.State = "done"
	case op.cancelling:
		d.State = "cancelling"
	}
	if op.note != nil && op.stage == started {
		d.Waiting = op.note()
	}
	return d
}

// argumentsText lists the unready promises by position, in the words of the original (P-140).
func argumentsText(after []*Promise) string {
	var open []string
	for i, p := range after {
		if p != nil && !p.Settled() {
			open = append(open, numbered(i+1, p))
		}
	}
	noun := "argument"
	if len(open) > 1 {
		noun = "arguments"
	}
	return fmt.Sprintf("on %s (starting from 1) %s", noun, strings.Join(open, " "))
}

func waitsText(waits []wait) string {
	open := make([]string, len(waits))
	for i := range waits {
		open[i] = numbered(i, waits[i].promise)
	}
	return "[" + strings.Join(open, " ") + "]"
}

func numbered(i int, p *Promise) string {
	if text := promiseText(p); text != "" {
		return fmt.Sprintf("%d:%s", i, text)
	}
	return fmt.Sprint(i)
}

func promiseText(p *Promise) string {
	if text := p.Description(); text != "" {
		return fmt.Sprintf("%q", text)
	}
	if p.producer != nil {
		return p.producer.self.kind() + " " + p.producer.Path()
	}
	if p.group == nil {
		return ""
	}
	var members []string
	for i, m := range p.group.members {
		if m != nil {
			members = append(members, numbered(i, m))
		}
	}
	return [...]string{"all", "any", "race", "outcome"}[p.group.how] + "[" + strings.Join(members, " ") + "]"
}

// String is the dump as text, one line each, indented by depth.
func (t *Tree) String() string {
	var out strings.Builder
	for _, n := range t.Dump() {
		n.write(&out, 0)
	}
	return out.String()
}

func (n Node) write(out *strings.Builder, depth int) {
	fmt.Fprintf(out, "%s%s", strings.Repeat("  ", depth), n.Kind)
	if n.Path != "" {
		fmt.Fprintf(out, " %s", n.Path)
	}
	if n.Name != "" {
		fmt.Fprintf(out, " %q", n.Name)
	}
	if n.Daemon {
		out.WriteString(" daemon")
	}
	fmt.Fprintf(out, " %s", n.State)
	if n.Waiting != "" {
		fmt.Fprintf(out, " %s", n.Waiting)
	}
	out.WriteByte('\n')
	for _, c := range n.Children {
		c.write(out, depth+1)
	}
}
