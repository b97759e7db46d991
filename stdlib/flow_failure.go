package stdlib

import (
	"encoding/json"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// FromFailure makes an error of a recorded failure; nil of nil. Its values stay JSON until a script reads them.
func FromFailure(f *history.Failure) *Error {
	if f == nil {
		return nil
	}
	e := &Error{
		Name: f.Name, Message: f.Message, Kinds: append([]string(nil), f.Kinds...), Status: f.Status, Retryable: f.Retryable,
		Timeout: f.Timeout, Activity: f.Activity, Cause: FromFailure(f.Cause), trace: f.Trace,
		details: slot{json: f.Details}, reason: slot{json: f.Reason}, value: slot{json: f.Value},
	}
	if e.Name == "" {
		e.Name = nameError
	}
	e.classify()
	if e.Name == nameCancelled {
		e.cancelled = &scheduler.Cancelled{}
		var reason string
		if json.Unmarshal(f.Reason, &reason) == nil {
			e.Message = reason
		}
	}
	return e
}

// ToFailure records an error that leaves a run or an activity. Values that cannot leave it are dropped.
func ToFailure(s *vm.State, err error) *history.Failure {
	e := errorOf(err)
	if e == nil {
		return nil
	}
	return e.failure(s, deepestCause)
}

const (
	deepestCause   = 20       // causes that are recorded of an error
	longestMessage = 64 << 10 // bytes
)

func (e *Error) failure(s *vm.State, causes int) *history.Failure {
	f := &history.Failure{
		Name: e.Name, Message: e.Message, Kinds: e.Kinds, Status: e.Status, Retryable: e.Retryable,
		Timeout: e.Timeout, Activity: e.Activity, Trace: e.Trace(),
		Details: e.details.encode(s), Reason: e.reason.encode(s), Value: e.value.encode(s),
	}
	if len(f.Message) > longestMessage {
		f.Message = strings.ToValidUTF8(f.Message[:longestMessage], "") + "…"
	}
	if e.Cause != nil && causes > 0 {
		f.Cause = e.Cause.failure(s, causes-1)
	}
	return f
}

func (v *slot) encode(s *vm.State) json.RawMessage {
	if v.json != nil || v.lua == nil || v.lua == lua.LNil {
		return v.json
	}
	text, err := s.Encode(v.lua, "value")
	if err != nil {
		return nil
	}
	return text
}

// get decodes the value at the first look; every look gives the same table.
func (v *slot) get(s *vm.State) lua.LValue {
	if v.lua == nil {
		v.lua = lua.LNil
		if v.json != nil {
			if value, err := s.Decode(v.json); err == nil {
				v.lua = value
			}
		}
	}
	return v.lua
}

// errorOf finds or makes the error value of any error of the tree.
func errorOf(err error) *Error {
	if err == nil {
		return nil
	}
	if e, is := err.(*Error); is {
		return e
	}
	switch err := err.(type) {
	case *scheduler.Cancelled:
		return cancelledError(err)
	case *scheduler.AllFailed:
		e := &Error{Name: nameAllFailed, Message: err.Error()}
		for _, one := range err.Errors {
			e.Cause = errorOf(one)
			e.All = append(e.All, e.Cause)
		}
		return e
	}
	return &Error{Name: nameError, Message: err.Error()}
}

// Retryable is the rule of declared retries, for who makes their attempts: whether this failure is tried again under
// these options, attempts and time aside.
func Retryable(o *history.RetryOptions, f *history.Failure) bool {
	return mayRetry(FromFailure(f), o.RetryOn, o.DontRetryOn)
}

// mayRetry applies the lists of names: exclusion beats inclusion, a cancellation is never retried, and what says that
// it is not retryable only if it is named.
func mayRetry(e *Error, on, except []string) bool {
	if e.Matches(nameCancelled) || e.matchesAny(except) {
		return false
	}
	if on != nil {
		return e.matchesAny(on)
	}
	yes, known := e.MayRetry()
	return yes || !known
}

func (e *Error) matchesAny(names []string) bool {
	for _, name := range names {
		if e.Matches(name) {
			return true
		}
	}
	return false
}
