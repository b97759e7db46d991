package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// readValues reads the arguments of a signal or a query: each is JSON, @FILE or - for the standard input.
func readValues(args []string, s streams) ([]json.RawMessage, error) {
	list := make([]json.RawMessage, len(args))
	for i, arg := range args {
		text, source := []byte(arg), fmt.Sprintf("argument %d, %s,", i+1, arg)
		var err error
		switch {
		case arg == "-":
			source = "the standard input"
			text, err = readAll(s)
		case strings.HasPrefix(arg, "@") && arg != "@":
			source = arg[1:]
			text, err = readFile(source)
		}
		if errors.Is(err, errInterrupted) {
			return nil, exit(exitInterrupted, err)
		}
		if err != nil {
			return nil, usage("argument %d: %w", i+1, err)
		}
		if problem := jsonProblem(text); problem != "" {
			return nil, usage("%s is not JSON: %s\nA text is written with its quotes, such as '\"yes\"', a table as '{\"id\": 7}'", source, problem)
		}
		list[i] = json.RawMessage(strings.TrimSpace(string(text)))
	}
	return list, nil
}
