package explore

import (
	"fmt"

	"github.com/flowlua/flowlua/scheduler"
)

// waiting are what the branches wait for, as "text\x00file:line".
func waiting(list []string, nodes []scheduler.Node) []string {
	for _, n := range nodes {
		if n.Kind == "branch" && n.Waiting != "" {
			place := ""
			for _, f := range n.Frames {
				if f.Line > 0 {
					place = fmt.Sprintf("%s:%d", f.Source, f.Line)
					break
				}
			}
			list = append(list, fmt.Sprintf("branch %q waits %s\x00%s", n.Name, n.Waiting, place))
		}
		list = waiting(list, n.Children)
	}
	return list
}
