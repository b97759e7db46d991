package activity

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

// Lua strings are bytes, JSON's are text. Text travels as a JSON string, other bytes as {"$bytes": base64}. At the top
// level of arguments and results a []byte and a string therefore both are a Lua string; inside of structs they are what
// encoding/json makes of them.

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// luaString decodes either form of a Lua string into v, a string or a []byte, and reports whether data was one.
func luaString(v reflect.Value, data []byte) bool {
	var raw []byte
	switch data[0] {
	case '"':
		var text string
		if json.Unmarshal(data, &text) != nil {
			return false
		}
		raw = []byte(text)
	case '{':
		var tagged map[string][]byte
		if json.Unmarshal(data, &tagged) != nil || len(tagged) != 1 || tagged["$bytes"] == nil {
			return false
		}
		raw = tagged["$bytes"]
	default:
		return false
	}
	if v.Kind() == reflect.String {
		v.SetString(string(raw))
	} else {
		v.SetBytes(raw)
	}
	return true
}

func appendBytes[T string | []byte](buf []byte, raw T) ([]byte, error) {
	if isPlainText(raw) {
		return append(append(append(buf, '"'), raw...), '"'), nil
	}
	if utf8.ValidString(string(raw)) {
		return appendJSON(buf, string(raw))
	}
	buf = append(buf, `{"$bytes":"`...)
	buf = base64.StdEncoding.AppendEncode(buf, []byte(raw))
	return append(buf, `"}`...), nil
}
