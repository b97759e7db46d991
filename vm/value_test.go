package vm

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// testValues is a Values with plain gopher-lua around it: what it does depends on nothing else of the State.
func testValues(t testing.TB) (*Values, *lua.LState) {
	l := lua.NewState()
	t.Cleanup(l.Close)
	v := newValues(l, 0, func(int64) {})
	module := l.NewTable()
	module.RawSetString("null", v.null)
	l.SetFuncs(module, map[string]lua.LGFunction{
		"array": func(l *lua.LState) int {
			v.MarkArray(l.CheckTable(1), l.OptInt(2, 0))
			l.SetTop(1)
			return 1
		},
		"object": func(l *lua.LState) int { v.MarkObject(l.CheckTable(1)); l.SetTop(1); return 1 },
	})
	l.SetGlobal("json", module)
	return &v, l
}

// eval is the value of a Lua expression.
func eval(t testing.TB, l *lua.LState, expression string) lua.LValue {
	t.Helper()
	require.NoError(t, l.DoString("return "+expression))
	v := l.Get(-1)
	l.SetTop(0)
	return v
}

func TestEncode(t *testing.T) {
	v, l := testValues(t)
	cases := []struct{ lua, json string }{
		{`nil`, `null`},
		{`true`, `true`},
		{`false`, `false`},
		{`0`, `0`},
		{`0 * -1`, `-0`},
		{`-1`, `-1`},
		{`2^53`, `9007199254740992`},
		{`-2^53`, `-9007199254740992`},
		{`2^53 + 2`, `9007199254740994`},
		{`2^63`, `9223372036854775808`},
		{`2^53 + 1`, `9007199254740992`},
		{`1e20`, `100000000000000000000`},
		{`1e21`, `1e+21`},
		{`0.1`, `0.1`},
		{`1/3`, `0.3333333333333333`},
		{`1e-6`, `0.000001`},
		{`1e-7`, `1e-07`},
		{`5e-324`, `5e-324`},
		{`""`, `""`},
		{`"a\"\\/\n\r\t\0\31<>&é"`, `"a\"\\/\n\r\t\u0000\u001f<>&é"`},
		{`"\255"`, `{"$bytes":"/w=="}`},
		{`{}`, `[]`},
		{`json.array{}`, `[]`},
		{`json.object{}`, `{}`},
		{`{1, "a", {}}`, `[1,"a",[]]`},
		{`{b = 1, a = 2}`, `{"b":1,"a":2}`},
		{`{[""] = 1}`, `{"":1}`},
		{`{1, json.null, 3}`, `[1,null,3]`},
		{`{a = json.null}`, `{"a":null}`},
		{`json.null`, `null`},
		{`json.array({1, nil, 3}, 3)`, `[1,null,3]`},
		{`json.array({}, 2)`, `[null,null]`},
		{`json.array({1, 2, 3}, 2)`, `[1,2,3]`},
		{`json.array{1, 2}`, `[1,2]`},
		{`json.object{a = 1}`, `{"a":1}`},
		{`{nil, nil}`, `[]`},
		{`setmetatable({a = 1}, {__index = {b = 2}})`, `{"a":1}`},
		{`setmetatable({}, {__jsontype = "object"})`, `{}`},
		{`(function() local t = {1, 2, 3}; t[3] = nil; return t end)()`, `[1,2]`},
		{`(function() local t = {a = 1, b = 2}; t.a = nil; return t end)()`, `{"b":2}`},
		{`(function() local s = {1}; return {s, s} end)()`, `[[1],[1]]`},
		{`{["$bytes"] = "x"}`, `{"$$bytes":"x"}`},
		{`{["$$bytes"] = "x"}`, `{"$$$bytes":"x"}`},
		{`{["$error"] = {}}`, `{"$$error":[]}`},
		{`{["$bytes"] = "x", a = 1}`, `{"$bytes":"x","a":1}`},
		{`{["$set"] = 1}`, `{"$set":1}`},
	}
	for _, c := range cases {
		t.Run(c.lua, func(t *testing.T) {
			got, err := v.Encode(eval(t, l, c.lua), "input")
			require.NoError(t, err)
			require.Equal(t, c.json, string(got))
		})
	}
}

