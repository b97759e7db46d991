package stdlib

import (
	"encoding/json"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
)

// Error is an error value of a script (flow.error) as Go sees it. One Error is one userdata for as long as its run lives, so
// that a script that catches and rethrows it raises the same object.
type Error struct {
	Name      string
	Message   string
	Kinds     []string // further names that it answers to, nearest first
	Status    int      // HTTP status, 0 for none
	Retryable *bool    // nil: by its kind
	Timeout   string   // which timeout ended an activity
	Activity  string   // which activity failed
	Cause     *Error
	All       []*Error // the failures of flow.any, when all failed

	details, reason, value slot // value: what was raised, if it was not an error value

	trace     []string             // where it was raised in another Lua state or run
	site      scheduler.Site       // where it came from in this run
	branch    *scheduler.Branch    // the branch it came from, for the rest of the stack
	cancelled *scheduler.Cancelled // the tree's own object, if it is a cancellation
	raised    lua.LValue           // what pcall gets in its place: a string or table that was raised
	userdata  *lua.LUserData
}

// slot is a value of a script that may still be JSON: values that nobody reads are not decoded.
type slot struct {
	lua  lua.LValue
	json json.RawMessage
}

const (
	nameError     = "Error" // of what was raised without a name
	nameCancelled = "CancelledError"
	nameTimeout   = "TimeoutError"
	nameService   = "ServiceError"
	nameClient    = "ClientError"
	nameServer    = "ServerError"
	nameThrottled = "ThrottlingError"
	nameNoSuch    = "ActivityNotFound"
	nameAllFailed = "AllFailed"
)

// throttling are the names under which services say "too fast" with a status that does not.
var throttling = []string{
	"BandwidthLimitExceeded", "EC2ThrottledException", "PriorRequestNotComplete", "ProvisionedThroughputExceededException",
	"RequestLimitExceeded", "RequestThrottled", "RequestThrottledException", "SlowDown", "ThrottledException", "Throttling",
	"ThrottlingException", "TooManyRequestsException", "TransactionInProgressException",
}

// Error is the text that tostring gives: "Name: message".
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// Cancellation is the tree's cancellation, if this is one: however often it is caught and raised again.
func (e *Error) Cancellation() *scheduler.Cancelled { return e.cancelled }

// Unwrap leads to the tree's cancellation, if this is one. The cause is no part of what an error is.
func (e *Error) Unwrap() error {
	if e.cancelled == nil {
		return nil
	}
	return e.cancelled
}

// Matches reports whether name is the error's name or one of its kinds (err:is).
func (e *Error) Matches(name string) bool {
	return e.Name == name || slices.Contains(e.Kinds, name)
}

// MayRetry reports whether trying again may help: what the error says, else what its kind says; unknown when neither does.
func (e *Error) MayRetry() (yes, known bool) {
	switch {
	case e.Retryable != nil:
		return *e.Retryable, true
	case e.Matches(nameCancelled) || e.Name == nameNoSuch:
		return false, true
	case e.Matches(nameThrottled), e.Matches(nameServer), e.Matches(nameTimeout):
		return true, true
	case e.Matches(nameClient):
		return false, true
	}
	return false, false
}

// classify adds the kinds that follow from the status and the name.
func (e *Error) classify() {
	isThrottled := e.Status == 429 || slices.Contains(throttling, e.Name)
	switch {
	case isThrottled:
		e.addKind(nameThrottled)
	case e.Matches(nameThrottled), e.Matches(nameClient), e.Matches(nameServer):
		isThrottled = true // as far as being a service's error goes
	}
	switch {
	case e.Status >= 500 && e.Status < 600:
		e.addKind(nameServer)
	case e.Status >= 400 && e.Status < 500:
		e.addKind(nameClient)
	}
	if e.Status >= 400 && e.Status < 600 || isThrottled {
		e.addKind(nameService)
	}
}

func (e *Error) addKind(kind string) {
	if !e.Matches(kind) {
		e.Kinds = append(e.Kinds, kind)
	}
}

func (e *Error) luaKind() string { return "error value " + e.Name }

// Trace is the logical stack, one frame a line: the frames where it was raised, then "---continuation---" and where that
// branch was started, and so on.
func (e *Error) Trace() []string {
	lines := slices.Clone(e.trace)
	var frames []scheduler.Frame
	if e.site != nil {
		frames = e.site.Frames()
	}
	if e.branch != nil {
		frames = e.branch.Trace(frames)
	}
	if len(lines) > 0 && len(frames) > 0 {
		lines = append(lines, scheduler.Continuation)
	}
	for _, frame := range frames {
		if text := frameText(frame); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// frameText is a line of the logical stack: "at orders.lua:12 in charge". Functions of the library are left out.
func frameText(f scheduler.Frame) string {
	switch {
	case f.Source == "[C]":
		return ""
	case f.Source == "":
		return f.Function
	case f.Line == 0:
		return f.Source
	}
	text := "at " + f.Source + ":" + itoa(f.Line)
	if name, is := strings.CutPrefix(f.Function, "function '"); is {
		return text + " in " + strings.TrimSuffix(name, "'")
	}
	return text
}
