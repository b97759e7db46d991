package history_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

func TestBuffer(t *testing.T) {
	var b history.Buffer
	for _, n := range []int{0, 1, 3, 255, 256, 257, 512, 1000, 2} {
		for i := range n {
			b.Add(&history.Event{Op: strconv.Itoa(i)})
		}
		require.Equal(t, n, b.Len())
		for i := range n {
			require.Equal(t, strconv.Itoa(i), b.At(i).Op)
		}
		events := b.Take()
		require.Len(t, events, n)
		require.Equal(t, n, cap(events))
		require.Zero(t, b.Len())
		b.Add(&history.Event{Op: "later"})
		for i := range events {
			require.Equal(t, strconv.Itoa(i), events[i].Op, "what was taken is not written to")
		}
		b.Take()
	}
}
