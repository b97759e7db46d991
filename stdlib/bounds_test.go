package stdlib

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
)

// mostCPU is fifteen times what a script that does not end may take of the processor: the slowest fill 64 MB first, other tests and
// the collector take part of it, and machines differ.
const mostCPU = 15 * 100 * time.Millisecond

// TestHostileScriptsEndSoon: with the limits that everybody has, each ends after some 100 ms.
func TestHostileScriptsEndSoon(t *testing.T) {
	if raceDetector {
		t.Skip("how long things take is measured without the race detector; TestHostileScripts runs the same scripts with it")
	}
	for _, c := range slices.Concat(hostile, more, loops) {
		t.Run(c.name, func(t *testing.T) {
			before := processorTime(t)
			limit, err, _ := runHostile(t, c.source, vm.Limits{Instructions: defaultInstructions})
			used := processorTime(t) - before
			if limit == "" && c.limit != fails {
				require.NoError(t, err)
			}
			if limit != "" {
				require.ErrorContains(t, err, "its limit "+limit+" allows (")
			}
			require.Less(t, used, mostCPU, "%v", err)
			t.Logf("%v, %s", used, limit)
		})
	}
}

// TestLargeDataLoads: what people keep in a file of half a megabyte is read by load with the limits that everybody has.
func TestLargeDataLoads(t *testing.T) {
	record := "{ id = 17, name = 'a customer with a name', address = 'a street, a number, a town and a country', notes = 'what there is to say' },\n"
	for name, source := range map[string]string{
		"text":    "return [[" + long('x', 500_000) + "]]",
		"records": "return {" + strings.Repeat(record, 500_000/len(record)) + "}",
	} {
		limit, err, _ := runHostile(t, "assert(load([==["+source+"]==]))()", vm.Limits{Instructions: defaultInstructions, SourceBytes: 1 << 20})
		require.NoError(t, err, name)
		require.Empty(t, limit, name)
	}
}

// defaultInstructions is the limit that a run has whose host sets none: what it allows takes some 100 ms.
var defaultInstructions = defaults().Instructions

func defaults() vm.Limits {
	s := vm.New(vm.Config{})
	defer s.Close()
	return s.Limits()
}

func long(c byte, n int) string { return strings.Repeat(string(c), n) }
