package vm

import (
	"encoding/json"

	lua "github.com/yuin/gopher-lua"
)

// Values turns Lua values into JSON and back: everything that enters or leaves a run (arguments, results, heartbeat
// details, statuses, recorded side effects) passes through it. State embeds one. The rules:
//
// Leaving (Encode):
//   - nil is null, booleans are booleans.
//   - Numbers: integers below 1e21 are written with all their digits (every integer up to 2^53 is exact in Lua, beyond
//     that it is the nearest float), everything else in the shortest form that reads back as the same number. NaN and
//     the infinities are errors.
//   - Strings that are valid UTF-8 are strings. Other strings are {"$bytes":"<base64>"}.
//   - Tables with the keys 1..n, n > 0, and no others are arrays. A hole (nil before the last item) is an error; json.null
//     in its place, or json.array(t, n), says that null is meant.
//   - Tables with string keys only are objects, in the order of pairs (the order in which the keys were first set).
//   - The empty table is []. json.object(t) makes it {}; json.array(t) and json.object(t) also check what the table holds
//     later. They set the metatable field __jsontype to "array" or "object"; other metatables play no part.
//   - Tables with other keys (mixed, fractions, booleans, keys that are not UTF-8) are errors.
//   - json.null is null.
//   - Userdata goes through EncodeUserdata. Functions, coroutines and other userdata are errors.
//   - A table that contains itself, more than MaxDepth levels and more than MaxBytes bytes are errors. A table that
//     occurs twice is written twice.
//   - A table whose only key is $bytes or $error, with any number of $ in front, gets one more $ in front, so
//     that it is not taken for a tagged value on its way back.
//
// Entering (Decode):
//   - null is nil where it stands alone; in an object the field is absent, so that `if x.field then` means what
//     it says; in an array it is json.null, as lists have no holes.
//   - Numbers are Lua numbers: integers beyond 2^53 lose digits, as in JavaScript; send such ids as strings.
//   - Objects keep the order of the text; of equal keys the last wins.
//   - The empty object is an empty table that is written as {} again unless list items are put into it.
//   - {"$bytes":"<base64>"} is the string of those bytes, {"$error":…} goes through DecodeTagged; both only when it is the
//     object's one key. {"$$bytes":…} is the table that looks like it.
//   - Strings must be UTF-8. Nesting beyond MaxDepth and numbers beyond 1.8e308 are errors.
type Values struct {
	// EncodeUserdata says what a userdata is outside the run: ok = false: it cannot leave. A tag ("error")
	// makes it {"$tag": v}, which DecodeTagged turns back; without a tag v is written in its place.
	EncodeUserdata func(ud *lua.LUserData) (tag string, v lua.LValue, ok bool, err error)
	// DecodeTagged turns {"$tag": v} back; ok = false leaves it the table it is.
	DecodeTagged func(tag string, v lua.LValue) (value lua.LValue, ok bool)

	l        *lua.LState
	charge   func(int64)
	complete func(*lua.LTable) // State.Complete
	maxBytes int
	null     *lua.LUserData
	array    *lua.LTable // metatable of json.array(t); this one and the next two are made when they are needed
	object   *lua.LTable // metatable of json.object(t)
	hint     *lua.LTable // metatable of a decoded {}: an object as long as it is empty
	enc      *encoder    // spare ones; nil while in use (a hook may encode)
	dec      *decoder
}

const (
	// MaxDepth is how many tables may be nested in a value.
	MaxDepth = 200
	// MaxBytes is the longest JSON text of one value, unless Limits.StringBytes is smaller.
	MaxBytes = 16 << 20
	// bytesPerCharge is how much text one unit of budget pays for.
	bytesPerCharge = 16

	typeField   = "__jsontype"
	lengthField = "__jsonlength"
)

// reserved are the tags of values that JSON has no form for.
var reserved = [...]string{"bytes", "error"}

