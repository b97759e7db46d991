package vm

import "strings"

// How many bytes of C the name of a chunk has, as it stands before a line in messages: in those of syntax errors it may be longer.
const (
	nameSize       = 60
	syntaxNameSize = 80
)

// chunkName is how Lua shows a chunk's name: "=name" as it is, of "@file" the end, of source text the first line.
func chunkName(name string, size int) string {
	name, _, _ = strings.Cut(name, "\x00")
	if text, ok := strings.CutPrefix(name, "="); ok {
		return text[:min(len(text), size-1)]
	}
	if file, ok := strings.CutPrefix(name, "@"); ok {
		if room := size - len(" '...' ") - 1; len(file) > room {
			file = "..." + file[len(file)-room:]
		}
		return file
	}
	line := name
	if i := strings.IndexAny(name, "\n\r"); i >= 0 {
		line = name[:i]
	}
	line = line[:min(len(line), size-len(` [string "..."] `)-1)]
	if len(line) < len(name) {
		line += "..."
	}
	return `[string "` + line + `"]`
}
