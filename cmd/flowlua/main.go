// Command flowlua runs workflow scripts and checks them.
package main

import (
	"os"
	"os/signal"
)

func main() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	os.Exit(execute(os.Args[1:], streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Interrupts: interrupts, Getenv: os.Getenv}))
}
