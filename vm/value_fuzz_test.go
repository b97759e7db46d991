package vm

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
	"pgregory.net/rapid"
)

var textSeeds = []string{
	``, `null`, `[]`, `{}`, `[1,-0,0.5,1e3,1E-2,-1.5e+10]`, `"\u00e9\ud83d\ude00\ud800\n"`, `{"a":{"b":[null,true,false]}}`,
	`{"a":1,"a":null}`, `{"$bytes":"/w=="}`, `{"$$bytes":"/w=="}`, `{"$error":{}}`, ` [ 1 , 2 ] `, `[1,]`, `{"a"}`, `01`, `1.`, `"`, "\"\n\"",
	`[[[[[[]]]]]]`, `{"":""}`, `9007199254740993`, `1e-400`, `1e400`, "\"\xff\"", `tru`, `[1]]`,
}

// FuzzDecode: a text is JSON here exactly when encoding/json says so, and means the same.
func FuzzDecode(f *testing.F) {
	for _, text := range textSeeds {
		f.Add([]byte(text))
	}
	v, _ := testValues(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := v.DecodeText(string(data), Reading{KeepNull: true})
		if !utf8.Valid(data) {
			require.Error(t, err, "encoding/json lets broken UTF-8 pass")
			return
		}
		var expected any
		theirs := json.Unmarshal(data, &expected)
		if err != nil && strings.Contains(err.Error(), "are nested here") {
			return
		}
		require.Equal(t, theirs == nil, err == nil, "ours: %v, encoding/json: %v", err, theirs)
		if err == nil {
			require.True(t, reflect.DeepEqual(expected, plain(v, value)), "ours: %s", show(v, value))
		}
	})
}

// FuzzRoundTrip: what was read is written in a form that is read and written the same for ever.
func FuzzRoundTrip(f *testing.F) {
	for _, text := range textSeeds {
		f.Add([]byte(text))
	}
	v, _ := testValues(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := v.Decode(data)
		if err != nil {
			return
		}
		text, err := v.Encode(first, "value")
		require.NoError(t, err)
		require.True(t, json.Valid(text), "%s", text)
		second, err := v.Decode(text)
		require.NoError(t, err)
		require.True(t, same(first, second), "%s", text)
		again, err := v.Encode(second, "value")
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
	})
}

// plain is a value as encoding/json would have it.
func plain(v *Values, value lua.LValue) any {
	switch value := value.(type) {
	case lua.LBool:
		return bool(value)
	case lua.LNumber:
		return float64(value)
	case lua.LString:
		return string(value)
	case *lua.LTable:
		if n := value.MaxN(); n > 0 || value.Metatable != v.hint && isEmpty(value) {
			list := make([]any, n)
			for i := range list {
				list[i] = plain(v, value.RawGetInt(i+1))
			}
			return list
		}
		fields := map[string]any{}
		for k, item := value.Next(lua.LNil); k != lua.LNil; k, item = value.Next(k) {
			fields[k.String()] = plain(v, item)
		}
		return fields
	}
	return nil
}

func isEmpty(t *lua.LTable) bool {
	key, _ := t.Next(lua.LNil)
	return key == lua.LNil
}

// TestLuaRoundTrip: every value that can leave a run comes back as it was, but for null fields.
func TestLuaRoundTrip(t *testing.T) {
	v, l := testValues(t)
	var value func(depth int) *rapid.Generator[lua.LValue]
	value = func(depth int) *rapid.Generator[lua.LValue] {
		return rapid.Custom(func(t *rapid.T) lua.LValue {
			kinds := 5
			if depth > 0 {
				kinds = 7
			}
			switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
			case 0:
				return lua.LBool(rapid.Bool().Draw(t, "bool"))
			case 1:
				return lua.LNumber(rapid.Int64().Draw(t, "integer"))
			case 2:
				f := rapid.Float64().Draw(t, "number")
				if math.IsNaN(f) || math.IsInf(f, 0) {
					f = 0
				}
				return lua.LNumber(f)
			case 3:
				return lua.LString(rapid.String().Draw(t, "text"))
			case 4:
				return lua.LString(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
			case 5:
				list := l.CreateTable(0, 0)
				for range rapid.IntRange(0, 4).Draw(t, "length") {
					list.Append(value(depth-1).Draw(t, "item"))
				}
				if rapid.Bool().Draw(t, "with null") {
					list.Append(v.Null())
				}
				return list
			default:
				fields := l.CreateTable(0, 0)
				v.MarkObject(fields)
				for range rapid.IntRange(0, 4).Draw(t, "fields") {
					key := rapid.SampledFrom([]string{"a", "b", "$bytes", "$$bytes", "$error", "", "é\n"}).Draw(t, "key")
					fields.RawSetString(key, value(depth-1).Draw(t, "field"))
				}
				return fields
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		before := value(3).Draw(t, "value")
		text, err := v.Encode(before, "value")
		require.NoError(t, err)
		after, err := v.Decode(text)
		require.NoError(t, err)
		require.True(t, same(before, after), "%s", text)
		again, err := v.Encode(after, "value")
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
	})
}
