package operate

import (
	"strconv"
	"strings"
	"time"
)

// ago is a time as seen from now: "3m ago", "in 2h".
func ago(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case at.IsZero():
		return "never"
	case d <= -10*time.Minute:
		return "in " + about((-d).Round(time.Minute))
	case d < 0:
		return "in " + about(-d)
	case d < time.Second:
		return "just now"
	}
	return about(d) + " ago"
}

// about is a duration in its largest units: "12s", "3m", "1h30m", "4h", "2d".
func about(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Second:
		return strconv.FormatInt(max(1, d.Milliseconds()), 10) + "ms"
	case d < time.Minute:
		return strconv.Itoa(int(d.Seconds())) + "s"
	case d < 10*time.Minute && d%time.Minute >= time.Second:
		return d.Truncate(time.Second).String()
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + "m"
	case d < 10*time.Hour && d%time.Hour >= time.Minute:
		return strconv.Itoa(int(d.Hours())) + "h" + strconv.Itoa(int(d.Minutes())%60) + "m"
	case d < 2*day:
		return strconv.Itoa(int(d.Hours())) + "h"
	}
	return strconv.Itoa(int(d/day)) + "d"
}

// ParseSince reads a point in the past: a duration before now, which may be in days and weeks, a date, or a date with a time.
func ParseSince(text string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04:05", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, nil
		}
	}
	d, err := parseLong(strings.TrimSuffix(text, " ago"))
	if err != nil || d < 0 {
		return time.Time{}, misuse("--since '%s': expected how long ago, such as 90s, 2h30m, 3d or 1w, or a date such as %s", text, now.Format(time.DateOnly))
	}
	return now.Add(-d), nil
}

// parseLong is time.ParseDuration with leading weeks and days.
func parseLong(text string) (time.Duration, error) {
	var total time.Duration
	for _, unit := range []struct {
		name string
		d    time.Duration
	}{{"w", 7 * 24 * time.Hour}, {"d", 24 * time.Hour}} {
		before, rest, found := strings.Cut(text, unit.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(before, 64)
		if err != nil {
			return 0, err
		}
		total += time.Duration(n * float64(unit.d))
		if text = rest; text == "" {
			return total, nil
		}
	}
	d, err := time.ParseDuration(text)
	return total + d, err
}
