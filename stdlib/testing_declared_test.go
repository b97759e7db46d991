package stdlib

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTestingIsDeclared holds what spec files have against its declarations; package flowtest runs their examples.
func TestTestingIsDeclared(t *testing.T) {
	declared := map[string]bool{}
	for _, file := range []string{"assert.d.lua", "flow_test.d.lua", "spec.d.lua", "spy.d.lua"} {
		require.True(t, ForSpecs(file))
		for _, d := range readDeclared(t, file) {
			if name, ok := strings.CutPrefix(d.name, "function "); ok {
				d.name, _, _ = strings.Cut(name, "(")
			}
			declared[d.name] = true
		}
	}
	var names []string
	for _, e := range kitFunctions() {
		names = append(names, "flow.test."+e.name)
	}
	for _, m := range runMethods() {
		names = append(names, "TestRun:"+m.name)
	}
	for _, m := range planMethods() {
		names = append(names, "Stub:"+m.name)
	}
	for _, m := range spyMethods() {
		names = append(names, "Spy:"+m.name)
		if m.of {
			names = append(names, "Stub:"+m.name)
		}
	}
	for _, e := range (&Spec{}).entries() {
		names = append(names, e.name)
	}
	for _, name := range append(names, "spy.new", "spy.on", "spy.is_spy", "stub") {
		require.True(t, declared[name], "%s has no declaration", name)
	}
	types := []string{"boolean", "function", "number", "string", "table", "thread", "userdata"}
	same := map[string]string{"errors": "error", "error_match": "error_matches"}
	for _, v := range verbs {
		name := v.name
		if other := same[name]; other != "" {
			name = other
		}
		known := declared["assert."+name] || declared["assert.is_"+name] || declared["assert.has_"+name]
		for _, of := range types {
			known = known || name == of
		}
		require.True(t, known || v.spies, "assert.%s has no declaration", v.name)
	}
}
