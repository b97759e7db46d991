package progress

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScreenRedrawsInPlace(t *testing.T) {
	var out bytes.Buffer
	columns := 80
	s := &Screen{Out: &out, Size: func() (int, int) { return columns, 24 }}
	step := func(act func()) string { out.Reset(); act(); return out.String() }

	require.Equal(t, "one\ntwo\n", step(func() { s.Draw([]string{"one", "two"}) }))
	require.Equal(t, "\x1b[2A\r\x1b[Jthree\n", step(func() { s.Draw([]string{"three"}) }))
	require.Equal(t, "\x1b[1A\r\x1b[J", step(s.Clear))
	require.Equal(t, "", step(s.Clear), "nothing is drawn any more")

	s.Draw([]string{"\x1b[32m0123456789\x1b[0m", "short"})
	columns = 5 // the first line now takes two rows
	require.Equal(t, "\x1b[3A\r\x1b[J", step(s.Clear))
}
