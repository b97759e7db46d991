package stdlib

import (
	"cmp"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// Request is the wish that an activity be cancelled. Nil is none, ever.
type Request struct {
	Done  func() <-chan struct{} // closed when it is made
	Grace time.Duration          // that a command has to end between SIGTERM and SIGKILL; 0: 5 s

	heard bool // an error has told the script, which cleans up since
}

const defaultGrace = 5 * time.Second

// Heard says that an error has told the script of it: commands that it starts from then on clean up, and are left alone.
func (r *Request) Heard() { r.heard = true }

// made reports whether it is made.
func (r *Request) made() bool {
	if r == nil {
		return false
	}
	select {
	case <-r.Done():
		return true
	default:
		return false
	}
}

// known reports whether the script has heard of it.
func (r *Request) known() bool { return r != nil && r.heard }

func (r *Request) grace() time.Duration { return cmp.Or(r.Grace, defaultGrace) }

// raise tells the script.
func (r *Request) raise(s *vm.State, L *lua.LState) {
	r.heard = true
	(&Error{Name: nameCancelled, Message: "cancellation was asked for"}).raise(s, L)
}