func TestEncodeErrors(t *testing.T) {
	v, l := testValues(t)
	cases := []struct{ lua, message string }{
		{`{items = {1, 2, {callback = print}}}`, "input.items[3].callback: a function cannot leave the run"},
		{`coroutine.create(print)`, "input: a coroutine cannot leave the run"},
		{`{["a b"] = {[""] = print}}`, `input["a b"][""]: a function`},
		{`{x = 0/0}`, "input.x: NaN is not a number that JSON knows"},
		{`{-1/0}`, "input[1]: -Inf is not a number"},
		{`{1, nil, 3}`, "input: item 2 of the list is nil but item 3 is not: put json.null there, or mark it with json.array(t, 3)"},
		{`{[1001] = "x"}`, "item 1 of the list is nil but item 1001 is not"},
		{`{1, 2, x = 3}`, `input: it has list items (1 to 2) and the key "x": a table must be a list or have only string keys`},
		{`{[0] = 1}`, "input: it has the key 0 (a number)"},
		{`{[1.5] = 1}`, "the key 1.5 (a number)"},
		{`{[true] = 1}`, "the key true (a boolean)"},
		{`{[{}] = 1}`, "the key (a table)"},
		{`{a = 1, [true] = 1}`, "the key true (a boolean)"},
		{`{["\255"] = 1}`, `the key "\xff" is not UTF-8 text`},
		{`json.array{a = 1}`, `it is marked by json.array but has the key "a"`},
		{`json.object{1}`, "it is marked by json.object but holds the list items 1 to 1"},
		{`(function() local t = {}; t.a = {t}; return t end)()`, "input.a[1]: the table contains itself"},
		{`(function() local t = 1; for i = 1, 201 do t = {t} end; return t end)()`, "more than 200 tables are nested here"},
		{`string.rep("x", 17e6)`, "input: the value is longer than 16777216 bytes"},
		{`(function() local t = "x"; for i = 1, 40 do t = {t, t} end; return t end)()`, "longer than 16777216 bytes"},
		{`json.array({}, 1e9)`, "longer than 16777216 bytes"},
		{`io.stdout`, "input: a userdata cannot leave the run"},
	}
	for _, c := range cases {
		t.Run(c.lua, func(t *testing.T) {
			_, err := v.Encode(eval(t, l, c.lua), "input")
			require.ErrorContains(t, err, c.message)
			require.NotContains(t, err.Error(), "0x", "an address is not the same in a replay")
			var problem *ValueError
			require.ErrorAs(t, err, &problem)
		})
	}
}

func TestEncodeAll(t *testing.T) {
	v, l := testValues(t)
	got, err := v.EncodeAll(nil, "input")
	require.NoError(t, err)
	require.Equal(t, `[]`, string(got))
	got, err = v.EncodeAll([]lua.LValue{lua.LNil, lua.LNumber(1)}, "input")
	require.NoError(t, err)
	require.Equal(t, `[null,1]`, string(got))
	_, err = v.EncodeAll([]lua.LValue{eval(t, l, "{print}")}, "input")
	require.ErrorContains(t, err, "input[1]: a function")
	_, err = v.EncodeAll([]lua.LValue{lua.LNil, eval(t, l, "{a = print}")}, "input")
	require.ErrorContains(t, err, "input[2].a: a function")
}

func TestEncodeFormats(t *testing.T) {
	v, l := testValues(t)
	value := eval(t, l, `{b = {1, {}}, a = {x = 1, c = json.object{}}, ["$bytes"] = 1}`)
	got, err := v.EncodeText(value, "value", Format{Sort: true, Indent: "  "})
	require.NoError(t, err)
	require.Equal(t, `{
  "$bytes": 1,
  "a": {
    "c": {},
    "x": 1
  },
  "b": [
    1,
    []
  ]
}`, string(got))
	got, err = v.EncodeText(eval(t, l, `{["$bytes"] = 1}`), "value", Format{})
	require.NoError(t, err)
	require.Equal(t, `{"$bytes":1}`, string(got), "JSON for others has no tags")
	_, err = v.EncodeText(lua.LString("\xff"), "value", Format{})
	require.ErrorContains(t, err, "not UTF-8")
}

