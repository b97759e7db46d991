package vm

import "unsafe"

// pointers is a set of addresses of values that something else keeps: a table of twice as many places, gone through from where
// its hash says. It is half of what a map costs, where nothing else is done but this.
type pointers struct {
	places []uintptr // 0: free
	n      int
	shift  int // of the hash, to a place
}

// expect makes room for n before they come.
func (p *pointers) expect(n int) {
	p.shift = 64 - 6
	for 1<<(64-p.shift) < 2*n {
		p.shift--
	}
	p.places = make([]uintptr, 1<<(64-p.shift))
}

// add reports whether the address was not there.
func (p *pointers) add(address unsafe.Pointer) bool {
	if 2*p.n >= len(p.places) {
		p.grow()
	}
	if !p.put(uintptr(address)) {
		return false
	}
	p.n++
	return true
}

func (p *pointers) put(address uintptr) bool {
	const golden = 0x9e3779b97f4a7c15 // Knuth's multiplicative hashing: addresses are multiples of 8 or more
	mask := len(p.places) - 1
	for i := int(uint64(address) * golden >> p.shift); ; i = (i + 1) & mask {
		switch p.places[i] {
		case 0:
			p.places[i] = address
			return true
		case address:
			return false
		}
	}
}

func (p *pointers) grow() {
	old := p.places
	p.expect(max(p.n*2, 32))
	for _, address := range old {
		if address != 0 {
			p.put(address)
		}
	}
}
