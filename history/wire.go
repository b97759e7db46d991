package history

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/fxamacker/cbor/v2"
)

var cborWriter, cborReader = modes() // immutable

func modes() (cbor.UserBufferEncMode, cbor.DecMode) {
	w, err := cbor.EncOptions{Sort: cbor.SortBytewiseLexical, ShortestFloat: cbor.ShortestFloat16}.UserBufferEncMode()
	if err != nil {
		panic(err)
	}
	r, err := cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		MaxNestedLevels:   2*maxCauses + 16,
		MaxArrayElements:  math.MaxInt32,
		MaxMapPairs:       math.MaxInt32,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField, // nothing that was written is lost in silence
		UTF8:              cbor.UTF8DecodeInvalid,         // strings of scripts are any bytes
	}.DecMode()
	if err != nil {
		panic(err)
	}
	return w, r
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func encode(v any) ([]byte, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteByte(Format)
	if err := cborWriter.MarshalToBuffer(v, b); err != nil {
		return nil, fmt.Errorf("history: cannot encode: %w", err)
	}
	return bytes.Clone(b.Bytes()), nil
}

func decode(data []byte, v any, what string) error {
	switch {
	case len(data) == 0:
		return fmt.Errorf("history: not a stored %s: it is empty", what)
	case data[0] > Format:
		return fmt.Errorf("history: a %s is written in format %d by a newer release, this one reads up to %d: use the newer one", what, data[0], Format)
	case data[0] < 1:
		return fmt.Errorf("history: not a stored %s: it begins with format %d, formats begin with 1", what, data[0])
	}
	if err := cborReader.Unmarshal(data[1:], v); err != nil {
		return fmt.Errorf("history: not a stored %s: %w", what, err)
	}
	return nil
}

// instant is a time as nanoseconds since 1970, or as seconds and nanoseconds where those do not suffice. Times are UTC.
type instant struct{ time.Time }

// MarshalCBOR implements cbor.Marshaler.
func (t instant) MarshalCBOR() ([]byte, error) {
	if ns := t.UnixNano(); time.Unix(0, ns).Equal(t.Time) {
		return cborWriter.Marshal(ns)
	}
	return cborWriter.Marshal([2]int64{t.Unix(), int64(t.Nanosecond())})
}

// UnmarshalCBOR implements cbor.Unmarshaler.
func (t *instant) UnmarshalCBOR(data []byte) error {
	var ns int64
	if cborReader.Unmarshal(data, &ns) == nil {
		t.Time = time.Unix(0, ns).UTC()
		return nil
	}
	var parts []int64
	if err := cborReader.Unmarshal(data, &parts); err != nil || len(parts) != 2 || parts[1] < 0 || parts[1] >= int64(time.Second) {
		return errors.New("expected a time: nanoseconds, or seconds and nanoseconds")
	}
	t.Time = time.Unix(parts[0], parts[1]).UTC()
	return nil
}
