package world

import (
	"fmt"

	"github.com/flowlua/flowlua/scheduler"
)

// sameTree is an error that names the first difference.
func sameTree(live, again []scheduler.Node) error {
	for i := range max(len(live), len(again)) {
		switch {
		case i >= len(again):
			return fmt.Errorf("%s is not there in the replay", nodeText(&live[i]))
		case i >= len(live):
			return fmt.Errorf("%s is there only in the replay", nodeText(&again[i]))
		case nodeText(&live[i]) != nodeText(&again[i]):
			return fmt.Errorf("%s is %s in the replay", nodeText(&live[i]), nodeText(&again[i]))
		}
		if err := sameTree(live[i].Children, again[i].Children); err != nil {
			return err
		}
	}
	return nil
}

func nodeText(n *scheduler.Node) string {
	return fmt.Sprintf("%s %s %q (%s %s)", n.Kind, n.Path, n.Name, n.State, n.Waiting)
}
