//go:build !unix

package stdlib

import (
	"testing"
	"time"
)

// processorTime is not known here.
func processorTime(*testing.T) time.Duration { return 0 }
