package vm

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// What values cost besides the length of their text, in instructions.
const (
	valueCost  = 6
	itemsCost  = 5 // of an array
	fieldCost  = 5 // written
	objectCost = 30
	entryCost  = 10 // read: a field of an object

	marginPerCharge = 4 // bytes
)

// encoder appends JSON by hand: reflection would cost more than all the rest of a small activity.
type encoder struct {
	Format
	values  *Values
	buf     []byte
	parents []*lua.LTable // the tables around the one being written: depth and cycles
	blank   string        // Indent as often as has been needed, and more
}

func (e *encoder) value(v lua.LValue) *ValueError {
	e.values.charge(valueCost)
	switch v := v.(type) {
	case lua.LString:
		return e.text(string(v))
	case lua.LNumber:
		return e.number(float64(v))
	case *lua.LTable:
		return e.table(v)
	case lua.LBool:
		e.buf = strconv.AppendBool(e.buf, bool(v))
	case *lua.LNilType:
		e.buf = append(e.buf, "null"...)
	case *lua.LUserData:
		return e.userdata(v)
	case *lua.LFunction:
		return e.foreign("a function")
	case *lua.LState:
		return e.foreign("a coroutine")
	default:
		return e.foreign("a " + v.Type().String())
	}
	return nil
}

func (e *encoder) foreign(what string) *ValueError {
	if !e.Tags {
		return problem("%s cannot be written as JSON: only nil, booleans, numbers, strings and tables of them can", what)
	}
	return problem("%s cannot leave the run: only nil, booleans, numbers, strings and tables of them can", what)
}

func (e *encoder) number(f float64) *ValueError {
	const exact = 1 << 53
	abs := math.Abs(f)
	switch {
	case abs <= exact && f == math.Trunc(f) && (f != 0 || !math.Signbit(f)):
		e.buf = strconv.AppendInt(e.buf, int64(f), 10)
	case math.IsNaN(f) || math.IsInf(f, 0):
		return problem("%s is not a number that JSON knows", strconv.FormatFloat(f, 'g', -1, 64))
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		e.buf = strconv.AppendFloat(e.buf, f, 'e', -1, 64)
	case f == math.Trunc(f):
		e.buf = strconv.AppendFloat(e.buf, f, 'f', 0, 64) // all digits: the shortest text would be another integer
	default:
		e.values.charge(numberCost)
		e.buf = strconv.AppendFloat(e.buf, f, 'f', -1, 64)
	}
	return nil
}

func (e *encoder) text(s string) *ValueError {
	if len(s) > e.values.maxBytes {
		return e.tooLong()
	}
	e.values.charge(int64(len(s) / bytesPerCharge))
	if utf8.ValidString(s) {
		e.buf = appendText(e.buf, s)
		return nil
	}
	if !e.Tags {
		return problem("a string that is not UTF-8 text cannot be written as JSON: encode its bytes first (hex, base64)")
	}
	e.buf = append(e.buf, `{"$bytes":"`...)
	e.buf = base64.StdEncoding.AppendEncode(e.buf, []byte(s))
	e.buf = append(e.buf, `"}`...)
	return nil
}

func (e *encoder) tooLong() *ValueError {
	return problem("the value is longer than %d bytes as JSON: pass a file name or a URL instead", e.values.maxBytes)
}

func (e *encoder) userdata(ud *lua.LUserData) *ValueError {
	if ud == e.values.null {
		e.buf = append(e.buf, "null"...)
		return nil
	}
	if e.values.EncodeUserdata == nil {
		return e.foreign("a userdata")
	}
	// Userdata may hold each other (the causes of errors): the depth bounds that too.
	if len(e.parents) >= MaxDepth {
		return e.tooDeep()
	}
	tag, v, ok, err := e.values.EncodeUserdata(ud)
	if err != nil {
		return problem("%s", err.Error())
	}
	if !ok {
		return e.foreign("a userdata")
	}
	e.parents = append(e.parents, nil)
	defer func() { e.parents = e.parents[:len(e.parents)-1] }()
	if tag == "" || !e.Tags {
		return e.value(v)
	}
	e.buf = append(e.buf, `{"$`...)
	e.buf = append(e.buf, tag...)
	e.buf = append(e.buf, `":`...)
	if err := e.value(v); err != nil {
		return err
	}
	e.buf = append(e.buf, '}')
	return nil
}

const hexDigits = "0123456789abcdef"

// appendText appends valid UTF-8 as a JSON string.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
