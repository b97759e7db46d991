package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
)

// reason makes what a script gives to cancel the cause of the cancellation.
func (f *Flow) reason(v lua.LValue) error {
	if v == lua.LNil {
		return nil
	}
	e := &Error{Name: nameCancelled, reason: slot{lua: v}, cancelled: &scheduler.Cancelled{}}
	e.Cause, _ = toError(v)
	e.Message = reasonText(v)
	return e
}

// reasonText is the message of a cancellation: its reason, if that can be read.
func reasonText(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return numberText(v)
	case *lua.LUserData:
		if e, is := v.Value.(*Error); is {
			return e.Error()
		}
	}
	return ""
}

// seen remembers in a cancellation of the tree which error value it is to scripts, so that it is one wherever it is caught.
// Reason is handed down to other cancellations, of which it remembers nothing.
type seen struct {
	of *scheduler.Cancelled
	as *Error
}

func (s *seen) String() string { return s.as.Message }

// cancelledError makes the error value of a cancellation. Its reason is what was given to cancel, its cause what
// made the engine cancel: a sibling's failure, the cancellation around.
func cancelledError(c *scheduler.Cancelled) *Error {
	if s, is := c.Reason.(*seen); is && s.of == c {
		return s.as
	}
	e := &Error{Name: nameCancelled, cancelled: c}
	if outer := errorOf(c.Cause); outer != nil {
		if outer.cancelled != nil {
			e.Message, e.reason = outer.Message, outer.reason
		}
		if _, byName := c.Cause.(*Error); byName && outer.cancelled != nil {
			e.Cause = outer.Cause
		} else {
			e.Cause = outer
		}
		if e.Message == "" && e.Cause != nil {
			e.Message = "because of " + e.Cause.Error()
		}
	}
	c.Reason = &seen{c, e}
	return e
}
