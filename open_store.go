package flowlua

import (
	"fmt"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/history/sqlite"
)

func openStore(path, synchronous string) (history.Store, error) {
	if path == ":memory:" {
		return new(history.Memory), nil
	}
	store, err := sqlite.Open(path, sqlite.Config{Synchronous: synchronous})
	if err != nil {
		return nil, fmt.Errorf("flowlua: open: %w", err)
	}
	return store, nil
}
