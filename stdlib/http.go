package stdlib

import (
	"context"
	"net/http"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// OpenHTTP installs require "http", an HTTP client for activities. Requests end with ctx.
func OpenHTTP(s *vm.State, ctx context.Context) {
	s.Preload("http", func(*lua.LState) lua.LValue {
		h := &httpModule{state: s, ctx: ctx}
		h.answer = h.answerMeta()
		h.headers = h.headersMeta()
		return module(s, "http", []entry{{"get", h.get}, {"post", h.post}, {"request", h.request}})
	})
}

type httpModule struct {
	state   *vm.State
	ctx     context.Context
	client  http.Client
	answer  *lua.LTable // metatable of answers
	headers *lua.LTable // and of their headers
}

const (
	httpTimeout  = 30 * time.Second
	httpMaxBytes = 16 << 20
)

// commonOptions are those of every call; http.request has more.
var commonOptions = []string{"headers", "query", "timeout", "raise", "max_bytes"}

func (h *httpModule) get(L *lua.LState) int {
	const call = "http.get"
	o := readOptions(L, call, L.Get(2), commonOptions...)
	return h.send(L, o, http.MethodGet, checkText(L, 1, call, "a URL"), lua.LNil)
}

func (h *httpModule) post(L *lua.LState) int {
	const call = "http.post"
	o := readOptions(L, call, L.Get(3), commonOptions...)
	return h.send(L, o, http.MethodPost, checkText(L, 1, call, "a URL"), L.Get(2))
}

func (h *httpModule) request(L *lua.LState) int {
	const call = "http.request"
	o := readOptions(L, call, L.Get(1), append([]string{"method", "url", "body", "json"}, commonOptions...)...)
	address := o.text("url")
	if address == "" {
		o.fail("expects the option 'url'")
	}
	method := o.text("method")
	if method == "" {
		method = http.MethodGet
	}
	body := o.value("body")
	if o.has("json") {
		if o.has("body") {
			o.fail("the options 'body' and 'json' exclude each other")
		}
		body = h.encoded(o, o.value("json"))
	}
	return h.send(L, o, method, address, body)
}

// send makes the request and pushes the answer.
func (h *httpModule) send(L *lua.LState, o options, method, address string, body lua.LValue) int {
	stopped(h.state, L, h.ctx)
	timeout := httpTimeout
	if o.has("timeout") {
		timeout = o.duration("timeout")
	}
	limit := o.count("max_bytes", httpMaxBytes, 0)
	raise := o.flag("raise")
	ctx, cancel := context.WithTimeout(h.ctx, timeout)
	defer cancel()
	request := h.prepare(ctx, o, method, address, body)
	answer, data, err := h.exchange(request, limit)
	if err != nil {
		stopped(h.state, L, h.ctx)
		connectionFault(request, err, ctx.Err() != nil, timeout).raise(h.state, L)
	}
	h.state.Charge(int64(len(data) / 16))
	result := h.result(request, answer, data)
	if raise {
		h.raiseUnlessOK(L, result)
	}
	L.Push(result)
	return 1
}
