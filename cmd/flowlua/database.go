package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/history/sqlite"
)

// database is the file in which runs are kept, as the flags of a command say it.
type database struct{ flag string }

func (d *database) addFlag(c *cobra.Command) {
	c.Flags().Var((*path)(&d.flag), "db", "`PATH` of the file with the runs (default $FLOWLUA_DB, else flowlua/runs.db in the user's state directory)")
}

// path is a flag that names a file.
type path string

func (p *path) String() string { return string(*p) }
func (p *path) Type() string   { return "path" }

// Set implements pflag.Value.
func (p *path) Set(text string) error {
	if text == "" {
		return errors.New("expected the PATH of a file, got an empty text")
	}
	*p = path(text)
	return nil
}

// path is where the file is: what --db says, or $FLOWLUA_DB, or $XDG_STATE_HOME/flowlua/runs.db.
func (d *database) path(s streams) (string, error) {
	if d.flag != "" {
		return d.flag, nil
	}
	if path := s.Getenv("FLOWLUA_DB"); path != "" {
		return path, nil
	}
	folder, err := stateFolder(s)
	if err != nil {
		return "", usage("there is no place for the runs: %w; name a file with --db or $FLOWLUA_DB", err)
	}
	return filepath.Join(folder, "runs.db"), nil
}

// stateFolder is where flowlua keeps what it remembers.
func stateFolder(s streams) (string, error) {
	folder := s.Getenv("XDG_STATE_HOME")
	if folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "flowlua"), nil
}

// open opens the file. One that is not there is made, with its folder if that is flowlua's own, or else is an error.
func (d *database) open(s streams, create bool) (*sqlite.Store, error) {
	path, err := d.path(s)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if !create {
			return nil, fmt.Errorf("there are no runs: %s does not exist; flowlua run FILE makes it, and --db or $FLOWLUA_DB names another", path)
		}
		if folder, err := stateFolder(s); err == nil && filepath.Dir(path) == folder {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return nil, err
			}
		}
	}
	return sqlite.Open(path, sqlite.Config{})
}

// command is a command to try, as it is typed.
func (d *database) command(words ...string) string {
	return (&operate.Console{Flags: d.hint()}).Command(words...)
}

// hint is what a command that is proposed needs to find the same file.
func (d *database) hint() string {
	if d.flag == "" {
		return ""
	}
	return " --db " + operate.ShellWord(d.flag)
}
