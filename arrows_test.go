package flowlua_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/flowlua/flowlua"

// floors orders the packages: a package may import only those of lower floors. Folders below a package stand on its
// floor unless they are named here.
var floors = map[string]int{
	"scheduler": 0, "history": 0, "internal": 0,
	"vm": 1, "activity": 1,
	"stdlib":               2,
	"workflow":             3,
	".":                    4,
	"cmd/flowlua/progress": 5, "cmd/flowlua/lint": 6, "cmd/flowlua/suite": 7, "scripts": 5,
	"workflow/explore": 4, "workflow/flowtest": 5,
	"cmd/flowlua/repl": 6, "cmd/flowlua/operate": 6,
	"cmd/flowlua/graph": 7, "cmd/flowlua/project": 7,
	"cmd/flowlua": 8,
	"spec":        9,
}

func floor(dir string) (int, bool) {
	for d := dir; ; d = path.Dir(d) {
		if f, known := floors[d]; known {
			return f, d != "." || dir == "."
		}
		if d == "." {
			return 0, false
		}
	}
}

// TestArrowsPointDown holds the imports against the layout that README.md and spec/README.md promise.
func TestArrowsPointDown(t *testing.T) {
	checked := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		dir := path.Dir(name)
		from, known := floor(dir)
		require.True(t, known, "%s: this folder is not in the layout; add it to floors", name)
		file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, imp := range file.Imports {
			target, err := strconv.Unquote(imp.Path.Value)
			require.NoError(t, err)
			if target != module && !strings.HasPrefix(target, module+"/") {
				continue
			}
			to := path.Clean(strings.TrimPrefix(strings.TrimPrefix(target, module), "/"))
			if to == "" {
				to = "."
			}
			if within(to, dir) || within(dir, to) && dir != "." {
				continue
			}
			above, known := floor(to)
			require.True(t, known, "%s imports %s, which is not in the layout", name, to)
			test := strings.HasSuffix(name, "_test.go")
			require.True(t, above < from || test && above <= from, "%s (floor %d) imports %s (floor %d): arrows point down only", name, from, to, above)
			checked++
		}
		return nil
	})
	require.NoError(t, err)
	require.Positive(t, checked)
}

// within says whether dir is folder or lies below it.
func within(dir, folder string) bool {
	return dir == folder || folder != "." && strings.HasPrefix(dir, folder+"/")
}
