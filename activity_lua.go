package flowlua

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/stdlib"
)

// implements reports whether the run's script has the activity itself.
func (r *execution) implements(name string) bool {
	return slices.Contains(r.program.Activities(), name)
}

func (e *Engine) performLua(a *attempt) (json.RawMessage, error) {
	return nil, fmt.Errorf("TODO")
}

// activityNotFound says what there is.
func (e *Engine) activityNotFound(name string, r *execution) error {
	e.mu.RLock()
	names := slices.Sorted(maps.Keys(e.activities))
	e.mu.RUnlock()
	names = append(names, r.program.Activities()...)
	hint := "none is registered (Engine.RegisterActivity, or a function given to flow.activity)"
	if len(names) > 0 {
		hint = "there are " + strings.Join(names, ", ")
	}
	no := false
	return &Error{Name: "ActivityNotFound", Message: fmt.Sprintf("no activity %q%s: %s", name, stdlib.Suggest(name, names), hint), Retryable: &no}
}
