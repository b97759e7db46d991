package vm

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

// TestIdentitiesOfWhatIsGone: numbers are not kept for values that are gone, and those of others stay.
func TestIdentitiesOfWhatIsGone(t *testing.T) {
	var ids identities
	kept := &lua.LTable{}
	first := ids.text(kept)
	require.Equal(t, "table: 0x00000001", first)
	for range 20 {
		for range fewIdentities {
			ids.text(&lua.LTable{})
		}
		runtime.GC()
	}
	require.Less(t, len(ids.known), 4*fewIdentities)
	require.Equal(t, first, ids.text(kept))
	require.Equal(t, "table: 0x00001402", ids.text(&lua.LTable{}), "a number is given once")
	runtime.KeepAlive(kept)
}
