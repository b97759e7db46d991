package stdlib

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// serviceError reads the three parts of a service's error out of an answer: status, exception name, message. Services
// put the name into a header (x-amzn-errortype) or into a JSON body ({"__type": "com.x#Name", "message": …},
// {"code": …, "message": …}, the same inside "error"); without one it is the status' own, as in NotFound.
func (h *httpModule) serviceError(t *lua.LTable, status int) *Error {
	e := &Error{Status: status}
	details := h.state.Main().CreateTable(0, 4)
	for _, name := range []string{"method", "url"} {
		details.RawSetString(name, t.RawGetString(name))
	}
	headers, _ := t.RawGetString("headers").(*lua.LTable)
	if headers != nil {
		if name, is := headers.RawGetString("x-amzn-errortype").(lua.LString); is {
			e.Name = exceptionName(string(name))
		}
		if after, err := strconv.ParseFloat(headers.RawGetString("retry-after").String(), 64); err == nil && after >= 0 {
			details.RawSetString("retry_after", lua.LNumber(after))
		}
	}
	text := string(t.RawGetString("body").(lua.LString))
	if body, err := h.state.DecodeText(text, vm.Reading{}); err == nil && text != "" {
		details.RawSetString("body", body)
		e.fromBody(body, "__type", "code", "Code")
	} else if text = strings.TrimSpace(text); text != "" {
		details.RawSetString("body", lua.LString(shorten(text, 1000)))
	}
	if e.Name == "" {
		e.Name = statusName(status)
	}
	if e.Message == "" {
		e.Message = strings.TrimSpace(fmt.Sprintf("%s answered %d %s", exchangeText(t), status, http.StatusText(status)))
	}
	e.details.lua = details
	e.classify() // the nearer kinds first
	e.addKind(nameService)
	return e
}

// fromBody takes name and message from a JSON body; names are the fields that may hold the name.
func (e *Error) fromBody(body lua.LValue, names ...string) {
	t, isTable := body.(*lua.LTable)
	if !isTable {
		return
	}
	e.Name = firstText(e.Name, exceptionName(textField(t, names...)))
	e.Message = firstText(e.Message, textField(t, "message", "Message", "error_message", "error_description", "detail"))
	switch inner := t.RawGetString("error").(type) {
	case *lua.LTable:
		e.fromBody(inner, "code", "type", "status", "name")
	case lua.LString: // {"error": "what went wrong"}, if nothing says it better
		e.Message = firstText(e.Message, string(inner))
	}
}

func textField(t *lua.LTable, names ...string) string {
	for _, name := range names {
		if text, is := t.RawGetString(name).(lua.LString); is && text != "" {
			return string(text)
		}
	}
	return ""
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// exceptionName takes the name out of "com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…". What is no name
// (a URL, a sentence, a number) is none.
func exceptionName(text string) string {
	text = text[strings.LastIndexByte(text, '#')+1:]
	text, _, _ = strings.Cut(text, ":")
	if len(text) > 100 || strings.ContainsAny(text, " /\t\r\n") || strings.Trim(text, "0123456789") == "" {
		return ""
	}
	return text
}

// statusName is 404's NotFound.
func statusName(status int) string {
	text := http.StatusText(status)
	name := strings.NewReplacer(" ", "", "-", "", "'", "").Replace(text)
	if name == "" {
		return nameService
	}
	return name
}

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
