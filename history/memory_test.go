package history_test

import (
	"testing"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) (one, other history.Store) {
		m := new(history.Memory)
		return m, m
	})
}
