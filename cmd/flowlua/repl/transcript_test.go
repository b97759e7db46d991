package repl

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/flowlua/flowlua/vm"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestTranscripts types the transcripts in testdata. Each is a txtar archive: the transcript, then files that it uses.
func TestTranscripts(t *testing.T) {
	typeAll(t, "testdata/*.txt", func(t *testing.T, archive *txtar.Archive) typist {
		return func(t *testing.T, part Part) (string, error) {
			for _, f := range archive.Files {
				require.NoError(t, os.MkdirAll(filepath.Dir(f.Name), 0o755))
				require.NoError(t, os.WriteFile(f.Name, f.Data, 0o644))
			}
			return part.Run(testConfig())
		}
	})
}

// typist types a part of a transcript in an empty folder, and gives it as it came out.
type typist func(t *testing.T, part Part) (string, error)

// typeAll types the transcripts of the files, each with a typist of its own.
func typeAll(t *testing.T, pattern string, open func(*testing.T, *txtar.Archive) typist) {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name, err := filepath.Abs(file)
		require.NoError(t, err)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			parts, err := ParseTranscript(string(archive.Comment))
			require.NoError(t, err)
			run := open(t, archive)
			var rewritten []string
			for _, part := range parts {
				t.Run(part.Heading, func(t *testing.T) {
					t.Chdir(t.TempDir())
					got, err := run(t, part)
					rewritten = append(rewritten, got)
					if !*update || err != nil && strings.Contains(err.Error(), "not complete") {
						require.NoError(t, err, "%s, part at line %d", file, part.Line)
					}
				})
			}
			if *update {
				archive.Comment = []byte(strings.Join(rewritten, "\n") + "\n")
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o644))
			}
		})
	}
}

// testConfig is a session in which real time does not pass, with an editor that writes 2 for 1.
func testConfig() Config {
	return Config{
		Limits: vm.Limits{Instructions: 2e6, Turn: time.Hour, Memory: 8 << 20, StringBytes: 1 << 20}, // not those of the clock
		Pause:  func(time.Duration, <-chan os.Signal) bool { return true },
		Edit: func(file string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "1 + 1", "2 + 2")), 0o644)
		},
	}
}
