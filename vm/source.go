package vm

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// mostSource is how much is read of a file before it is known to be none that could be compiled, in bytes.
const mostSource = 64 << 20

// ReadSource reads a script. What has no end, or is far from being a script, is an error.
func ReadSource(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if errors.Is(err, fs.ErrInvalid) { // files that can be read as a whole only
		return fs.ReadFile(files, name)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, mostSource+1))
	if err == nil && len(source) > mostSource {
		err = fmt.Errorf("%s: there is more than %d MB of it: that is no script", name, mostSource>>20)
	}
	return source, err
}
