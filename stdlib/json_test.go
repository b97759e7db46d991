package stdlib

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

func TestJSONModule(t *testing.T) {
	a := newActivityLua(t, "")
	_, err := a.run(`json = require "json"`)
	require.NoError(t, err)
	a.check(t, []activityCase{
		{source: `return json.encode(nil), json.encode({}), json.encode(json.object({})), json.encode(json.array({}, 1))`, result: "null\t[]\t{}\t[null]"},
		{source: `return json.encode({b = {1}, a = 2}, {sort = true, indent = 1})`, result: "{\n \"a\": 2,\n \"b\": [\n  1\n ]\n}"},
		{source: `return json.encode({1}, {indent = true}), json.encode({1}, {indent = "\t"}), json.encode({1}, {indent = false}), json.encode({1}, {indent = 0})`, result: "[\n  1\n]\t[\n\t1\n]\t[1]\t[1]"},
		{source: `return json.decode('{"$bytes":"aGk="}')["$bytes"]`, result: "aGk="},
		{source: `return json.decode("null"), json.decode('[null]')[1] == json.null, json.decode('{"a":null}').a`, result: "nil\ttrue\tnil"},
		{source: `return json.decode('{"a":null}', {keep_null = true}).a == json.null`, result: "true"},
		{source: `return json.encode(setmetatable({}, {__jsontype = "object"}))`, result: "{}"},
		{source: `return json.encode(json.array(json.object({})))`, result: "[]"},
		{source: `json.encode({callback = print})`, err: "test.lua:1: json.encode: value.callback: a function cannot be written as JSON"},
		{source: `json.encode("\255")`, err: "json.encode: value: a string that is not UTF-8 text cannot be written as JSON"},
		{source: `json.encode()`, err: "json.encode expects a value as argument #1, got nothing"},
		{source: `json.encode(1, {ident = 1})`, err: "json.encode: unknown option 'ident' (did you mean 'indent'?)"},
		{source: `json.encode(1, {indent = "x"})`, err: "option 'indent' expects spaces or tabs"},
		{source: `json.encode(1, {indent = 17})`, err: "option 'indent' expects at most 16 spaces"},
		{source: `json.encode(1, {sort = 1})`, err: "option 'sort' expects true or false"},
		{source: `json.decode("[1,")`, err: "test.lua:1: json.decode: not JSON at line 1, column 4 (byte 3): expected a value, found the end of the text"},
		{source: `json.decode(1)`, err: "json.decode expects a string as argument #1"},
		{source: `json.array(1)`, err: "json.array expects a table as argument #1"},
		{source: `json.array({}, -1)`, err: "json.array expects a length of 0 or more"},
		{source: `json.object(setmetatable({}, {}))`, err: "the table has a metatable of its own"},
		{source: `json.stringify(1)`, err: "json has no 'stringify'"},
	})
}

// TestJSONIsBounded: a workflow pays for what it encodes and decodes.
func TestJSONIsBounded(t *testing.T) {
	s := vm.New(vm.Config{Limits: vm.Limits{Instructions: 100_000}})
	t.Cleanup(s.Close)
	OpenJSON(s)
	OpenString(s)
	for _, source := range []string{
		`local json, t = require "json", {("x"):rep(1e5)} for i = 1, 100 do json.encode(t) end`,
		`local json, t = require "json", '"' .. ("x"):rep(1e5) .. '"' for i = 1, 100 do json.decode(t) end`,
	} {
		chunk, err := vm.Compile("w.lua", source, vm.Limits{})
		require.NoError(t, err)
		s.Refill()
		require.PanicsWithError(t, "w.lua:1: the script used more than its limit Instructions allows (100000 in one turn; waiting for a timer, an activity or a signal begins the next turn, Config.Limits.Instructions allows more)", func() {
			_, _ = s.Call(s.Load(chunk))
		}, strings.Fields(source)[0])
	}
}
