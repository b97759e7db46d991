package workflow

import (
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// files is the file system of a program: its sources and nothing else. Folders cannot be opened.
type files map[string]string

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	text, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	return &file{Reader: strings.NewReader(text), name: path.Base(name), size: int64(len(text))}, nil
}

// ReadFile implements fs.ReadFileFS.
func (f files) ReadFile(name string) ([]byte, error) {
	text, err := f.find("read", name)
	return []byte(text), err
}

func (f files) find(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	text, ok := f[name]
	if !ok {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return text, nil
}

// file is an open source file and its own description.
type file struct {
	io.Reader
	name string
	size int64
}

func (f *file) Stat() (fs.FileInfo, error) { return f, nil }
func (f *file) Close() error               { return nil }
func (f *file) Name() string               { return f.name }
func (f *file) Size() int64                { return f.size }
func (f *file) Mode() fs.FileMode          { return 0o444 }
func (f *file) ModTime() time.Time         { return time.Time{} }
func (f *file) IsDir() bool                { return false }
func (f *file) Sys() any                   { return nil }
