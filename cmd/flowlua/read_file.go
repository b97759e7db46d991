package main

import (
	"fmt"
	"io"
	"os"
)

// How much is read of what the user names, in bytes.
const (
	mostInput    = 64 << 20 // a value, or a script
	mostRecorded = 4 << 30  // a recorded run
)

// readFile reads a file that the user names.
func readFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(&bounded{Reader: file, most: mostInput})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// bounded is a source that gives no more than so many bytes, and says so.
type bounded struct {
	io.Reader
	most, read int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.read += int64(n); b.read > b.most {
		return 0, fmt.Errorf("there is more than %d MB of it, which is the most that is read", b.most>>20)
	}
	return n, err
}

// writable says why a file could not be written, before anything is done for it. "": none is to be.
func writable(name string) error {
	if name == "" {
		return nil
	}
	_, err := os.Lstat(name)
	file, opened := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
	if opened != nil {
		return opened
	}
	file.Close()
	if os.IsNotExist(err) {
		return os.Remove(name)
	}
	return nil
}

// recording is a file with a recorded run.
type recording struct {
	bounded
	io.Closer
}
