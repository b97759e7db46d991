package scheduler

// State is where a scope stands (flow-semantics 1.3).
type State uint8

// The states of a scope, in order. A scope is in Catching or Finalizing from the moment the phase is queued.
const (
	Created State = iota
	Trying
	Catching
	Finalizing
	Closed
)

// String is the name of the state in capitals, as in flow-cases.md.
func (s State) String() string {
	return [...]string{"CREATED", "TRYING", "CATCHING", "FINALIZING", "CLOSED"}[s]
}

// ScopeSpec describes a scope. Try is needed, the rest is optional. The result is what Try returned or, if Catch ran,
// what Catch returned.
type ScopeSpec struct {
	Name   string
	After  []*Promise
	Daemon bool
	Site   Site
	Try    Func
	// Catch gets the failure of Try and everything started there, when all of it is gone; nil passes it on.
	Catch func(b *Branch, err error) (any, error)
	// Matches is asked whether Catch wants err; nil means every error.
	Matches func(err error) bool
	// Finally runs once if Try has started, when everything of Try and Catch is gone.
	Finally func(b *Branch) error
	// Hides is told when a failure of finally takes the place of the one that the scope had; nil: nobody is.
	Hides func(hidden, by error)
}

// Scope is a try-catch-finally over everything that is started in it.
type Scope struct {
	node
	try     Func
	catch   func(b *Branch, err error) (any, error)
	matches func(err error) bool
	finally func(b *Branch) error
	hides   func(hidden, by error)

	body        *Branch // of the current phase, nil once it has returned
	first, last *node   // heirs in creation order
	count       int     // of heirs
	open        int     // of them, not daemons
	failure     error
	value       any

	state           State
	cancelRequested bool
	bodyDone        bool
	daemonCaused    bool // only daemons were left: their cancellation is no failure. Scoped to the phase (QUIRK fixed)
	heirsCancelled  bool // nothing was added since
	shielded        bool
}

// Try starts a scope in the scope of b. The error is *Cancelled when b is cancelled (rule 6).
func (b *Branch) Try(spec ScopeSpec) (*Scope, error) {
	if err := b.mayStart(); err != nil {
		return nil, err
	}
	return b.newScope(spec, false), nil
}

func (b *Branch) newScope(spec ScopeSpec, shielded bool) *Scope {
	s := &Scope{try: spec.Try, catch: spec.Catch, matches: spec.Matches, finally: spec.Finally, hides: spec.Hides, shielded: shielded}
	b.beget(&s.node, spec.Name, spec.Site, spec.Daemon)
	if shielded {
		s.daemon = false
	}
	s.begin(s, spec.After)
	return s
}

func (s *Scope) kind() string { return "scope" }

// Promise is the result of the scope; it settles when the scope is closed, after finally.
func (s *Scope) Promise() *Promise { return &s.promise }

// State is where the scope stands.
func (s *Scope) State() State { return s.state }

// CancelRequested is true from a cancellation in try until catch starts.
func (s *Scope) CancelRequested() bool { return s.cancelRequested }

// Cancel closes a scope that has not started, silently; cancels the try phase of one that has; and does nothing in catch
// and finally. catch gets a *Cancelled with this cause, which may be nil. If try has failed already the failure stays, and
// only what was attached since is cancelled.
func (s *Scope) Cancel(cause error) {
	if s.unstarted() {
		s.dropHeirs()
		s.state = Closed
		s.drop(cancelledBy(cause))
		s.scope.advance()
		return
	}
	s.cancelTry(cause)
}

func (s *Scope) cancelByName(cause error) { s.Cancel(cause) }

func (s *Scope) cancelFrom(failure error) {
	switch {
	case s.shielded:
	case s.unstarted():
		s.state = Closed
		s.drop(cancelledWith(failure))
	default:
		s.cancelTry(failure)
	}
}

func (s *Scope) unstarted() bool { return s.stage == waiting || s.stage == queued }

// dropHeirs is for the root, which can be given branches before it starts.
func (s *Scope) dropHeirs() {
	if s.count > 0 {
		s.cancelHeirs(nil)
	}
}

func (s *Scope) cancelTry(cause error) {
	if s.state != Trying {
		return
	}
	if s.failure == nil {
		s.cancelRequested = true
		s.failure = cancelledBy(cause)
	}
	s.cancelHeirs(s.failure)
	s.advance()
}

