package suite

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Changes looks at the scripts in folders, and those below, whenever tick comes, and reports whether one of them has changed, came or went
// since the look before. It looks instead of being told by the system, as there are few files and editors replace them in many ways.
type Changes struct {
	seen map[string]stamp
}

type stamp struct {
	changed time.Time
	size    int64
}

// Look reports whether something is different from the last time; at the first time it is not.
func (c *Changes) Look(folders []string) bool {
	now := map[string]stamp{}
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // it went while it was looked at
			case d.IsDir() && path != folder && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case d.IsDir() || filepath.Ext(path) != ".lua":
				return nil
			}
			if info, err := os.Stat(path); err == nil {
				now[path] = stamp{info.ModTime(), info.Size()}
			}
			return nil
		})
	}
	before := c.seen
	c.seen = now
	if before == nil {
		return false
	}
	if len(before) != len(now) {
		return true
	}
	for path, s := range now {
		if before[path] != s {
			return true
		}
	}
	return false
}
