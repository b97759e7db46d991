//go:build unix

package stdlib

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// living is a named pipe that the processes of a command hold open, so that it ends when the last of them has ended. In a
// command, UP is what opens it and says so.
type living struct {
	path string
	file *os.File
	read *bufio.Reader
}

func newLiving(t *testing.T) *living {
	l := &living{path: filepath.Join(t.TempDir(), "living")}
	require.NoError(t, syscall.Mkfifo(l.path, 0o600))
	var err error
	l.file, err = os.OpenFile(l.path, os.O_RDWR, 0) // does not wait for a writer
	require.NoError(t, err)
	t.Cleanup(func() { l.file.Close() })
	l.read = bufio.NewReader(l.file)
	return l
}

func (l *living) source(source string) string {
	return strings.ReplaceAll(source, "UP", "exec 9>"+l.path+"; echo up >&9;")
}

// up waits until the command runs.
func (l *living) up() error {
	line, err := l.read.ReadString('\n')
	if err == nil && line != "up\n" {
		err = errors.New(line)
	}
	return err
}

// gone waits until none of its processes lives.
func (l *living) gone(t *testing.T) {
	t.Helper()
	alone, err := os.Open(l.path)
	require.NoError(t, err)
	defer alone.Close()
	l.file.Close() // it was a writer itself
	require.NoError(t, alone.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = io.ReadAll(alone)
	require.NoError(t, err, "a process of the command is left")
}

// A request to cancel ends the commands that run, with their children, and is raised where the script waits for them.
func TestRequestEndsCommands(t *testing.T) {
	for name, source := range map[string]string{
		"execute":            `os.execute("UP sleep 600 & sleep 600; true")`,
		"popen, all":         `io.popen("UP sleep 600 & echo part; sleep 600; true"):read("*a")`,
		"popen, lines":       `for line in io.popen("UP sleep 600 & echo part; sleep 600; true"):lines() do end`,
		"popen, close":       `io.popen("UP sleep 600; true"):close()`,
		"popen, write":       `local p = io.popen("UP sleep 600; true", "w") p:close()`,
		"does not listen":    `os.execute("trap '' TERM; UP sleep 600 & sleep 600; sleep 600")`,
		"popen that ignores": `io.popen("trap '' TERM; UP sleep 600; sleep 600"):read("*a")`,
	} {
		t.Run(name, func(t *testing.T) {
			a, l := newActivityLua(t, ""), newLiving(t)
			a.request.Grace = 10 * time.Millisecond
			go func() {
				if l.up() == nil {
					a.ask()
				}
			}()
			_, err := a.run(l.source(source))
			require.EqualError(t, err, "CancelledError: cancellation was asked for")
			l.gone(t)
		})
	}
}

// A command may end as it likes when it is told to, and what was asked before it was to start is raised instead.
func TestRequestLetsCommandsCleanUp(t *testing.T) {
	a, l := newActivityLua(t, ""), newLiving(t)
	mark := filepath.Join(t.TempDir(), "mark")
	go func() {
		if l.up() == nil {
			a.ask()
		}
	}()
	_, err := a.run(l.source(`os.execute("trap 'touch ` + mark + `; exit 0' TERM; UP sleep 600 & wait")`))
	require.EqualError(t, err, "CancelledError: cancellation was asked for")
	require.FileExists(t, mark)
	l.gone(t)

	a = newActivityLua(t, "")
	a.ask()
	got, err := a.run(`
		local ok, err = pcall(os.execute, "touch ` + mark + `2")
		return err.name, os.execute("exit 3"), io.popen("echo clean"):read()`)
	require.NoError(t, err)
	require.Equal(t, []string{"CancelledError", "3", "clean"}, got, "what is started after that runs")
	require.NoFileExists(t, mark+"2")
}

// What a command has left behind, and does not listen, ends after the grace too.
func TestRequestEndsWhatIsLeft(t *testing.T) {
	a, l := newActivityLua(t, ""), newLiving(t)
	a.request.Grace = 10 * time.Millisecond
	go func() {
		if l.up() == nil {
			a.ask()
		}
	}()
	_, err := a.run(l.source(`os.execute("trap 'exit 0' TERM; (trap '' TERM; UP sleep 600) & wait")`))
	require.EqualError(t, err, "CancelledError: cancellation was asked for")
	l.gone(t)
}

// What an activity leaves open ends with it.
func TestCommandsEndWithTheActivity(t *testing.T) {
	l := newLiving(t)
	t.Run("activity", func(t *testing.T) {
		a := newActivityLua(t, "")
		_, err := a.run(l.source(`io.popen("UP sleep 600 & sleep 600; true")`))
		require.NoError(t, err)
		require.NoError(t, l.up())
	})
	l.gone(t)
}
