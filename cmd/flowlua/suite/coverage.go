package suite

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Coverage is which lines of the scripts were run, and how often. It may be told of several tests at once.
type Coverage struct {
	mu    sync.Mutex
	files map[string]map[int]int // by path; a line in which something is done has 0 until it is run
}

// add counts lines.
func (c *Coverage) add(path string, lines map[int]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.file(path)
	for line, n := range lines {
		known[line] += n
	}
}

func (c *Coverage) file(path string) map[int]int {
	if c.files == nil {
		c.files = map[string]map[int]int{}
	}
	if c.files[path] == nil {
		c.files[path] = map[int]int{}
	}
	return c.files[path]
}

// take notes what there is to be run in the scripts that a spec file uses, and forgets the spec files themselves.
func (c *Coverage) take(f *File) {
	if f.Err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.files, f.Shown(f.file.Name))
	for name, lines := range f.file.Lines() {
		known := c.file(f.Shown(name))
		there := map[int]int{}
		for _, line := range lines {
			there[line] = known[line]
		}
		c.files[f.Shown(name)] = there
	}
}

// Text is a table: how much of each script was run, and which lines were not.
func (c *Coverage) Text() string {
	var out strings.Builder
	wide, all, run := len("script"), 0, 0
	for path := range c.files {
		wide = max(wide, len(path))
	}
	row := func(path string, lines, run int, missed string) {
		fmt.Fprintln(&out, strings.TrimRight(fmt.Sprintf("%-*s  %5d  %5d  %5.1f%%  %s", wide, path, lines, run, percent(run, lines), missed), " "))
	}
	fmt.Fprintf(&out, "\n%-*s  lines    run          not run\n", wide, "script")
	for _, path := range slices.Sorted(maps.Keys(c.files)) {
		lines, hit, missed := c.count(path)
		all, run = all+lines, run+hit
		row(path, lines, hit, missed)
	}
	if len(c.files) != 1 {
		row("all", all, run, "")
	}
	return out.String()
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

// count is how many lines a script has, how many were run, and which were not.
func (c *Coverage) count(path string) (lines, run int, missed string) {
	var ranges []string
	sorted := slices.Sorted(maps.Keys(c.files[path]))
	for i := 0; i < len(sorted); {
		if c.files[path][sorted[i]] > 0 {
			i, run = i+1, run+1
			continue
		}
		j := i
		for j+1 < len(sorted) && c.files[path][sorted[j+1]] == 0 {
			j++
		}
		text := strconv.Itoa(sorted[i])
		if j > i {
			text += "-" + strconv.Itoa(sorted[j])
		}
		ranges = append(ranges, text)
		i = j + 1
	}
	return len(sorted), run, strings.Join(ranges, ", ")
}

// WriteLCOV writes the counts to a file, as lcov and the editors do that read its format.
func (c *Coverage) WriteLCOV(path string) error {
	var out bytes.Buffer
	for _, script := range slices.Sorted(maps.Keys(c.files)) {
		full, err := filepath.Abs(script)
		if err != nil {
			full = script
		}
		fmt.Fprintf(&out, "TN:\nSF:%s\n", full)
		for _, line := range slices.Sorted(maps.Keys(c.files[script])) {
			fmt.Fprintf(&out, "DA:%d,%d\n", line, c.files[script][line])
		}
		lines, run, _ := c.count(script)
		fmt.Fprintf(&out, "LF:%d\nLH:%d\nend_of_record\n", lines, run)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the coverage: %w", err)
	}
	return nil
}
