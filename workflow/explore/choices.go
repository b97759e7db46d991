package explore

import (
	"fmt"
	"strconv"
	"strings"
)

// Choice is a deviation from the default.
type Choice struct {
	Point  int // from 1
	Option int // from 1: what else may happen there
}

// Choices determine a path: its deviations, in the order of their points.
type Choices []Choice

// String is what --path takes: "4.2,9.1", or "default" for no deviation.
func (c Choices) String() string {
	if len(c) == 0 {
		return "default"
	}
	parts := make([]string, len(c))
	for i, one := range c {
		parts[i] = fmt.Sprintf("%d.%d", one.Point, one.Option)
	}
	return strings.Join(parts, ",")
}

// ParseChoices reads what String writes.
func ParseChoices(text string) (Choices, error) {
	if text == "default" {
		return nil, nil
	}
	var list Choices
	for part := range strings.SplitSeq(text, ",") {
		point, option, ok := strings.Cut(part, ".")
		p, err := strconv.Atoi(point)
		o, err2 := strconv.Atoi(option)
		if !ok || err != nil || err2 != nil || p < 1 || o < 1 || len(list) > 0 && list[len(list)-1].Point >= p {
			return nil, fmt.Errorf("'%s' is no path: expected what a failure prints, as in 4.2,9.1 (points that grow, each with the option taken there), or default", text)
		}
		list = append(list, Choice{p, o})
	}
	return list, nil
}
