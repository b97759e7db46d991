package stdlib

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
)

// file is an open file, a standard stream, or one end of a command's pipe.
type file struct {
	name    string
	os      *os.File // nil for streams that the host gave
	command *command
	r       *bufio.Reader // nil: cannot be read
	w       *bufio.Writer // nil: cannot be written
	mode    string        // of setvbuf: "no", "line" or "full"
	remove  string        // name of a temporary file to remove in the end
	stream  bool          // the host's: flushed but not closed
	closed  bool
}

const fileBuffer = 4096

var errMode = errors.New("invalid mode")

// openFile opens by a mode of C's fopen.
func openFile(name, mode string) (*file, error) {
	flags := map[string]int{
		"r": os.O_RDONLY, "r+": os.O_RDWR,
		"w": os.O_WRONLY | os.O_CREATE | os.O_TRUNC, "w+": os.O_RDWR | os.O_CREATE | os.O_TRUNC,
		"a": os.O_WRONLY | os.O_CREATE | os.O_APPEND, "a+": os.O_RDWR | os.O_CREATE | os.O_APPEND,
	}
	plain := mode
	for i, c := range mode {
		if c == 'b' && i > 0 { // bytes are bytes on every system
			plain = mode[:i] + mode[i+1:]
			break
		}
	}
	flag, known := flags[plain]
	if !known {
		return nil, errMode
	}
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return newFile(f, plain == "r" || len(plain) == 2, plain != "r"), nil
}

func newFile(f *os.File, reads, writes bool) *file {
	made := &file{name: f.Name(), os: f, mode: "full"}
	if reads {
		made.r = bufio.NewReaderSize(f, fileBuffer)
	}
	if writes {
		made.w = bufio.NewWriterSize(f, fileBuffer)
	}
	return made
}

func newStream(name string, r io.Reader, w io.Writer) *file {
	f := &file{name: name, stream: true, mode: "line"}
	if r != nil {
		f.r = bufio.NewReaderSize(r, fileBuffer)
	}
	if w != nil {
		f.w = bufio.NewWriterSize(w, fileBuffer)
	}
	return f
}

var (
	errNoRead  = errors.New("the file is not open for reading")
	errNoWrite = errors.New("the file is not open for writing")
)

// reader is f for reading: what was written before is in the file then.
func (f *file) reader() (*bufio.Reader, error) {
	if f.r == nil {
		return nil, errNoRead
	}
	if f.w != nil && f.w.Buffered() > 0 {
		if err := f.w.Flush(); err != nil {
			return nil, err
		}
	}
	return f.r, nil
}

// write writes where reading has come to, not where the buffer has read ahead to.
func (f *file) write(s string) error {
	if f.w == nil {
		return errNoWrite
	}
	if err := f.unread(); err != nil {
		return err
	}
	if _, err := f.w.WriteString(s); err != nil {
		return err
	}
	if f.mode == "no" || f.mode == "line" && strings.IndexByte(s, '\n') >= 0 {
		return f.w.Flush()
	}
	return nil
}

// unread forgets what the buffer has read ahead.
func (f *file) unread() error {
	if f.r == nil || f.os == nil || f.command != nil || f.r.Buffered() == 0 {
		return nil
	}
	_, err := f.os.Seek(int64(-f.r.Buffered()), io.SeekCurrent)
	f.r.Reset(f.os)
	return err
}

func (f *file) flush() error {
	if f.w == nil {
		return nil
	}
	return f.w.Flush()
}

func (f *file) seek(offset int64, whence int) (int64, error) {
	if f.os == nil || f.command != nil {
		return 0, errors.New("Illegal seek")
	}
	if err := f.flush(); err != nil {
		return 0, err
	}
	if err := f.unread(); err != nil {
		return 0, err
	}
	return f.os.Seek(offset, whence)
}

// close closes the file; code is the exit code of a command, 0 for others.
func (f *file) close() (code int, err error) {
	if f.closed {
		return 0, nil
	}
	f.closed = true
	err = f.flush()
	if f.stream {
		return 0, err
	}
	if closeErr := f.os.Close(); err == nil {
		err = closeErr
	}
	if f.remove != "" {
		_ = os.Remove(f.remove) // it is temporary: the system cleans up too
	}
	if f.command == nil {
		return 0, err
	}
	code, waitErr := f.command.wait()
	if err == nil {
		err = waitErr
	}
	return code, err
}
