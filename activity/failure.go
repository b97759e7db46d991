package activity

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/flowlua/flowlua/history"
)

// Limits of what a failure carries, in bytes. A failure that is too long is still delivered, cut.
const (
	maxMessage = 8 << 10
	maxDetails = 16 << 10
	maxKinds   = 16
)

// Failure is a Go error in the shape in which a history keeps it, found by what the error and those it wraps can do,
// without importing anyone's error types:
//
//	Name       ErrorCode() or Code() string, else the name of the first type that means something
//	Kinds      the names of the errors it wraps (errors.Join too), and what its status says
//	Status     HTTPStatusCode() or StatusCode() int
//	Message    ErrorMessage() string, else Error()
//	Retryable  Retryable(), RetryableError() or Temporary() bool, else by its status
//	Details    Details() json.RawMessage
//
// That fits the AWS SDK's API errors (whose ErrorFault counts as well), net's and net/http's relatives, and whatever
// follows these habits. An error that makes its own failure, by Failure() *history.Failure, is taken at its word.
func Failure(err error) *history.Failure {
	f := &history.Failure{}
	seen := look{failure: f}
	seen.walk(err, 0)
	seen.name()
	if f.Message == "" {
		f.Message = errorText(err)
	} else if whole := errorText(err); !seen.own && whole != f.Message && f.Details == nil {
		f.Details, _ = json.Marshal(map[string]string{"error": clip(whole, maxMessage)})
	}
	seen.service()
	return Bounded(f)
}

// Bounded cuts what is too long in a failure, and in its causes.
func Bounded(f *history.Failure) *history.Failure {
	for part, depth := f, 0; part != nil; part, depth = part.Cause, depth+1 {
		part.Name = clip(part.Name, 200)
		part.Message = clip(part.Message, maxMessage)
		if len(part.Details) > maxDetails {
			part.Details, _ = json.Marshal(fmt.Sprintf("(%d bytes of details left out)", len(part.Details)))
		}
		if len(part.Value) > maxDetails {
			part.Value = nil
		}
		part.Kinds = part.Kinds[:min(len(part.Kinds), maxKinds)]
		part.Trace = part.Trace[:min(len(part.Trace), 100)]
		if depth == 8 {
			part.Cause = nil
		}
	}
	return f
}

// look gathers what the errors of a chain tell, outermost first: the first to say something has the say.
type look struct {
	failure *history.Failure
	codes   []string // what errors call themselves: better names than those of types
	names   []string // both, in the order of the chain
	own     bool     // the error made the failure itself
	fault   string   // "client" or "server", of an error without a status
	timeout bool
}

// name chooses the name; the other names become kinds.
func (l *look) name() {
	f := l.failure
	switch {
	case f.Name != "":
	case len(l.codes) > 0:
		f.Name = l.codes[0]
	case len(l.names) > 0:
		f.Name = l.names[0]
	default:
		f.Name = "Error"
	}
	for _, name := range l.names {
		l.kind(name)
	}
}

func (l *look) kind(name string) {
	if f := l.failure; name != f.Name && !slices.Contains(f.Kinds, name) {
		f.Kinds = append(f.Kinds, name)
	}
}

const maxChain = 64 // errors of one chain that are looked at; a chain may be a cycle

func (l *look) walk(err error, n int) int {
	if err == nil || n > maxChain {
		return n
	}
	defer func() { _ = recover() }() // an error's own method panics: what was found so far has to do
	if own, ok := err.(interface{ Failure() *history.Failure }); ok {
		l.adopt(own.Failure(), n == 0)
		return n + 1
	}
	if code := codeOf(err); code != "" {
		l.codes, l.names = append(l.codes, code), append(l.names, code)
	} else if name := typeOf(err); name != "" {
		l.names = append(l.names, name)
	}
	l.facts(err)
	n++
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		n = l.walk(wrapper.Unwrap(), n)
	case interface{ Unwrap() []error }:
		for _, part := range wrapper.Unwrap() {
			n = l.walk(part, n)
		}
	}
	return n
}

func (l *look) facts(err error) {
	f := l.failure
	if f.Status == 0 {
		f.Status = statusOf(err)
	}
	if f.Message == "" {
		if e, ok := err.(interface{ ErrorMessage() string }); ok {
			f.Message = e.ErrorMessage()
		}
	}
	if f.Details == nil {
		if e, ok := err.(interface{ Details() json.RawMessage }); ok && json.Valid(e.Details()) {
			f.Details = e.Details()
		}
	}
	if f.Retryable == nil {
		f.Retryable = retryableOf(err)
	}
	if l.fault == "" {
		l.fault = faultOf(err)
	}
	if e, ok := err.(interface{ Timeout() bool }); ok && e.Timeout() || err == context.DeadlineExceeded {
		l.timeout = true
	}
}

// adopt takes over the failure that an error of the chain makes of itself; the errors around it add to the message.
func (l *look) adopt(own *history.Failure, outermost bool) {
	if own == nil {
		return
	}
	*l.failure = *own
	l.failure.Kinds = slices.Clone(own.Kinds)
	l.own = true
	if !outermost {
		l.failure.Message = ""
	}
}

// Wraps reports whether target is err or among those it wraps: errors.Is for errors that nobody vouches for. Methods that
// panic and chains that are cycles are survived, Is methods are not asked.
func Wraps(err, target error) bool {
	found, _ := wraps(err, target, 0)
	return found
}

func wraps(err, target error, n int) (found bool, seen int) {
	defer func() {
		if recover() != nil {
			found, seen = false, n
		}
	}()
	if err == nil || n > maxChain {
		return false, n
	}
	if err == target {
		return true, n
	}
	n++
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		return wraps(wrapper.Unwrap(), target, n)
	case interface{ Unwrap() []error }:
		for _, part := range wrapper.Unwrap() {
			if found, n = wraps(part, target, n); found {
				return true, n
			}
		}
	}
	return false, n
}

func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("(the Error method of %T panicked)", err)
		}
	}()
	return err.Error()
}

// clip cuts text to n bytes, at a rune, and says how long it was.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	cut := n - 30 // with what follows it is no longer than n
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", text[:cut], len(text))
}
