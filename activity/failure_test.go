package activity_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/activity"
	"github.com/flowlua/flowlua/history"
)

// apiError has the methods of the AWS SDK's API errors, responseError those of its http response errors.
type apiError struct {
	code, message string
	fault         fault
}

func (e *apiError) Error() string        { return "api error " + e.code + ": " + e.message }
func (e *apiError) ErrorCode() string    { return e.code }
func (e *apiError) ErrorMessage() string { return e.message }
func (e *apiError) ErrorFault() fault    { return e.fault }

type fault int

func (f fault) String() string { return [...]string{"unknown", "server", "client"}[f] }

type responseError struct {
	status int
	err    error
}

func (e *responseError) Error() string {
	return fmt.Sprintf("https response error StatusCode: %d, %v", e.status, e.err)
}
func (e *responseError) HTTPStatusCode() int { return e.status }
func (e *responseError) Unwrap() error       { return e.err }

type operationError struct{ err error }

func (e *operationError) Error() string { return "operation error DynamoDB: PutItem, " + e.err.Error() }
func (e *operationError) Unwrap() error { return e.err }

type declined struct{ code string }

func (e declined) Error() string { return "declined: " + e.code }

type flaky bool

func (e flaky) Error() string   { return "flaky" }
func (e flaky) Retryable() bool { return bool(e) }

type generic[T any] struct{}

func (generic[T]) Error() string { return "generic" }

type vicious struct{}

func (vicious) Error() string { panic("ha") }

type own struct{}

func (own) Error() string { return "own" }
func (own) Failure() *history.Failure {
	return &history.Failure{Name: "OutOfStock", Message: "no pens", Status: 409, Kinds: []string{"StockError"}}
}

func TestFailureByShape(t *testing.T) {
	yes, no := true, false
	_, notExist := os.Open("/no such file")
	for name, c := range map[string]struct {
		err  error
		want history.Failure
	}{
		"plain":   {errors.New("no"), history.Failure{Name: "Error", Message: "no"}},
		"runtime": {&activity.PanicError{Activity: "a", Value: closedTwice()}, history.Failure{Name: "PanicError", Message: "activity a panicked: close of closed channel", Details: json.RawMessage(`{"stack":null}`)}},
		"wrapped": {fmt.Errorf("order 7: %w", errors.New("no")), history.Failure{Name: "Error", Message: "order 7: no"}},
		"type":    {fmt.Errorf("order 7: %w", declined{"x"}), history.Failure{Name: "declined", Message: "order 7: declined: x"}},
		"joined": {errors.Join(errors.New("a"), fmt.Errorf("b: %w", declined{"x"}), &fs.PathError{Op: "open", Path: "p", Err: errors.New("e")}),
			history.Failure{Name: "declined", Message: "a\nb: declined: x\nopen p: e", Kinds: []string{"PathError"}}},
		"system":  {notExist, history.Failure{Name: "PathError", Message: "open /no such file: no such file or directory", Kinds: []string{"Errno"}}},
		"generic": {generic[int]{}, history.Failure{Name: "generic", Message: "generic"}},
		"deadline": {fmt.Errorf("get: %w", context.DeadlineExceeded),
			history.Failure{Name: "TimeoutError", Message: "get: context deadline exceeded", Retryable: &yes}},
		"retryable":     {flaky(true), history.Failure{Name: "flaky", Message: "flaky", Retryable: &yes}},
		"not retryable": {fmt.Errorf("x: %w", flaky(false)), history.Failure{Name: "flaky", Message: "x: flaky", Retryable: &no}},
		"http 503":      {&responseError{503, errors.New("busy")}, history.Failure{Name: "responseError", Status: 503, Message: "https response error StatusCode: 503, busy", Kinds: []string{"ServiceError", "ServerError"}, Retryable: &yes}},
		"aws": {&operationError{&responseError{400, &apiError{"ConditionalCheckFailedException", "the condition failed", 2}}},
			history.Failure{Name: "ConditionalCheckFailedException", Message: "the condition failed", Status: 400, Retryable: &no,
				Kinds:   []string{"operationError", "responseError", "ServiceError", "ClientError"},
				Details: json.RawMessage(`{"error":"operation error DynamoDB: PutItem, https response error StatusCode: 400, api error ConditionalCheckFailedException: the condition failed"}`)}},
		"aws throttling": {&responseError{400, &apiError{"ProvisionedThroughputExceededException", "slow down", 2}},
			history.Failure{Name: "ProvisionedThroughputExceededException", Message: "slow down", Status: 400, Retryable: &yes,
				Kinds:   []string{"responseError", "ServiceError", "ThrottlingError"},
				Details: json.RawMessage(`{"error":"https response error StatusCode: 400, api error ProvisionedThroughputExceededException: slow down"}`)}},
		"aws without a status": {&apiError{"InternalError", "oops", 1},
			history.Failure{Name: "InternalError", Message: "oops", Retryable: &yes, Kinds: []string{"ServiceError", "ServerError"},
				Details: json.RawMessage(`{"error":"api error InternalError: oops"}`)}},
		"own": {own{}, history.Failure{Name: "OutOfStock", Message: "no pens", Status: 409, Retryable: &no,
			Kinds: []string{"StockError", "ServiceError", "ClientError"}}},
		"vicious": {vicious{}, history.Failure{Name: "vicious", Message: "(the Error method of activity_test.vicious panicked)"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, *activity.Failure(c.err))
		})
	}
}

type self struct{}

func (e *self) Error() string { return "self" }
func (e *self) Unwrap() error { return e }

type uncomparable []int

func (uncomparable) Error() string { return "uncomparable" }

func TestWraps(t *testing.T) {
	target := errors.New("target")
	require.True(t, activity.Wraps(target, target))
	require.True(t, activity.Wraps(fmt.Errorf("a: %w", errors.Join(errors.New("b"), target)), target))
	for _, err := range []error{nil, errors.New("other"), &self{}, vicious{}, uncomparable{1}} {
		require.False(t, activity.Wraps(err, target))
	}
	require.False(t, activity.Wraps(uncomparable{1}, uncomparable{1}))
}

func TestFailureIsBounded(t *testing.T) {
	f := activity.Failure(errors.New(strings.Repeat("é", 150_000)))
	require.Less(t, len(f.Message), 9<<10)
	require.True(t, strings.HasPrefix(f.Message, "éé"))
	require.True(t, strings.HasSuffix(f.Message, "é… (300000 bytes)"))
	require.Equal(t, f.Message, activity.Bounded(f).Message)

	require.Equal(t, "self", activity.Failure(&self{}).Name) // a chain that is a cycle

	deep := &history.Failure{Name: "0", Details: json.RawMessage(`"` + strings.Repeat("x", 20<<10) + `"`)}
	for range 20 {
		deep = &history.Failure{Name: "n", Cause: deep}
	}
	depth := 0
	for c := activity.Bounded(deep); c != nil; c = c.Cause {
		depth++
	}
	require.Equal(t, 9, depth)
	small := activity.Bounded(&history.Failure{Name: "x", Details: json.RawMessage(`"` + strings.Repeat("x", 20<<10) + `"`)})
	require.Equal(t, `"(20482 bytes of details left out)"`, string(small.Details))
}

// closedTwice is an error of a type of the runtime's own.
func closedTwice() (err any) {
	defer func() { err = recover() }()
	c := make(chan int)
	close(c)
	close(c)
	return nil
}