func TestUserdata(t *testing.T) {
	v, l := testValues(t)
	failure := &lua.LUserData{Value: "boom", Metatable: lua.LNil}
	again := 0
	v.EncodeUserdata = func(ud *lua.LUserData) (string, lua.LValue, bool, error) {
		switch what := ud.Value.(type) {
		case string:
			_, err := v.Encode(lua.LNumber(1), "inner") // a hook may use the values itself
			require.NoError(t, err)
			return "error", lua.LString(what), true, nil
		case error:
			return "", nil, false, what
		case int:
			again++
			return "", ud, true, nil
		}
		return "", nil, false, nil
	}
	v.DecodeTagged = func(tag string, inner lua.LValue) (lua.LValue, bool) {
		return failure, tag == "error" && inner == lua.LString("boom")
	}
	list := l.NewTable()
	list.Append(failure)
	got, err := v.Encode(list, "input")
	require.NoError(t, err)
	require.Equal(t, `[{"$error":"boom"}]`, string(got))
	back, err := v.Decode(got)
	require.NoError(t, err)
	require.Same(t, failure, back.(*lua.LTable).RawGetInt(1))
	got, err = v.EncodeText(failure, "input", Format{})
	require.NoError(t, err)
	require.Equal(t, `"boom"`, string(got))

	_, err = v.Encode(&lua.LUserData{Value: fmt.Errorf("not settled")}, "input")
	require.EqualError(t, err, "input: not settled")
	_, err = v.Encode(&lua.LUserData{}, "input")
	require.ErrorContains(t, err, "a userdata cannot leave the run")
	_, err = v.Encode(&lua.LUserData{Value: 1}, "input")
	require.ErrorContains(t, err, "more than 200 tables")
	require.Equal(t, MaxDepth, again)
}

func TestDecode(t *testing.T) {
	v, l := testValues(t)
	cases := []struct{ json, lua string }{
		{`null`, `nil`},
		{` true `, `true`},
		{`-0.5e+1`, `-5`},
		{`123456789012345`, `123456789012345`},
		{`9007199254740991`, `9007199254740991`},
		{`"\u00e9\ud83d\ude00\n\/"`, `"é😀\n/"`},
		{`"\ud83d"`, "\"\uFFFD\""},
		{`"\ud83dx\u0041"`, "\"\uFFFDxA\""},
		{`[1,[2,"x"],{"a":{"b":[]}}]`, `{1,{2,"x"},{a={b={}}}}`},
		{`{"a":1,"a":2}`, `{a=2}`},
		{`{"a":null,"b":1}`, `{b=1}`},
		{`[null,1]`, `{json.null,1}`},
		{`{"$bytes":"/w=="}`, `"\255"`},
		{`{"$$bytes":"/w=="}`, `{["$bytes"]="/w=="}`},
		{`{"$bytes":"?"}`, `{["$bytes"]="?"}`},
		{`{"$bytes":"/w==","a":1}`, `{["$bytes"]="/w==",a=1}`},
		{`{"$bytes":1}`, `{["$bytes"]=1}`},
		{`{"$error":1}`, `{["$error"]=1}`},
	}
	for _, c := range cases {
		t.Run(c.json, func(t *testing.T) {
			got, err := v.Decode([]byte(c.json))
			require.NoError(t, err)
			require.True(t, same(eval(t, l, c.lua), got), "got %s", show(v, got))
		})
	}
}

func TestDecodeKeepsWhatIsEmpty(t *testing.T) {
	v, l := testValues(t)
	for _, text := range []string{`{}`, `[]`, `[{},[],{"a":{}}]`, `[null]`} {
		value, err := v.Decode([]byte(text))
		require.NoError(t, err)
		got, err := v.Encode(value, "input")
		require.NoError(t, err)
		require.Equal(t, text, string(got))
	}
	value, err := v.Decode([]byte(`{"a":null}`))
	require.NoError(t, err)
	require.Equal(t, `{}`, show(v, value))
	value.(*lua.LTable).Append(lua.LNumber(1))
	require.Equal(t, `[1]`, show(v, value), "once it is not empty its content decides")

	value, err = v.DecodeText(`{"a":null}`, Reading{KeepNull: true})
	require.NoError(t, err)
	require.Equal(t, `{"a":null}`, show(v, value))
	l.SetGlobal("kept", value)
	require.Equal(t, lua.LTrue, eval(t, l, `kept.a == json.null and tostring(kept.a) == "null"`))
}

func TestDecodeKeepsTheOrder(t *testing.T) {
	v, l := testValues(t)
	text := `{"z":1,"y":2,"x":3,"w":4,"v":5,"u":6,"t":7,"s":8,"r":9,"q":10}`
	value, err := v.Decode([]byte(text))
	require.NoError(t, err)
	l.SetGlobal("t", value)
	require.Equal(t, "zyxwvutsrq", eval(t, l,
		`(function() local s = ""; for k in pairs(t) do s = s .. k end; return s end)()`).String())
	require.Equal(t, text, show(v, value))
}

