package project

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/lint"
)

// luacheckrc says what globals there are, with their fields, so that what is misspelt is found.
func luacheckrc(words *lint.Vocabulary) string {
	scripts, specs := words.Names(false), words.Names(true)
	for name, fields := range scripts {
		if slices.Equal(fields, specs[name]) {
			delete(specs, name)
		}
	}
	var b strings.Builder
	b.WriteString("-- What luacheck must know of flowlua: luacheck .\n-- flowlua check FILE... looks closer: at the names of flow, at options, at what workflow code may not do.\n")
	b.WriteString("std = \"flowlua\"\nmax_line_length = false -- stylua sees to that\nexclude_files = { \"types/**\" }\nfiles[\"**/*_spec.lua\"] = { std = \"+flowlua_specs\" }\n\n")
	fmt.Fprintf(&b, "stds.flowlua = {\n  read_globals = {\n%s  },\n}\n\n", globals(scripts))
	fmt.Fprintf(&b, "stds.flowlua_specs = {\n  read_globals = {\n%s  },\n}\n", globals(specs))
	return b.String()
}

func globals(names map[string][]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch fields := names[name]; {
		case len(fields) == 0:
			fmt.Fprintf(&b, "    %s = { other_fields = true },\n", name)
		case slices.Contains(fields, lint.AnyField):
			fmt.Fprintf(&b, "    %s = { other_fields = true },\n", name)
		default:
			fmt.Fprintf(&b, "    %s = {\n      fields = {\n", name)
			for chunk := range slices.Chunk(fields, 10) {
				fmt.Fprintf(&b, "        \"%s\",\n", strings.Join(chunk, `", "`))
			}
			b.WriteString("      },\n    },\n")
		}
	}
	return b.String()
}
