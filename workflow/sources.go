package workflow

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/vm"
)

// Limits of what travels with a run.
const (
	maxFiles = 1000
	maxBytes = 16 << 20
)

// collector gathers a script and everything that it can require.
type collector struct {
	fsys   fs.FS
	files  map[string]string
	chunks map[string]*vm.Chunk // of the files that are known to be used
	bytes  int

	declares bool // one of them speaks of flow.workflow
}

// collect reads file and, through the literal names it requires, the rest. A file that uses require in another way may ask for
// anything, so then every Lua file of the tree is taken.
func collect(fsys fs.FS, file string) (*collector, error) {
	if !fs.ValidPath(file) {
		return nil, fmt.Errorf("workflow: script %q: expected a slash-separated path below the scripts' folder, without .. in it", file)
	}
	c := &collector{fsys: fsys, files: map[string]string{}, chunks: map[string]*vm.Chunk{}}
	dynamic, err := c.literal(file)
	if err == nil && dynamic {
		err = c.all()
	}
	return c, err
}

// literal compiles file and what it requires by literal names; dynamic: it may require more.
func (c *collector) literal(file string) (dynamic bool, err error) {
	if err := c.add(file); err != nil {
		return false, err
	}
	for queue := []string{file}; len(queue) > 0; queue = queue[1:] {
		chunk, err := vm.Compile(queue[0], c.files[queue[0]], vm.Limits{})
		if err != nil {
			return false, err
		}
		c.chunks[queue[0]] = chunk
		m := readMentions(queue[0], c.files[queue[0]])
		dynamic = dynamic || m.dynamic
		c.declares = c.declares || m.declares
		for _, name := range m.modules {
			next, err := c.module(name)
			if err != nil {
				return false, err
			}
			if next != "" {
				queue = append(queue, next)
			}
		}
	}
	return dynamic, nil
}

// module adds the file of a module and says which, or "" if it is known already or not of this tree: require will tell.
func (c *collector) module(name string) (string, error) {
	for _, file := range moduleFiles(name) {
		if _, known := c.files[file]; known || !fs.ValidPath(file) {
			return "", nil
		}
		err := c.add(file)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}

func (c *collector) all() error {
	found, err := Scripts(c.fsys)
	if err != nil {
		return err
	}
	for _, file := range found {
		if _, known := c.files[file]; known {
			continue
		}
		if err := c.add(file); err != nil {
			return err
		}
	}
	return nil
}

// Scripts are the Lua files of a tree, by their paths in it. Folders whose names begin with a dot are left out.
func Scripts(fsys fs.FS) ([]string, error) {
	if f, ok := fsys.(files); ok { // of another program
		return slices.Sorted(maps.Keys(f)), nil
	}
	var found []string
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(file) == ".lua":
			found = append(found, file)
		}
		return nil
	})
	return found, err
}

func (c *collector) add(file string) error {
	text, err := vm.ReadSource(c.fsys, file)
	if err != nil {
		return fmt.Errorf("workflow: script %q: %w", file, err)
	}
	c.bytes += len(text)
	if len(c.files) == maxFiles || c.bytes > maxBytes {
		return fmt.Errorf("workflow: a script and what it requires may be %d files of %d MB together; "+
			"require with literal names takes only the files that are named", maxFiles, maxBytes>>20)
	}
	c.files[file] = string(text)
	return nil
}