// newValues prepares the metatables in l; charge gets the size of what is written and read.
func newValues(l *lua.LState, maxBytes int, charge func(int64)) Values {
	if maxBytes <= 0 || maxBytes > MaxBytes {
		maxBytes = MaxBytes
	}
	return Values{l: l, charge: charge, maxBytes: maxBytes, null: &lua.LUserData{Metatable: standardModels().null}}
}

// nullModel is the metatable of null.
func nullModel() *lua.LTable {
	meta := NewTable()
	meta.RawSetString("__tostring", &lua.LFunction{IsG: true, GFunction: func(l *lua.LState) int { l.Push(lua.LString("null")); return 1 }})
	meta.RawSetString("__metatable", lua.LString("null"))
	return meta
}

func (v *Values) mark(kind string) *lua.LTable {
	t := v.l.CreateTable(0, 2)
	t.RawSetString(typeField, lua.LString(kind))
	return t
}

// Null is json.null, equal only to itself within one state.
func (v *Values) Null() lua.LValue { return v.null }

// MarkArray makes t an array whatever it holds; with n > 0 it has at least n items and missing ones are null.
func (v *Values) MarkArray(t *lua.LTable, n int) {
	if n == 0 {
		t.Metatable = v.marked(&v.array, "array")
		return
	}
	mark := v.mark("array")
	mark.RawSetString(lengthField, lua.LNumber(n))
	t.Metatable = mark
}

// MarkObject makes t an object even while it is empty.
func (v *Values) MarkObject(t *lua.LTable) { t.Metatable = v.marked(&v.object, "object") }

func (v *Values) marked(mark **lua.LTable, kind string) *lua.LTable {
	if *mark == nil {
		*mark = v.mark(kind)
	}
	return *mark
}

// Encode writes v as JSON; path names it in errors ("input"). Errors are *ValueError.
func (v *Values) Encode(value lua.LValue, path string) (json.RawMessage, error) {
	return v.EncodeText(value, path, Format{Tags: true})
}

// EncodeAll writes values as one JSON array; what names them in errors ("input", or "input[2]" when there are several).
func (v *Values) EncodeAll(values []lua.LValue, what string) (json.RawMessage, error) {
	e := v.encoder(Format{Tags: true})
	e.buf = append(e.buf, '[')
	for i, value := range values {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		if err := e.value(value); err != nil {
			if len(values) > 1 {
				err.under(indexStep(i + 1))
			}
			return nil, v.failed(e, err, what)
		}
	}
	e.buf = append(e.buf, ']')
	return v.finish(e), nil
}

// Format says how EncodeText writes.
type Format struct {
	Tags   bool   // write bytes and errors as tagged objects; without, JSON for others to read: bytes are errors
	Indent string // one level of indentation; empty: all on one line
	Sort   bool   // keys in byte order instead of the order of pairs
}

// EncodeText is Encode in another format.
func (v *Values) EncodeText(value lua.LValue, path string, f Format) (json.RawMessage, error) {
	e := v.encoder(f)
	if err := e.value(value); err != nil {
		return nil, v.failed(e, err, path)
	}
	return v.finish(e), nil
}

func (v *Values) encoder(f Format) *encoder {
	e := v.enc
	if e == nil {
		e = &encoder{values: v}
	}
	v.enc = nil
	if f.Indent != e.Indent {
		e.blank = ""
	}
	e.Format, e.buf, e.parents = f, e.buf[:0], e.parents[:0]
	return e
}

func (v *Values) finish(e *encoder) json.RawMessage {
	out := make([]byte, len(e.buf))
	copy(out, e.buf)
	v.release(e)
	v.charge(int64(1 + len(out)/bytesPerCharge))
	return out
}

func (v *Values) failed(e *encoder, err *ValueError, path string) error {
	v.charge(int64(1 + len(e.buf)/bytesPerCharge))
	v.release(e)
	err.Path = path + err.Path
	return err
}

// release keeps the buffers for the next call, unless one large value has made them large.
func (v *Values) release(e *encoder) {
	if cap(e.buf) > 64<<10 {
		e.buf = nil
	}
	clear(e.parents[:cap(e.parents)])
	v.enc = e
}
