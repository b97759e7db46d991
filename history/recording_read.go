package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// ReadRecording reads what WriteTo wrote, in this or an earlier release. Check says whether it can be.
func ReadRecording(r io.Reader) (Recording, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Recording{}, fmt.Errorf("history: cannot read the recorded run: %w", err)
	}
	rec, err := parseRecording(text)
	if err != nil {
		return Recording{}, notRecorded(err)
	}
	return rec, nil
}

func notRecorded(err error) error { return fmt.Errorf("history: not a recorded run: %w", err) }

func parseRecording(text []byte) (rec Recording, err error) {
	var plain bytes.Buffer                           // the values of a run are not indented
	err = json.Unmarshal(text, new(json.RawMessage)) // which knows where it fails
	if err == nil {
		err = json.Compact(&plain, text)
	}
	if err != nil {
		return rec, badJSON(text, err)
	}
	var parts struct {
		Format  int               `json:"format"`
		Run     json.RawMessage   `json:"run"`
		Sources json.RawMessage   `json:"sources"`
		Turns   []json.RawMessage `json:"turns"`
	}
	if err := json.Unmarshal(plain.Bytes(), &parts); err != nil {
		return rec, badPart("the document", err)
	}
	rec.Format = parts.Format
	if err := rec.readable(); err != nil {
		return rec, err
	}
	for _, part := range []struct {
		name string
		text json.RawMessage
		into any
	}{{"run", parts.Run, &rec.Run}, {"sources", parts.Sources, &rec.Sources}} {
		if part.text == nil {
			return rec, fmt.Errorf("it has no %s", part.name)
		}
		if err := json.Unmarshal(part.text, part.into); err != nil {
			return rec, badPart(part.name, err)
		}
	}
	for i, part := range parts.Turns {
		var turn Turn
		if err := json.Unmarshal(part, &turn); err != nil {
			return rec, badPart(fmt.Sprintf("turn %d", i+1), err)
		}
		rec.Turns = append(rec.Turns, turn)
	}
	return rec, nil
}

// badJSON says where a text is no JSON.
func badJSON(text []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset < 1 || syntax.Offset > int64(len(text)) || strings.HasPrefix(syntax.Error(), "unexpected end") {
		return errors.New("expected a JSON document, found one that ends too soon")
	}
	before := text[:syntax.Offset-1]
	line, column := bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: expected JSON, found %q", line, column, rune(text[syntax.Offset-1]))
}

// badPart says which field of a part of the document is of a kind that it cannot be.
func badPart(part string, err error) error {
	var kind *json.UnmarshalTypeError
	var moment *time.ParseError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s: field %s: expected %s, found %s", part, strings.ReplaceAll(kind.Field, "Ref.", ""), wanted(kind.Type), kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: expected %s, found %s", part, wanted(kind.Type), kind.Value)
	case errors.As(err, &moment):
		return fmt.Errorf("%s: expected a time such as 2026-01-02T15:04:05Z, found %q", part, moment.Value)
	}
	return fmt.Errorf("%s: %w", part, err)
}

// wanted is the JSON that a Go type is read from.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	}
	return "a number"
}
