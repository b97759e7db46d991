package history

// bufferChunk is how many events a Buffer allocates at once: 32 KB, the most that is cheap to allocate.
const bufferChunk = 256

// Buffer gathers events of which nobody knows how many come. A slice that grows would copy them several times. The zero
// value is empty.
type Buffer struct {
	full [][]Event // chunks before the last
	last []Event
}

// Add appends an event.
func (b *Buffer) Add(ev *Event) {
	if len(b.last) == bufferChunk {
		b.full = append(b.full, b.last)
		b.last = make([]Event, 0, bufferChunk)
	}
	b.last = append(b.last, *ev)
}

// Len is the number of events.
func (b *Buffer) Len() int { return len(b.full)*bufferChunk + len(b.last) }

// At is the i-th event, from 0.
func (b *Buffer) At(i int) *Event {
	if chunk := i / bufferChunk; chunk < len(b.full) {
		return &b.full[chunk][i%bufferChunk]
	}
	return &b.last[i%bufferChunk]
}

// Take empties the buffer and returns what was in it, in a slice of that size which is the caller's; nil for nothing.
func (b *Buffer) Take() []Event {
	if b.Len() == 0 {
		return nil
	}
	events := make([]Event, 0, b.Len())
	for _, chunk := range b.full {
		events = append(events, chunk...)
	}
	events = append(events, b.last...)
	clear(b.last)
	b.full, b.last = nil, b.last[:0]
	return events
}
