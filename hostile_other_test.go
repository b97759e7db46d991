//go:build !unix

package flowlua_test

import (
	"testing"
	"time"
)

// processorTime is not known here.
func processorTime(*testing.T) time.Duration { return 0 }
