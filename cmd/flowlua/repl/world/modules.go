package world

import (
	"io/fs"

	"github.com/flowlua/flowlua/vm"
)

// modules are the files that require can find. What was read once stays as it was, so that a replay reads the same.
type modules struct{ world *World }

// Open implements fs.FS; it is ReadFile that is used.
func (m modules) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
}

// ReadFile implements fs.ReadFileFS.
func (m modules) ReadFile(name string) ([]byte, error) {
	w := m.world
	if text, known := w.files[name]; known {
		return []byte(text), nil
	}
	if w.config.Modules == nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	text, err := vm.ReadSource(w.config.Modules, name)
	if err == nil {
		w.files[name] = string(text)
	}
	return text, err
}

// modules are those of a session; nil: a copy has what its program has.
func (w *World) modules() fs.FS {
	if w.copied {
		return nil
	}
	return modules{w}
}
