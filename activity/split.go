package activity

import (
	"encoding/json"
	"errors"
)

var errNotArray = errors.New("expected [ … ]")

// Split appends the elements of a JSON array to parts, without decoding them. The array has to be valid JSON, as
// everything in a history is; of what is not, no more is promised than an error or parts that do not decode.
func Split(parts []json.RawMessage, array json.RawMessage) ([]json.RawMessage, error) {
	data := array
	if len(data) == 0 {
		return parts, nil
	}
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '[' {
		return nil, errNotArray
	}
	i = skipSpace(data, i+1)
	if i < len(data) && data[i] == ']' {
		return parts, nil
	}
	for {
		start := i
		i = skipValue(data, i)
		if i >= len(data) {
			return nil, errNotArray
		}
		end := i
		for end > start && isSpace(data[end-1]) {
			end--
		}
		parts = append(parts, data[start:end:end])
		if data[i] == ']' {
			return parts, nil
		}
		i = skipSpace(data, i+1)
	}
}

// skipValue returns the place of the comma or bracket that ends the element at i.
func skipValue(data []byte, i int) int {
	depth := 0
	for ; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// isPlainText reports whether text stands in JSON as it is: no escapes, and only ASCII, so that it is valid UTF-8.
func isPlainText[T string | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
