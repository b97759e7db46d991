package stdlib

import (
	"net/http"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// result makes the table of an answer: {status, headers, body} with the methods json and raise. It can leave the
// activity as it is, as its methods live in the metatable.
func (h *httpModule) result(request *http.Request, answer *http.Response, data []byte) *lua.LTable {
	l := h.state.Main()
	t := l.CreateTable(0, 4)
	t.RawSetString("status", lua.LNumber(answer.StatusCode))
	t.RawSetString("headers", h.headerTable(answer.Header))
	t.RawSetString("body", lua.LString(data))
	t.RawSetString("url", lua.LString(answer.Request.URL.Redacted()))
	t.RawSetString("method", lua.LString(request.Method))
	t.Metatable = h.answer
	return t
}

// headerTable has the names in lower case; values that came several times are joined by ", ".
func (h *httpModule) headerTable(header http.Header) *lua.LTable {
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	t := h.state.Main().CreateTable(0, len(names))
	for _, name := range names {
		t.RawSetString(strings.ToLower(name), lua.LString(strings.Join(header[name], ", ")))
	}
	t.Metatable = h.headers
	return t
}

// headersMeta finds headers[name] however the name is capitalised.
func (h *httpModule) headersMeta() *lua.LTable {
	meta := h.state.Main().CreateTable(0, 1)
	meta.RawSetString("__index", h.state.Func("headers", func(L *lua.LState) int {
		t, isTable := L.Get(1).(*lua.LTable)
		name, isName := L.Get(2).(lua.LString)
		if !isTable || !isName {
			return 0
		}
		L.Push(t.RawGetString(strings.ToLower(string(name))))
		return 1
	}))
	return meta
}

func (h *httpModule) answerMeta() *lua.LTable {
	l := h.state.Main()
	methods := l.CreateTable(0, 2)
	methods.RawSetString("json", h.state.Func("res:json", h.json))
	methods.RawSetString("raise", h.state.Func("res:raise", h.raise))
	meta := l.CreateTable(0, 1)
	meta.RawSetString("__index", methods)
	return meta
}

func checkAnswer(L *lua.LState, call string) *lua.LTable {
	t, isTable := L.Get(1).(*lua.LTable)
	if isTable {
		_, hasStatus := t.RawGetString("status").(lua.LNumber)
		_, hasBody := t.RawGetString("body").(lua.LString)
		if hasStatus && hasBody {
			return t
		}
	}
	vm.Throwf(L, 1, "%s expects an answer of http, got %s; call it with a colon: %s()", call, describe(L.Get(1)), call)
	return nil
}

func (h *httpModule) json(L *lua.LState) int {
	t := checkAnswer(L, "res:json")
	text := string(t.RawGetString("body").(lua.LString))
	value, err := h.state.DecodeText(text, vm.Reading{})
	if err != nil {
		vm.Throwf(L, 1, "res:json: the answer %s of %s is %s; it begins with %q", t.RawGetString("status").String(),
			exchangeText(t), err.Error(), text[:min(len(text), 60)])
	}
	L.Push(value)
	return 1
}

func exchangeText(t *lua.LTable) string {
	return t.RawGetString("method").String() + " " + t.RawGetString("url").String()
}

func (h *httpModule) raise(L *lua.LState) int {
	t := checkAnswer(L, "res:raise")
	h.raiseUnlessOK(L, t)
	L.Push(t)
	return 1
}

func (h *httpModule) raiseUnlessOK(L *lua.LState, t *lua.LTable) {
	if status := int(t.RawGetString("status").(lua.LNumber)); status < 200 || status > 299 {
		h.serviceError(t, status).raise(h.state, L)
	}
}