func TestDecodeAll(t *testing.T) {
	v, _ := testValues(t)
	values, err := v.DecodeAll([]byte(` [null, 1, [null]] `))
	require.NoError(t, err)
	require.Len(t, values, 3)
	require.Equal(t, lua.LNil, values[0])
	require.Equal(t, lua.LNumber(1), values[1])
	require.Equal(t, v.Null(), values[2].(*lua.LTable).RawGetInt(1))
	_, err = v.DecodeAll([]byte(`{}`))
	require.ErrorContains(t, err, "expected an array of values, found '{'")
}

func TestDecodeErrors(t *testing.T) {
	v, _ := testValues(t)
	cases := []struct{ json, message string }{
		{``, `not JSON at line 1, column 1 (byte 0): expected a value, found an empty text`},
		{"{\n  \"é\": 1,\n  \"é\" 2}", `not JSON at line 3, column 7 (byte 20): expected ':', found '2'`},
		{`[1,]`, `expected a value, found ']'`},
		{`[1 2]`, `expected ',' or ']', found '2'`},
		{`[1`, `expected ',' or ']', found the end of the text`},
		{`{"a":1,}`, `expected a field name in double quotes, found '}'`},
		{`{a:1}`, `expected a field name in double quotes, found 'a'`},
		{`{"a":1 "b":2}`, `expected ',' or '}', found '"'`},
		{`01`, `a number cannot begin with 0`},
		{`-`, `expected a digit, found the end`},
		{`1.`, `expected a digit`},
		{`1e`, `expected a digit`},
		{`1e999`, `the number "1e999" is out of range`},
		{`+1`, `expected a value, found '+'`},
		{`nul`, `expected null`},
		{`1 2`, `expected the end of the text, found '2'`},
		{`"a`, `the string that begins here has no end`},
		{`"\n`, `the string that begins here has no end`},
		{`"\`, `(byte 1): expected one of`},
		{`"\x"`, `(byte 1): expected one of`},
		{`"\u12g4"`, `expected one of`},
		{"\"\n\"", `(byte 1): the character '\n' must be escaped`},
		{"\"\\n\n\"", `(byte 3): the character '\n' must be escaped`},
		{"\"a\xff\"", `(byte 2): the byte 0xff is not UTF-8 text`},
		{"\"\\n\xff\"", `(byte 3): the byte 0xff is not UTF-8 text`},
		{"\x00", `expected a value, found '\x00'`},
		{strings.Repeat("[", 201), `(byte 200): more than 200 arrays and objects`},
		{strings.Repeat(`{"a":`, 1e6), `more than 200 arrays and objects`},
	}
	for _, c := range cases {
		t.Run(c.message, func(t *testing.T) {
			_, err := v.Decode([]byte(c.json))
			require.ErrorContains(t, err, c.message)
			var bad *JSONError
			require.ErrorAs(t, err, &bad)
		})
	}
	value, err := v.Decode([]byte(`[1]`))
	require.NoError(t, err, "the parser is as new after a failure")
	require.Equal(t, `[1]`, show(v, value))
}

// TestLargeDocument: above a few KB strings no longer share the document's memory.
func TestLargeDocument(t *testing.T) {
	v, _ := testValues(t)
	text := `["` + strings.Repeat("x", 3*sharedText) + `",{"key":"value"}]`
	value, err := v.Decode([]byte(text))
	require.NoError(t, err)
	require.Equal(t, text, show(v, value))
}

func TestNegativeZero(t *testing.T) {
	v, _ := testValues(t)
	got, err := v.Encode(lua.LNumber(math.Copysign(0, -1)), "input")
	require.NoError(t, err)
	require.Equal(t, `-0`, string(got))
	value, err := v.Decode(got)
	require.NoError(t, err)
	require.True(t, math.Signbit(float64(value.(lua.LNumber))))
}

// show is a value as JSON.
func show(v *Values, value lua.LValue) string {
	text, err := v.Encode(value, "value")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// same compares values deeply, tables by content.
func same(a, b lua.LValue) bool {
	x, ok := a.(*lua.LTable)
	if !ok {
		return a == b
	}
	y, ok := b.(*lua.LTable)
	if !ok {
		return false
	}
	n := 0
	for k, v := x.Next(lua.LNil); k != lua.LNil; k, v = x.Next(k) {
		if !same(v, y.RawGet(k)) {
			return false
		}
		n++
	}
	for k, _ := y.Next(lua.LNil); k != lua.LNil; k, _ = y.Next(k) {
		n--
	}
	return n == 0
}
