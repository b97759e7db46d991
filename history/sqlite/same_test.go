package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
	"github.com/flowlua/flowlua/history/storetest"
)

func TestSameAsMemory(t *testing.T) {
	folder := t.TempDir()
	var n atomic.Int64
	storetest.Same(t, func(t *rapid.T) (model, real history.Store) {
		s, err := sqlite.Open(filepath.Join(folder, fmt.Sprint(n.Add(1))), sqlite.Config{Synchronous: "normal"})
		require.NoError(t, err)
		return new(history.Memory), s
	}, func(t *rapid.T, real history.Store) { sound(t, real.(*sqlite.Store)) })
}

// sound checks that a store finds nothing wrong with itself.
func sound(t require.TestingT, s *sqlite.Store) {
	for finding, err := range s.Check(context.Background()) {
		require.NoError(t, err)
		require.Fail(t, finding)
	}
}
