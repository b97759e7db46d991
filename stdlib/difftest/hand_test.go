package difftest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// TestByHand runs programs of other kinds than the generator makes. The texts expected are what lua5.1 prints, with TZ=UTC,
// save for addresses and the sign of nan:
//
//	cd testdata && for f in *.lua; do TZ=UTC lua5.1 $f | sed -E 's/0x[0-9a-f]{6,}/ADDR/g; s/-nan/nan/g' > ${f%.lua}.expected; done
func TestByHand(t *testing.T) {
	files, err := filepath.Glob("testdata/*.lua")
	require.NoError(t, err)
	require.Greater(t, len(files), 60)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			want, err := os.ReadFile(strings.TrimSuffix(file, ".lua") + ".expected")
			require.NoError(t, err)
			got, err := runByHand(t, filepath.Base(file), string(source))
			require.NoError(t, err)
			got = regexp.MustCompile("0x[0-9a-f]{6,}").ReplaceAllString(got, "ADDR")
			require.Equal(t, string(want), strings.ReplaceAll(got, "-nan", "nan"))
		})
	}
}

func runByHand(t *testing.T, name, source string) (string, error) {
	var out strings.Builder
	s := vm.New(vm.Config{Limits: vm.Limits{Instructions: 1e9}, Print: func(line string) { out.WriteString(line + "\n") }})
	t.Cleanup(s.Close)
	stdlib.OpenString(s)
	stdlib.OpenTable(s)
	stdlib.OpenMath(s, nil)
	now := func() time.Time { return time.Unix(1e9, 0) }
	stdlib.OpenOS(s, now(), now)
	io := s.Main().CreateTable(0, 1)
	io.RawSetString("write", s.Func("write", func(l *lua.LState) int {
		for i := range l.GetTop() {
			fmt.Fprint(&out, s.ToString(l, l.Get(i+1)))
		}
		return 0
	}))
	s.Globals().RawSetString("io", io)
	chunk, err := vm.Compile(name, source, vm.Limits{})
	if err != nil {
		return "", err
	}
	_, err = s.Call(s.Load(chunk))
	return out.String(), err
}
