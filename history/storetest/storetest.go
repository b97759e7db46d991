// Package storetest is the conformance suite that every history.Store passes: what store.go and step.go say, sentence by
// sentence.
package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

// Open makes an empty store and gives it as one process sees it and as another does; they can be the same.
type Open func(t *testing.T) (one, other history.Store)

type test func(t *testing.T, s, other history.Store)

// Run checks stores that open makes. It closes them.
func Run(t *testing.T, open Open) {
	for _, group := range []map[string]test{creation, turns, ending, mail, attempts, owners, claims, changes, listing, watching, races} {
		for name, test := range group {
			t.Run(name, func(t *testing.T) {
				one, other := open(t)
				defer func() {
					require.NoError(t, one.Close())
					if other != one {
						require.NoError(t, other.Close())
					}
				}()
				test(t, one, other)
			})
		}
	}
}
