package spec_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/cmd/flowlua/repl"
	"github.com/flowlua/flowlua/vm"
)

// TestTranscripts types the transcripts of the chapters and of the README: each block is a session.
func TestTranscripts(t *testing.T) {
	found := 0
	for _, file := range append(chapters(t), "../README.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		lines := strings.Split(string(text), "\n")
		for i := 0; i < len(lines); i++ {
			if lines[i] != "```repl" {
				continue
			}
			transcript, end := block(lines, i+1)
			parts, err := repl.ParseTranscript(transcript)
			require.NoError(t, err, "%s:%d", file, i+1)
			for _, part := range parts {
				t.Run(fmt.Sprintf("%s:%d", file, i+1), func(t *testing.T) {
					_, err := part.Run(repl.Config{Limits: vm.Limits{Instructions: 1e6, Turn: time.Hour}})
					require.NoError(t, err)
				})
				found++
			}
			i = end
		}
	}
	require.Greater(t, found, 5)
}
