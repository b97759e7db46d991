package lint

import (
	"slices"
)

// AnyField stands among the fields of a module that may have others than those that are declared.
const AnyField = "*"

// Names are the globals that a script can use, or a spec file, with the fields of those that are tables, sorted.
func (v *Vocabulary) Names(specs bool) map[string][]string {
	if specs {
		v = v.specs
	}
	names := map[string][]string{"_G": {AnyField}, "_VERSION": nil}
	for name := range v.Globals {
		fields := v.members(name)
		if c := v.Modules[name]; c != nil && c.Open {
			fields = append(fields, AnyField)
		}
		slices.Sort(fields)
		names[name] = slices.Compact(fields)
	}
	return names
}
