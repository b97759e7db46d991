package stdlib

import (
	"context"
	"io"
	"os"

	"github.com/flowlua/flowlua/vm"
)

// Streams are the standard streams of activities. The commands that they start write to them too; they have nothing to
// read. Activities run at the same time, so that the writers must be safe for that, as os.File is. The zero value reads
// nothing and writes to the process's own streams.
type Streams struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

func (s Streams) withDefaults() Streams {
	if s.Stdout == nil {
		s.Stdout = os.Stdout
	}
	if s.Stderr == nil {
		s.Stderr = os.Stderr
	}
	return s
}

// OpenActivity installs what only activities may use: io, os, and the modules fs, hash, http and json. Commands and
// requests end with ctx, after which each further call raises CancelledError; so ctx should end when the activity must
// stop. That it is asked to is the request, nil for none: commands that run then are told to end, which is raised as
// CancelledError; those that the script starts after it has heard of the request clean up, and run. The returned function closes
// what the activity left open, and must be called when it has ended.
func OpenActivity(s *vm.State, ctx context.Context, request *Request, streams Streams) (close func()) {
	streams = streams.withDefaults()
	commands := &commands{state: s, ctx: ctx, request: request}
	OpenJSON(s)
	OpenHTTP(s, ctx)
	OpenFS(s, ctx)
	OpenHash(s, ctx)
	openActivityOS(s, commands, streams)
	closeFiles := openIO(s, commands, streams)
	return func() {
		closeFiles()
		commands.close()
	}
}
