//go:build unix

package stdlib

import (
	"syscall"
	"time"
)

// cpuTime is the time that processors have worked for the process, which is what os.clock of lua5.1 gives.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
