package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/stdlib"
)

// made writes a project.
func made(t *testing.T) string {
	folder := t.TempDir()
	files, err := Files(stdlib.Declarations())
	require.NoError(t, err)
	for _, f := range files {
		outcome, err := f.Write(folder, false)
		require.NoError(t, err)
		require.Equal(t, Made, outcome, f.Path)
	}
	return folder
}

// TestLuacheck: luacheck has nothing to say of a new project and of the scripts, and finds what is misspelt.
func TestLuacheck(t *testing.T) {
	luacheck, err := exec.LookPath("luacheck")
	if err != nil {
		t.Skip("luacheck is not installed (Debian's lua-check): it was not asked")
	}
	folder := made(t)
	check := func(args ...string) (string, error) {
		c := exec.Command(luacheck, append([]string{"--no-color", "--codes", "--no-cache", "--config", filepath.Join(folder, ".luacheckrc")}, args...)...)
		c.Dir = folder
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := check(".")
	require.NoError(t, err, out)
	require.NotContains(t, out, "types", "the types are left out")
	require.NoError(t, os.CopyFS(filepath.Join(folder, "scripts"), os.DirFS("../../../scripts")))
	out, err = check("scripts")
	require.NoError(t, err, out)
	require.Contains(t, out, "payment.lua")
	require.Contains(t, out, "_spec.lua")

	wrong := filepath.Join(folder, "wrong.lua")
	require.NoError(t, os.WriteFile(wrong, []byte("print(string.fomat('x'), math.pi)\nprimt(1)\ndescribe('x')\nos.nothing()\n"), 0o644))
	out, err = check(wrong)
	require.Error(t, err)
	for _, text := range []string{"undefined field 'fomat'", "undefined variable 'primt'", "undefined variable 'describe'", "undefined field 'nothing'"} {
		require.Contains(t, strings.ReplaceAll(out, "of global", ""), text)
	}
	require.NotContains(t, out, "'pi'")
}

func TestWrite(t *testing.T) {
	folder := made(t)
	file := File{Path: "order.lua", Text: "mine"}
	outcome, err := file.Write(folder, false)
	require.NoError(t, err)
	require.Equal(t, Kept, outcome)
	outcome, err = file.Write(folder, true)
	require.NoError(t, err)
	require.Equal(t, Replaced, outcome)
	outcome, err = file.Write(folder, false)
	require.NoError(t, err)
	require.Equal(t, Same, outcome)

	types := File{Path: "types/flow.d.lua", Text: "newer", Generated: true}
	outcome, err = types.Write(folder, false)
	require.NoError(t, err)
	require.Equal(t, Replaced, outcome, "it was written by flowlua types")
	outcome, err = (&File{Path: "types/flow.d.lua", Text: "newest", Generated: true}).Write(folder, false)
	require.NoError(t, err)
	require.Equal(t, Kept, outcome, "somebody has written it")
	_, err = (&File{Path: "order.lua/x"}).Write(folder, false)
	require.ErrorContains(t, err, "order.lua")
}
