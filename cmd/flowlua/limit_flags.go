package main

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

// defaultInstructions is how many a turn may take if nothing else is said: more than engines allow, as whoever runs a script by
// hand has it do more in a turn than a service would; a loop without end is stopped after a tenth of a second all the same.
const defaultInstructions = 1e7

// limitFlags are limits that are set one by one: instructions=1e9, memory=256MB, turn=30s.
type limitFlags vm.Limits

func (l *limitFlags) String() string { return "" }
func (l *limitFlags) Type() string   { return "limit" }

// Set implements pflag.Value.
func (l *limitFlags) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("expected NAME=VALUE, such as instructions=1e9, found %q", text)
	}
	fields := reflect.ValueOf(l).Elem()
	var names []string
	for i := range fields.NumField() {
		known := operate.LimitName(fields.Type().Field(i).Name)
		if strings.EqualFold(known, name) || strings.EqualFold(fields.Type().Field(i).Name, name) { // as messages name it, too
			return setLimit(fields.Field(i), name, value)
		}
		names = append(names, known)
	}
	slices.Sort(names)
	return fmt.Errorf("there is no limit %q%s; there are %s", name, stdlib.Suggest(name, names), strings.Join(names, ", "))
}

func setLimit(field reflect.Value, name, value string) error {
	if field.Type() == reflect.TypeFor[time.Duration]() {
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("limit %s: expected a duration above zero, such as 30s, found %q", name, value)
		}
		field.SetInt(int64(d))
		return nil
	}
	number, unit := value, 1.0
	for suffix, size := range map[string]float64{"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30} {
		if n, ok := strings.CutSuffix(value, suffix); ok {
			number, unit = n, size
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if n *= unit; err != nil || n < 1 || n > 1<<62 {
		return fmt.Errorf("limit %s: expected a number above zero, such as 1000, 1e9 or 256MB, found %q", name, value)
	}
	field.SetInt(int64(n))
	return nil
}
