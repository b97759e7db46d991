//go:build !unix

package stdlib

import "time"

var begun = time.Now()

// cpuTime is the time that has passed, where that of the processor is not known.
func cpuTime() time.Duration { return time.Since(begun) }