// step begins the phase whose turn has come.
func (s *Scope) step() {
	switch {
	case s.stage == failing:
		s.state = Closed
		s.node.fail(s.afterFailure(), false)
	case s.stage == queued:
		s.stage, s.state = started, Trying
		try := s.try
		s.try = nil
		if in := s.inputs(); in != nil {
			s.enter('t', func(b *Branch, _ []any) (any, error) { return try(b, in) })
			return
		}
		s.enter('t', try)
	case s.state == Catching:
		caught := s.failure
		s.cancelRequested = false
		if s.catch == nil || s.matches != nil && !s.matches(caught) {
			s.bodyDone = true
			s.advance()
			return
		}
		s.failure = nil
		s.enter('c', func(b *Branch, _ []any) (any, error) { return s.catch(b, caught) })
	case s.state == Finalizing:
		s.cancelRequested = false
		if s.finally == nil {
			s.bodyDone = true
			s.advance()
			return
		}
		s.enter('f', func(b *Branch, _ []any) (any, error) { return nil, s.finally(b) })
	}
}

// enter runs the body of a phase.
func (s *Scope) enter(letter byte, body Func) {
	b := &Branch{body: body, phase: s}
	b.node = node{
		tree: s.tree, self: b, scope: s, name: s.name, site: s.site, creators: s.creators,
		above: s.above, number: s.number, letter: letter, stage: queued,
	}
	s.body = b
	b.step()
}

// bodyEnded: what a phase body raises replaces the failure; only the cancellation that the engine itself raised in it
// counts as that of an heir.
func (s *Scope) bodyEnded(b *Branch, v any, err error) {
	s.body, s.bodyDone = nil, true
	switch {
	case err == nil && s.state != Finalizing:
		s.value = v
	case err == nil:
	case b.cancelled != nil && AsCancelled(err) == b.cancelled:
		if s.failure == nil {
			s.failure = err
		}
		s.cancelHeirs(s.failure)
	default:
		s.replace(err)
		s.cancelHeirs(err)
	}
	s.advance()
}

// replace makes err the failure, whatever there was.
func (s *Scope) replace(err error) {
	if s.state == Finalizing && s.failure != nil && s.hides != nil && s.failure != err {
		s.hides(s.failure, err)
	}
	s.failure = err
}

// leave, fail and remove take an heir out of the scope; s is nil for the root's own node.
func (s *Scope) leave(n *node) {
	if s != nil {
		s.remove(n)
		s.advance()
	}
}

// fail is the failure of an heir, or of a combinator (n is nil then): the last real one wins, a cancellation displaces
// nothing.
func (s *Scope) fail(n *node, err error) {
	if s == nil {
		return
	}
	if n != nil {
		s.remove(n)
	}
	if lost := s.tree.lost; lost != nil && s == s.tree.root && s.state == Trying && s.failure == nil {
		lost(err)
		s.advance()
		return
	}
	if AsCancelled(err) == nil || s.failure == nil && !s.daemonCaused {
		s.replace(err)
	}
	s.cancelHeirs(s.failure)
	s.advance()
}

func (s *Scope) add(n *node) {
	n.linked = true
	n.prev = s.last
	if s.last == nil {
		s.first = n
	} else {
		s.last.next = n
	}
	s.last = n
	s.count++
	if !n.daemon {
		s.open++
	}
	s.heirsCancelled = false
}

func (s *Scope) remove(n *node) {
	if s == nil || !n.linked {
		return
	}
	if n.prev == nil {
		s.first = n.next
	} else {
		n.prev.next = n.next
	}
	if n.next == nil {
		s.last = n.prev
	} else {
		n.next.prev = n.prev
	}
	n.prev, n.next, n.linked = nil, nil, false
	s.count--
	if !n.daemon {
		s.open--
	}
}

// cancelHeirs cancels the body of the phase and all heirs, in creation order over a snapshot. Those that were cancelled
// before are not asked again.
func (s *Scope) cancelHeirs(failure error) {
	if s.body != nil {
		s.body.cancelFrom(failure)
	}
	if s.heirsCancelled || s.count == 0 {
		return
	}
	s.heirsCancelled = true
	heirs := make([]*node, 0, s.count)
	for n := s.first; n != nil; n = n.next {
		heirs = append(heirs, n)
	}
	for _, n := range heirs {
		if n.linked {
			n.self.cancelFrom(failure)
		}
	}
}

// advance goes on to the next phase once the body of this one has returned and all heirs are gone. When only daemons
// are left it cancels them.
func (s *Scope) advance() {
	if s == nil || !s.bodyDone || s.open > 0 {
		return
	}
	if s.count > 0 {
		if s.failure == nil {
			s.daemonCaused = true
		}
		s.cancelHeirs(s.failure)
		if s.count > 0 || !s.bodyDone {
			return
		}
	}
	s.bodyDone, s.daemonCaused, s.heirsCancelled = false, false, false
	switch {
	case s.state == Trying && s.failure != nil:
		s.state = Catching
	case s.state == Finalizing:
		s.close()
		return
	default:
		s.state = Finalizing
	}
	s.tree.queue.push(s)
}

func (s *Scope) close() {
	s.state = Closed
	s.catch, s.matches, s.finally, s.hides = nil, nil, nil, nil
	if s.failure != nil {
		s.node.fail(s.failure, false)
		return
	}
	s.succeed(s.value)
}
