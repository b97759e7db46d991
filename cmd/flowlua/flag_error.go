package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/flowlua/flowlua/stdlib"
)

// flagValues is what a flag expects, by the type of its value. Flags with types of their own say it themselves.
var flagValues = map[string]string{
	"bool":     "true or false",
	"duration": "a duration such as 30s, 5m or 1h30m",
	"int":      "a whole number",
	"uint64":   "a whole number, 0 or more",
}

// flagError says what a flag expects, or which one may be meant.
func flagError(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &value):
		if expected := flagValues[value.GetFlag().Value.Type()]; expected != "" {
			return fmt.Errorf("--%s expects %s, got %q", value.GetFlag().Name, expected, value.GetValue())
		}
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return fmt.Errorf("%w%s", err, stdlib.Suggest("--"+unknown.GetSpecifiedName(), names))
	}
	return err
}
