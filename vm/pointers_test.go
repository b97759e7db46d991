package vm

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPointers(t *testing.T) {
	cells := make([]int64, 3000)
	rapid.Check(t, func(t *rapid.T) {
		var p pointers
		if n := rapid.IntRange(-1, 1000).Draw(t, "expected"); n >= 0 {
			p.expect(n)
		}
		known := map[int]bool{}
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(cells)-1), 0, 500).Draw(t, "added") {
			require.Equal(t, !known[i], p.add(unsafe.Pointer(&cells[i])))
			known[i] = true
		}
		require.Equal(t, len(known), p.n)
		for i := range known {
			require.False(t, p.add(unsafe.Pointer(&cells[i])))
		}
	})
}
