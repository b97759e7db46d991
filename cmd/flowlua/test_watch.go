package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/suite"
)

// lookEvery is how long it takes at most until a change is noticed.
const lookEvery = 300 * time.Millisecond

// watchTests runs the tests, and again whenever a script has changed.
func watchTests(s streams, paths []string, o testOptions, config suite.Config) error {
	var changes suite.Changes
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for again := true; ; {
		if again {
			changes.Look(watched(paths))
			summary, err := testOnce(s, paths, o, config)
			switch {
			case summary.Interrupted:
				return exit(exitInterrupted, nil)
			case err != nil:
				var known *exitError
				if !errors.As(err, &known) || known.code != exitUsage {
					return err
				}
				fmt.Fprintln(s.Err, "flowlua: "+err.Error()) // a file may be gone only while it is saved
			}
		}
		select {
		case <-s.Interrupts:
			return exit(exitInterrupted, nil)
		case <-ticker.C:
			again = changes.Look(watched(paths))
		}
		if again {
			fmt.Fprintln(s.Out)
		}
	}
}

// watched are the folders of the scripts that tests may use.
func watched(paths []string) []string {
	places, err := suite.Find(paths)
	if len(paths) == 0 {
		places, err = suite.Find([]string{"."})
	}
	folders := append([]string{}, paths...)
	if err != nil {
		return append(folders, ".")
	}
	for _, p := range places {
		folders = append(folders, suite.Root(p.Path))
	}
	return folders
}
