package graph

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/flowlua/flowlua/stdlib"
)

// scale says where on a line from 0 to 100 a time stands.
type scale func(at time.Time) float64

// byTime is the scale on which a second is as long as any other.
func byTime(from, to time.Time) scale {
	whole := max(to.Sub(from), time.Millisecond)
	return func(at time.Time) float64 {
		return 100 * min(1, max(0, at.Sub(from).Seconds()/whole.Seconds()))
	}
}

// byEvents is the scale on which something happens at even distances, so that what is short beside a long wait can be seen.
func byEvents(times []time.Time) scale {
	slices.SortFunc(times, time.Time.Compare)
	times = slices.CompactFunc(times, time.Time.Equal)
	return func(at time.Time) float64 {
		i, found := slices.BinarySearchFunc(times, at, time.Time.Compare)
		if last := len(times) - 1; last > 0 {
			if !found && i > 0 {
				return 100 * (float64(i) - 0.5) / float64(last)
			}
			return 100 * min(1, float64(i)/float64(last))
		}
		return 0
	}
}

// mark is a time that is written over a scale.
type mark struct {
	At   float64 // 0 to 100
	Text string
	Edge bool // shown also where there is little room
}

// marksByTime are round times.
func marksByTime(from, to time.Time) []mark {
	whole := max(to.Sub(from), time.Millisecond)
	step := roundStep(whole / 6)
	var list []mark
	for d := time.Duration(0); d <= whole; d += step {
		list = append(list, mark{At: 100 * d.Seconds() / whole.Seconds(), Text: clock(d)})
	}
	for i := range list {
		list[i].Edge = i == 0 || i == len(list)-1 || i == len(list)/2
	}
	return list
}

// roundStep is the next longer duration that people count in.
func roundStep(d time.Duration) time.Duration {
	power := time.Millisecond
	for ; power < time.Second; power *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if d <= n*power {
				return n * power
			}
		}
	}
	for _, unit := range []time.Duration{time.Second, time.Minute} {
		for _, n := range []time.Duration{1, 2, 5, 10, 15, 30} {
			if d <= n*unit {
				return n * unit
			}
		}
	}
	for _, n := range []time.Duration{1, 2, 3, 6, 12} {
		if d <= n*time.Hour {
			return n * time.Hour
		}
	}
	day := 24 * time.Hour
	for d > day {
		day *= 2
	}
	return day
}

// marksByEvents are the times of every so many events.
func marksByEvents(times []time.Time, from time.Time) []mark {
	if len(times) < 2 {
		return nil
	}
	const most = 7
	last := len(times) - 1
	step := max(1, int(math.Ceil(float64(last)/(most-1))))
	var list []mark
	for i := 0; i <= last; i += step {
		list = append(list, mark{At: 100 * float64(i) / float64(last), Text: clock(times[i].Sub(from))})
	}
	for i := range list {
		list[i].Edge = i == 0 || i == len(list)-1 || i == len(list)/2
	}
	return list
}

// clock is a time since the start as it is written over a scale.
func clock(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%gs", math.Round(d.Seconds()*10)/10)
	}
	return stdlib.FormatDuration(d.Round(time.Second))
}
