package scripts_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua"
)

// tree makes a directory with a few files, and says what its manifest is.
func tree(t *testing.T) (directory, manifest string) {
	t.Helper()
	directory = t.TempDir()
	for _, file := range []string{"a.txt", "b/c.txt", "b/d/e.txt", "z"} {
		path := filepath.Join(directory, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("content of "+file), 0o644))
		manifest += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte("content of "+file)), file)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(directory, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(directory, ".git", "config"), nil, 0o644))
	return directory, manifest
}

func TestChecksums(t *testing.T) {
	directory, want := tree(t)
	manifest := filepath.Join(t.TempDir(), "manifest")
	input, err := json.Marshal(map[string]any{"directory": directory, "manifest": manifest, "at_once": 2})
	require.NoError(t, err)
	r := runNow(t, "checksums.lua", "checksums", string(input))
	require.NoError(t, r.err)
	require.JSONEq(t, fmt.Sprintf(`{"files": 4, "bytes": 66, "manifest": %q}`, manifest), r.result)
	require.Regexp(t, `^4 files, 0\.0 MB in \d+\.\d s\n$`, r.printed)
	text, err := os.ReadFile(manifest)
	require.NoError(t, err)
	require.Equal(t, want, string(text))
	require.NoFileExists(t, manifest+".part")
}

// Given a directory alone, the manifest is not put into it.
func TestChecksumsLeavesTheDirectoryAlone(t *testing.T) {
	directory, want := tree(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	input, err := json.Marshal(directory)
	require.NoError(t, err)
	r := runNow(t, "checksums.lua", "checksums", string(input))
	require.NoError(t, r.err)
	var result struct{ Manifest string }
	require.NoError(t, json.Unmarshal([]byte(r.result), &result))
	require.Equal(t, temporary, filepath.Dir(result.Manifest))
	text, err := os.ReadFile(result.Manifest)
	require.NoError(t, err)
	require.Equal(t, want, string(text))
}

func TestChecksumsOfNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := runNow(t, "checksums.lua", "checksums", `"no/such/directory"`)
	var failed *flowlua.Error
	require.ErrorAs(t, r.err, &failed)
	require.Equal(t, "FileError", failed.Name)
	require.True(t, failed.Matches("NotFound"))
}
