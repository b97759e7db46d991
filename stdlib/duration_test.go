package stdlib

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
)

func TestDurations(t *testing.T) {
	for _, test := range []struct {
		in    lua.LValue
		want  time.Duration
		wrong string
	}{
		{in: lua.LNumber(0)},
		{in: lua.LNumber(1.5), want: 1500 * time.Millisecond},
		{in: lua.LNumber(1e-9), want: 1},
		{in: lua.LString("250ms"), want: 250 * time.Millisecond},
		{in: lua.LString("1m30s"), want: 90 * time.Second},
		{in: lua.LString("2h"), want: 2 * time.Hour},
		{in: lua.LString("7d"), want: 7 * 24 * time.Hour},
		{in: lua.LString("1d12h"), want: 36 * time.Hour},
		{in: lua.LString("0.5d"), want: 12 * time.Hour},
		{in: lua.LString("0"), want: 0},
		{in: lua.LNumber(-1), wrong: "0 or more seconds, got -1"},
		{in: lua.LNumber(1e300), wrong: "at most 100 years"},
		{in: lua.LString("36501d"), wrong: "at most 100 years"},
		{in: lua.LString("-5s"), wrong: `such as 1.5, "250ms"`},
		{in: lua.LString("5"), wrong: `got "5"`},
		{in: lua.LString("5 minutes"), wrong: `got "5 minutes"`},
		{in: lua.LString("1h1d"), wrong: `got "1h1d"`},
		{in: lua.LString(""), wrong: `got ""`},
		{in: lua.LTrue, wrong: "expects a duration (seconds, or text such as \"1m30s\"), got boolean"},
		{in: lua.LNil, wrong: "got nil"},
	} {
		got, err := toDuration(test.in)
		if test.wrong != "" {
			require.ErrorContains(t, err, test.wrong, "%v", test.in)
			continue
		}
		require.NoError(t, err, "%v", test.in)
		require.Equal(t, test.want, got, "%v", test.in)
	}
}
