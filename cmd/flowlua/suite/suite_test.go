package suite

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/flowlua/flowlua/workflow/flowtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// folder has files by name.
func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func TestFind(t *testing.T) {
	t.Chdir(folder(t, map[string]string{"a_spec.lua": "", "deep/b_spec.lua": "", ".git/c_spec.lua": "", "d.lua": "", "e:7_spec.lua": ""}))
	found, err := Find([]string{".", "a_spec.lua:3"})
	require.NoError(t, err)
	require.Equal(t, []Place{{Path: "a_spec.lua"}, {Path: "deep/b_spec.lua"}, {Path: "e:7_spec.lua"}}, found, "all of a file is more than a line of it")
	found, err = Find([]string{"a_spec.lua:3", "./a_spec.lua:5"})
	require.NoError(t, err)
	require.Equal(t, []Place{{"a_spec.lua", []int{3, 5}}}, found)
	for _, wrong := range []string{"nowhere", "d.lua", "nowhere:3"} {
		_, err = Find([]string{wrong})
		require.Error(t, err, wrong)
	}
}

func TestRoots(t *testing.T) {
	t.Chdir(folder(t, map[string]string{"lib/x/init.lua": "", "lib/spec/a_spec.lua": ""}))
	require.Equal(t, "lib", Root("lib/spec/a_spec.lua"))
	require.Equal(t, "lib", Root("lib/a_spec.lua"))
	require.Equal(t, "lib", RootAbove("lib/spec", errors.New("module 'x' not found:")))
	require.Equal(t, ".", RootAbove("lib/spec", errors.New("module 'lib.x' not found:")))
	require.Empty(t, RootAbove("lib/spec", errors.New("module 'y' not found:")))
	require.Empty(t, RootAbove("lib/spec", errors.New("no")))
	t.Chdir("lib/spec")
	require.Equal(t, "..", Root("a_spec.lua"))
	f := Open(Place{Path: "a_spec.lua"})
	require.NoError(t, f.Err)
	require.Equal(t, "a_spec.lua", f.Shown("spec/a_spec.lua"))
}

func TestChanges(t *testing.T) {
	dir := folder(t, map[string]string{"a.lua": "1", "b.txt": "1", ".git/c.lua": "1"})
	var c Changes
	look := func() bool { return c.Look([]string{dir}) }
	require.False(t, look(), "at the first look nothing has changed")
	require.False(t, look())
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("b.txt", "22")
	write(".git/c.lua", "22")
	require.False(t, look(), "only scripts count")
	write("a.lua", "22")
	require.True(t, look())
	write("d.lua", "1")
	require.True(t, look())
	require.NoError(t, os.Remove(filepath.Join(dir, "a.lua")))
	require.True(t, look())
	require.NoError(t, os.Chtimes(filepath.Join(dir, "d.lua"), time.Time{}, time.Unix(1, 0)))
	require.True(t, look())
	require.False(t, look())
}

// kept is a reporter that remembers.
type kept struct {
	titles  []string
	summary Summary
	test    func()
}

func (k *kept) Begin(Plan)   {}
func (k *kept) Broken(*File) {}
func (k *kept) Test(_ *File, r *flowtest.Result) {
	k.titles = append(k.titles, r.Test.Title())
	if k.test != nil {
		k.test()
	}
}
func (k *kept) End(s Summary) { k.summary = s }

const four = `it("a", function() end) it("b", function() error("no") end) it("c", function() end) it("d", function() end)`

func TestInterrupted(t *testing.T) {
	dir := folder(t, map[string]string{"a_spec.lua": four})
	interrupts := make(chan os.Signal)
	k := &kept{}
	k.test = func() {
		if len(k.titles) == 2 {
			close(interrupts)
		}
	}
	f := Open(Place{Path: filepath.Join(dir, "a_spec.lua")})
	s := Run([]*File{f}, Config{Interrupts: interrupts}, k)
	require.True(t, s.Interrupted || s.Skipped == 0, "it came too late")
	require.Equal(t, 4, s.Passed+s.Failed+s.Skipped)
}

func TestParallel(t *testing.T) {
	dir := folder(t, map[string]string{"a_spec.lua": four})
	f := Open(Place{Path: filepath.Join(dir, "a_spec.lua")})
	for range 20 {
		k := &kept{}
		s := Run([]*File{f}, Config{Parallel: 4}, k)
		require.Equal(t, []string{"a", "b", "c", "d"}, k.titles, "in order, whichever ends first")
		require.Equal(t, Summary{Passed: 3, Failed: 1, Took: s.Took}, s)
		k = &kept{}
		s = Run([]*File{f}, Config{Parallel: 4, FailFast: true}, k)
		require.Equal(t, []string{"a", "b"}, k.titles)
		require.Equal(t, 2, s.Skipped)
	}
}
