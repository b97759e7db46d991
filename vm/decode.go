package vm

import (
	"encoding/base64"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Decode reads one JSON text, as Encode writes it. null is nil. Errors are *JSONError.
func (v *Values) Decode(data []byte) (lua.LValue, error) {
	d := v.decoder(string(data), Reading{Tags: true})
	value, err := d.document()
	v.put(d)
	if err != nil {
		return nil, err
	}
	return value, nil
}

// DecodeAll reads a JSON array into its values; null is nil here, as these are arguments or results.
func (v *Values) DecodeAll(data []byte) ([]lua.LValue, error) {
	d := v.decoder(string(data), Reading{Tags: true})
	values, err := d.values()
	v.put(d)
	if err != nil {
		return nil, err
	}
	return values, nil
}

// Reading says how DecodeText reads.
type Reading struct {
	Tags     bool // read tagged objects as bytes and errors
	KeepNull bool // null in an object is json.null instead of an absent field
}

// DecodeText is Decode with choices.
func (v *Values) DecodeText(text string, r Reading) (lua.LValue, error) {
	d := v.decoder(text, r)
	value, err := d.document()
	v.put(d)
	if err != nil {
		return nil, err
	}
	return value, nil
}

// decoder is a strict parser (RFC 8259) that builds Lua tables in their final size: items wait on the stack until
// their table is complete.
type decoder struct {
	Reading
	owner *Values
	text  string
	pos   int
	depth int
	stack []lua.LValue
	buf   []byte // a string with escapes
}

// sharedText is the length up to which the strings of a document may share its memory. Beyond, one small string
// would keep a large document alive.
const sharedText = 4 << 10

func (v *Values) decoder(text string, r Reading) *decoder {
	v.charge(int64(1 + len(text)/bytesPerCharge))
	d := v.dec
	if d == nil {
		d = &decoder{owner: v}
	}
	v.dec = nil
	d.Reading, d.text, d.pos, d.depth, d.stack = r, text, 0, 0, d.stack[:0]
	return d
}

func (v *Values) put(d *decoder) {
	d.text = ""
	d.pop(0)
	if cap(d.stack) > 4096 {
		d.stack = nil
	}
	if cap(d.buf) > sharedText {
		d.buf = nil
	}
	v.dec = d
}

func (d *decoder) document() (lua.LValue, error) {
	value, err := d.value()
	if err == nil {
		err = d.finish()
	}
	if err != nil {
		return nil, err
	}
	if value == d.owner.null {
		return lua.LNil, nil
	}
	return value, nil
}

func (d *decoder) values() ([]lua.LValue, error) {
	if d.space(); d.peek() != '[' {
		return nil, d.unexpected("an array of values")
	}
	if _, err := d.items(); err != nil {
		return nil, err
	}
	if err := d.finish(); err != nil {
		return nil, err
	}
	values := make([]lua.LValue, len(d.stack))
	for i, value := range d.stack {
		if value == d.owner.null {
			value = lua.LNil
		}
		values[i] = value
	}
	d.pop(0)
	return values, nil
}

// value reads what is next; null comes as json.null.
func (d *decoder) value() (lua.LValue, error) {
	d.owner.charge(valueCost)
	d.space()
	switch c := d.peek(); c {
	case '"':
		s, err := d.str()
		return lua.LString(s), err
	case '{':
		return d.object()
	case '[':
		return d.array()
	case 't':
		return lua.LTrue, d.word("true")
	case 'f':
		return lua.LFalse, d.word("false")
	case 'n':
		return d.owner.null, d.word("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return d.number()
		}
		return nil, d.unexpected("a value")
	}
}

func (d *decoder) array() (lua.LValue, error) {
	base, err := d.items()
	if err != nil {
		return nil, err
	}
	n := len(d.stack) - base
	d.owner.charge(itemsCost)
	t := d.owner.l.CreateTable(n, 0)
	for _, value := range d.stack[base:] {
		t.Append(value)
	}
	d.pop(base)
	return t, nil
}

// items reads an array onto the stack and says where it begins there.
func (d *decoder) items() (int, error) {
	if err := d.enter(); err != nil {
		return 0, err
	}
	base := len(d.stack)
	if d.space(); d.peek() == ']' {
		d.leave()
		return base, nil
	}
	for {
		value, err := d.value()
		if err != nil {
			return 0, err
		}
		d.stack = append(d.stack, value)
		switch d.space(); d.peek() {
		case ',':
			d.pos++
		case ']':
			d.leave()
			return base, nil
		default:
			return 0, d.unexpected("',' or ']'")
		}
	}
}

func (d *decoder) object() (lua.LValue, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	base := len(d.stack)
	for d.space(); d.peek() != '}' || len(d.stack) > base; d.space() {
		if d.peek() != '"' {
			return nil, d.unexpected("a field name in double quotes")
		}
		key, err := d.str()
		if err != nil {
			return nil, err
		}
		if d.space(); d.peek() != ':' {
			return nil, d.unexpected("':'")
		}
		d.pos++
		value, err := d.value()
		if err != nil {
			return nil, err
		}
		d.stack = append(d.stack, lua.LString(key), value)
		if d.space(); d.peek() == '}' {
			break
		}
		if d.peek() != ',' {
			return nil, d.unexpected("',' or '}'")
		}
		d.pos++
	}
	d.leave()
	return d.build(base), nil
}

// build makes a table of the keys and values from base on.
func (d *decoder) build(base int) lua.LValue {
	fields := d.stack[base:]
	if len(fields) == 2 && d.Tags {
		if value := d.tagged(fields); value != nil {
			d.pop(base)
			return value
		}
	}
	d.owner.charge(objectCost + int64(len(fields)/2)*entryCost)
	t := d.owner.l.CreateTable(0, len(fields)/2)
	for i := 0; i < len(fields); i += 2 {
		value := fields[i+1]
		if value == d.owner.null && !d.KeepNull {
			value = lua.LNil
		}
		t.RawSetString(string(fields[i].(lua.LString)), value)
	}
	if key, _ := t.Next(lua.LNil); key == lua.LNil {
		t.Metatable = d.owner.marked(&d.owner.hint, "object")
	}
	d.pop(base)
	return t
}

// tagged is the value of an object with one reserved key, or nil. It takes a $ off a key that only looks like one.
func (d *decoder) tagged(field []lua.LValue) lua.LValue {
	key := string(field[0].(lua.LString))
	if !looksTagged(key) {
		return nil
	}
	if strings.HasPrefix(key, "$$") {
		field[0] = lua.LString(key[1:])
		return nil
	}
	if key == "$bytes" {
		text, _ := field[1].(lua.LString)
		data, err := base64.StdEncoding.Strict().DecodeString(string(text))
		if field[1].Type() != lua.LTString || err != nil {
			return nil
		}
		return lua.LString(data)
	}
	if d.owner.DecodeTagged == nil {
		return nil
	}
	value, ok := d.owner.DecodeTagged(key[1:], field[1])
	if !ok {
		return nil
	}
	return value
}

// pop drops what lies on the stack from base on, and the references to it.
func (d *decoder) pop(base int) {
	clear(d.stack[base:])
	d.stack = d.stack[:base]
}
