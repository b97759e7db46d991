package scheduler

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

const (
	foldAfter  = 3  // equal segments in a row that are still written out
	digestFrom = 64 // segments; beyond it the front of a path is replaced by its digest
)

// place is a position in the tree (rule 10): the path of the thing above and a number within it. Equal segments in a
// row share one place, and very deep paths begin with a digest, so that recursion through branches costs neither memory
// nor ever longer operation names.
type place struct {
	above  *place
	text   string // built when first asked for; "" = not yet
	number int32
	run    int32 // how many times the segment occurs in a row
	depth  int32
	letter byte // 't', 'c', 'f' for the bodies of a scope, '@' for attached branches, 0 else
}

func newPlace(above *place, number int32, letter byte) *place {
	if above == nil {
		return &place{number: number, letter: letter, run: 1, depth: 1}
	}
	if above.number == number && above.letter == letter && above.run > 0 {
		return &place{above: above.above, number: number, letter: letter, run: above.run + 1, depth: above.depth}
	}
	if above.depth >= digestFrom {
		sum := sha256.Sum256([]byte(above.path()))
		above = &place{text: "~" + hex.EncodeToString(sum[:10])}
	}
	return &place{above: above, number: number, letter: letter, run: 1, depth: above.depth + 1}
}

func (p *place) path() string {
	if p == nil {
		return ""
	}
	if p.text == "" {
		segment := p.segment()
		switch {
		case p.run <= foldAfter:
			segment = strings.Repeat(segment, int(p.run))
		default:
			segment += "*" + strconv.Itoa(int(p.run))
		}
		p.text = p.above.path() + segment
	}
	return p.text
}

func (p *place) segment() string {
	number := strconv.Itoa(int(p.number))
	switch p.letter {
	case 0:
		return "/" + number
	case '@':
		return "@" + number
	}
	return "/" + number + string(p.letter)
}
