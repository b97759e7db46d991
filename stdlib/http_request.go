package stdlib

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// jsonText is a body that was encoded here, so that its content type is known.
type jsonText struct{ lua.LString }

// encoded is a value as a JSON body.
func (h *httpModule) encoded(o options, v lua.LValue) lua.LValue {
	text, err := h.state.EncodeText(v, "json", vm.Format{})
	if err != nil {
		o.fail("%s", err)
	}
	return jsonText{lua.LString(text)}
}

// prepare makes the request of the options, or raises what is wrong with them.
func (h *httpModule) prepare(ctx context.Context, o options, method, address string, body lua.LValue) *http.Request {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		o.fail("expects a URL that begins with http:// or https://, got %q", address)
	}
	if query := textPairs(o, "query"); len(query) > 0 {
		u.RawQuery = strings.Join(append(nonEmpty(u.RawQuery), encodePairs(query)...), "&")
	}
	if _, isTable := body.(*lua.LTable); isTable {
		body = h.encoded(o, body)
	}
	var reader io.Reader
	kind := ""
	switch body := body.(type) {
	case *lua.LNilType:
	case lua.LString:
		reader = strings.NewReader(string(body))
	case jsonText:
		reader, kind = strings.NewReader(string(body.LString)), "application/json"
	default:
		o.fail("expects a body that is a string, or a table to send as JSON, got %s", describe(body))
	}
	request, err := http.NewRequestWithContext(ctx, method, u.String(), reader)
	if err != nil {
		o.fail("%s", err)
	}
	request.Header.Set("User-Agent", "flowlua")
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	setHeaders(o, request)
	return request
}

func setHeaders(o options, request *http.Request) {
	seen := map[string]bool{}
	for _, pair := range textPairs(o, "headers") {
		if pair[0] == "" || strings.ContainsAny(pair[0], " \t\r\n:") || strings.ContainsAny(pair[1], "\r\n\x00") {
			o.fail("option 'headers': %q is no header", pair[0]+": "+pair[1])
		}
		name := http.CanonicalHeaderKey(pair[0])
		switch {
		case name == "Host":
			request.Host = pair[1]
		case seen[name]:
			request.Header.Add(name, pair[1])
		default:
			request.Header.Set(name, pair[1])
		}
		seen[name] = true
	}
}

// textPairs reads a table of names and values; a value may be a list, its name is repeated then.
func textPairs(o options, option string) [][2]string {
	if !o.has(option) {
		return nil
	}
	t, isTable := o.value(option).(*lua.LTable)
	if !isTable {
		o.wrong(option, "a table of names and values", o.value(option))
	}
	var pairs [][2]string
	for key, v := t.Next(lua.LNil); key != lua.LNil; key, v = t.Next(key) {
		name, isName := key.(lua.LString)
		if !isName {
			o.wrong(option, "names as keys", key)
		}
		list, isList := v.(*lua.LTable)
		if !isList {
			pairs = append(pairs, [2]string{string(name), pairText(o, option, string(name), v)})
			continue
		}
		for i := 1; i <= list.Len(); i++ {
			pairs = append(pairs, [2]string{string(name), pairText(o, option, string(name), list.RawGetInt(i))})
		}
	}
	return pairs
}

func pairText(o options, option, name string, v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return vm.FormatNumber(float64(v))
	case lua.LBool:
		return v.String()
	}
	o.wrong(option+"."+name, "a string, a number, a boolean or a list of them", v)
	return ""
}

func encodePairs(pairs [][2]string) []string {
	list := make([]string, len(pairs))
	for i, pair := range pairs {
		list[i] = url.QueryEscape(pair[0]) + "=" + url.QueryEscape(pair[1])
	}
	return list
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// exchange sends the request and reads the whole answer, at most limit bytes of it.
func (h *httpModule) exchange(request *http.Request, limit int) (*http.Response, []byte, error) {
	answer, err := h.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, int64(limit)+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > limit {
		return nil, nil, tooLarge(limit)
	}
	return answer, data, nil
}

type tooLarge int

func (limit tooLarge) Error() string {
	return fmt.Sprintf("the answer is longer than %d bytes; raise the option 'max_bytes' if that is right", int(limit))
}

// connectionFault is the error value for a request that got no answer.
func connectionFault(request *http.Request, err error, timedOut bool, timeout time.Duration) *Error {
	where := request.Method + " " + request.URL.Redacted()
	if limit, is := err.(tooLarge); is {
		no := false
		return &Error{Name: "ResponseTooLarge", Message: where + ": " + limit.Error(), Retryable: &no}
	}
	yes := true
	if timedOut {
		return &Error{Name: nameTimeout, Message: fmt.Sprintf("%s: no answer within %s", where, timeout), Timeout: "http", Retryable: &yes}
	}
	if inner, is := err.(*url.Error); is {
		err = inner.Err
	}
	return &Error{Name: "ConnectionError", Message: where + ": " + err.Error(), Retryable: &yes}
}
