package scheduler

import (
	"fmt"
	"reflect"
	"slices"
)

// Frame is one line of a logical stack.
type Frame struct {
	Source   string
	Line     int
	Function string
}

// String is "source:line: function", or the separator as it is.
func (f Frame) String() string {
	if f.Source == "" {
		return f.Function
	}
	return fmt.Sprintf("%s:%d: %s", f.Source, f.Line, f.Function)
}

// Site is where something was started. It is captured by the caller and must be cheap: Frames is called only when a
// person looks. A Site that can tell cheaply that it is the same place as another has a method Same(Site) bool; others
// are compared with ==.
type Site interface{ Frames() []Frame }

// Continuation separates the frames of a branch from those of the place where it was started.
const Continuation = "---continuation---"

const (
	longestLineage = 128 // segments that are kept of how a branch came about
	keptLineage    = 64
	longestCycle   = 8 // segments of a repeated cycle that is recognised
)

// lineage is how something came about: its site, then its creator's, and so on to the root.
type lineage struct {
	site   Site
	repeat int // how many times in a row
	length int
	above  *lineage
}

func extend(above *lineage, site Site) *lineage {
	if site == nil {
		return above
	}
	if above == nil {
		return &lineage{site: site, repeat: 1, length: 1}
	}
	if sameSite(above.site, site) {
		return &lineage{site: site, repeat: above.repeat + 1, length: above.length, above: above.above}
	}
	if above.length >= longestLineage {
		above = above.cut(keptLineage)
	}
	return &lineage{site: site, repeat: 1, length: above.length + 1, above: above}
}

// cut copies the newest n segments, so that endless recursion through different places stays bounded.
func (l *lineage) cut(n int) *lineage {
	if l == nil || n == 0 {
		return &lineage{site: omitted{}, repeat: 1, length: 1}
	}
	rest := l.above.cut(n - 1)
	return &lineage{site: l.site, repeat: l.repeat, length: rest.length + 1, above: rest}
}

type omitted struct{}

// Frames says that older segments were forgotten.
func (omitted) Frames() []Frame { return []Frame{{Function: "... (older segments omitted)"}} }

func sameSite(a, b Site) bool {
	if s, ok := a.(interface{ Same(Site) bool }); ok {
		return s.Same(b)
	}
	t := reflect.TypeOf(a)
	return t == reflect.TypeOf(b) && t.Comparable() && a == b
}

type segment struct {
	frames []Frame
	repeat int
}

func (s segment) equal(o segment) bool {
	return s.repeat == o.repeat && slices.Equal(s.frames, o.frames)
}

// Trace is the logical stack of b (design.md section 3): frames, which the caller took where b stands or failed, then
// for every creator the separator "---continuation---" and the frames of the place where it started the next one.
// A segment, or a cycle of segments, that occurs N times in a row is written once, introduced by
// "---continuation---.(repeated:N)".
func (b *Branch) Trace(frames []Frame) []Frame {
	out := slices.Clone(frames)
	var segments []segment
	for l := extend(b.creators, b.site); l != nil; l = l.above {
		s := segment{l.site.Frames(), l.repeat}
		if n := len(segments); n > 0 && slices.Equal(segments[n-1].frames, s.frames) {
			segments[n-1].repeat += s.repeat
			continue
		}
		segments = append(segments, s)
	}
	for i := 0; i < len(segments); {
		length, times := cycle(segments[i:])
		for j := range length {
			repeat := segments[i+j].repeat
			if j == 0 {
				repeat *= times
			}
			out = append(out, separator(repeat))
			out = append(out, segments[i+j].frames...)
		}
		i += length * times
	}
	return out
}

// cycle finds the shortest cycle at the front of s that repeats.
func cycle(s []segment) (length, times int) {
	for length = 2; length <= longestCycle && 2*length <= len(s); length++ {
		times = 1
		for (times+1)*length <= len(s) &&
			slices.EqualFunc(s[:length], s[times*length:(times+1)*length], segment.equal) {
			times++
		}
		if times > 1 {
			return length, times
		}
	}
	return 1, 1
}

func separator(repeat int) Frame {
	if repeat == 1 {
		return Frame{Function: Continuation}
	}
	return Frame{Function: fmt.Sprintf("%s.(repeated:%d)", Continuation, repeat)}
}
