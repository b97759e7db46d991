// Command flowlua runs workflow scripts and checks them.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	os.Exit(execute(os.Args[1:], streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Interrupts: interrupts, Ends: ends, Getenv: os.Getenv}))
}

// ends has the signals told that end a process: what a service is stopped by, and a terminal that is gone.
func ends() (<-chan os.Signal, func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	return signals, func() { signal.Stop(signals) }
}
