package activity

import (
	"context"
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strings"
)

// codeOf is what an error calls itself.
func codeOf(err error) string {
	if e, ok := err.(interface{ ErrorCode() string }); ok && e.ErrorCode() != "" {
		return e.ErrorCode()
	}
	if e, ok := err.(interface{ Code() string }); ok && e.Code() != "" {
		return e.Code()
	}
	if err == context.DeadlineExceeded {
		return "TimeoutError"
	}
	return ""
}

// typeOf is the name of an error's type; "" for types that say nothing.
func typeOf(err error) string {
	t := reflect.TypeOf(err)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[") // without type arguments
	if !token.IsExported(name) && private[root(t.PkgPath())] {
		return ""
	}
	return name
}

// private are the standard library (by the first part of its paths) and others whose unexported types carry errors without saying
// what they are: errors.errorString, fmt.wrapError, runtime.plainError. Nobody could rely on their names.
var private = map[string]bool{
	"bufio": true, "bytes": true, "context": true, "crypto": true, "database": true, "encoding": true, "errors": true, "fmt": true,
	"internal": true, "io": true, "net": true, "os": true, "reflect": true, "runtime": true, "strconv": true, "strings": true,
	"sync": true, "syscall": true, "time": true, "github.com/pkg/errors": true, "golang.org/x/xerrors": true,
}

// root is what private knows of a package: its path if that is of a module with a host, else the first part of it.
func root(path string) string {
	first, _, _ := strings.Cut(path, "/")
	if strings.Contains(first, ".") {
		return path
	}
	return first
}

func statusOf(err error) int {
	switch e := err.(type) {
	case interface{ HTTPStatusCode() int }:
		return e.HTTPStatusCode()
	case interface{ StatusCode() int }:
		return e.StatusCode()
	}
	return 0
}

func retryableOf(err error) *bool {
	var answer bool
	switch e := err.(type) {
	case interface{ Retryable() bool }:
		answer = e.Retryable()
	case interface{ RetryableError() bool }:
		answer = e.RetryableError()
	case interface{ Temporary() bool }:
		if !e.Temporary() {
			return nil // "not known to be temporary": net says so of nearly everything
		}
		answer = true
	default:
		return nil
	}
	return &answer
}

// faultOf reads ErrorFault(), whose type is smithy's own: an integer that prints as "client" or "server".
func faultOf(err error) string {
	m := reflect.ValueOf(err).MethodByName("ErrorFault")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
		return ""
	}
	return fmt.Sprint(m.Call(nil)[0].Interface())
}

// throttling are the codes that services use for "slower, please", in lower case.
var throttling = []string{"throttl", "toomanyrequests", "provisionedthroughputexceeded", "slowdown", "requestlimitexceeded", "limitexceedederror"}

func throttles(status int, name string) bool {
	name = strings.ToLower(name)
	return status == 429 || slices.ContainsFunc(throttling, func(code string) bool { return strings.Contains(name, code) })
}

// service adds the kinds of a service's error, and whether it is worth another attempt, if the error does not say so:
// the server's faults and throttling are, the client's are not.
func (l *look) service() {
	f := l.failure
	if l.timeout {
		l.kind("TimeoutError")
	}
	if f.Status < 400 && l.fault == "" {
		return
	}
	l.kind("ServiceError")
	throttled := throttles(f.Status, f.Name)
	client := f.Status >= 400 && f.Status < 500 || f.Status < 400 && l.fault == "client"
	server := f.Status >= 500 || f.Status < 400 && l.fault == "server"
	switch {
	case throttled:
		l.kind("ThrottlingError")
	case client:
		l.kind("ClientError")
	case server:
		l.kind("ServerError")
	default:
		return
	}
	if f.Retryable == nil {
		again := throttled || server
		f.Retryable = &again
	}
}
