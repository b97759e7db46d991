package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLimitFlags(t *testing.T) {
	var l limitFlags
	for _, text := range []string{"instructions=1e9", "Memory=256MB", "turn=30s", "call_depth=100", "StringBytes=2KB", "table_size=1000"} {
		require.NoError(t, l.Set(text))
	}
	require.Equal(t, limitFlags{Instructions: 1e9, Memory: 256 << 20, Turn: 30 * time.Second, CallDepth: 100, StringBytes: 2048, TableSize: 1000}, l)
	for text, message := range map[string]string{
		"instructions":       `expected NAME=VALUE, such as instructions=1e9, found "instructions"`,
		"instruction=1":      `there is no limit "instruction" (did you mean 'instructions'?); there are call_depth, `,
		"turn=1":             `limit turn: expected a duration above zero, such as 30s, found "1"`,
		"memory=-1":          `limit memory: expected a number above zero, such as 1000, 1e9 or 256MB, found "-1"`,
		"memory=lots":        `found "lots"`,
		"instructions=1e300": `found "1e300"`,
	} {
		require.ErrorContains(t, l.Set(text), message)
	}
}
