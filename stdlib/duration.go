package stdlib

import (
	"fmt"
	"math"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// maxDuration is the longest duration a script can ask for: a hundred years, as far as time.Duration is safe to add to.
const maxDuration = 100 * 365 * 24 * time.Hour

// toDuration reads a duration as scripts write it: seconds as a number, or text such as "250ms", "1m30s", "2h", "7d".
func toDuration(v lua.LValue) (time.Duration, error) {
	switch v := v.(type) {
	case lua.LNumber:
		return secondsDuration(float64(v))
	case lua.LString:
		return parseDuration(string(v))
	}
	return 0, fmt.Errorf(`expects a duration (seconds, or text such as "1m30s"), got %s`, describe(v))
}

func secondsDuration(seconds float64) (time.Duration, error) {
	switch {
	case math.IsNaN(seconds) || seconds < 0:
		return 0, fmt.Errorf("expects a duration of 0 or more seconds, got %v", lua.LNumber(seconds))
	case seconds > maxDuration.Seconds():
		return 0, fmt.Errorf("expects a duration of at most 100 years, got %v seconds", lua.LNumber(seconds))
	}
	return time.Duration(math.Round(seconds * float64(time.Second))), nil
}

func parseDuration(text string) (time.Duration, error) {
	bad := func() (time.Duration, error) {
		return 0, fmt.Errorf(`expects a duration such as 1.5, "250ms", "1m30s", "2h" or "7d", got %q`, text)
	}
	days := 0.0
	rest := text
	if number, after, found := strings.Cut(text, "d"); found {
		d, err := time.ParseDuration(number + "h")
		if err != nil || !plain(number) {
			return bad()
		}
		days, rest = d.Hours(), after
		if rest == "" {
			rest = "0"
		}
	}
	d, err := time.ParseDuration(rest)
	switch {
	case err != nil || strings.ContainsAny(rest, "+-"):
		return bad()
	case days*24*float64(time.Hour)+float64(d) > float64(maxDuration):
		return 0, fmt.Errorf("expects a duration of at most 100 years, got %q", text)
	}
	return d + time.Duration(days*24*float64(time.Hour)), nil
}

// plain reports whether text is a number without sign or unit.
func plain(text string) bool {
	return text != "" && strings.Trim(text, "0123456789.") == ""
}

// FormatDuration is a duration as one writes it in a script: "1h", "90ms", "1m30s".
func FormatDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
