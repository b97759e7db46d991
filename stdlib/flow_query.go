package stdlib

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// query answers callers outside the run.
type query struct {
	name string
	fn   lua.LValue
}

// query is flow.query(name, fn). A later one replaces an earlier one of the same name.
func (f *Flow) query(L *lua.LState) int {
	q := query{checkText(L, 1, "flow.query", "the query's name"), checkCallable(L, 2, "flow.query", "a function")}
	f.changes(L, "flow.query")
	if i := slices.IndexFunc(f.queries, func(other query) bool { return other.name == q.name }); i >= 0 {
		f.queries[i] = q
	} else {
		f.queries = append(f.queries, q)
	}
	return 0
}

// Queries are the names that the run answers to, in the order in which it declared them.
func (f *Flow) Queries() []string {
	list := make([]string, len(f.queries))
	for i, q := range f.queries {
		list[i] = q.name
	}
	return list
}

// Query asks the run. payload is the JSON array of the arguments; so is the answer of the results. Errors of the script
// are *Error.
func (f *Flow) Query(name string, payload json.RawMessage) (answer json.RawMessage, err error) {
	i := slices.IndexFunc(f.queries, func(q query) bool { return q.name == name })
	if i < 0 {
		there := "; it answers to none"
		if names := f.Queries(); len(names) > 0 {
			there = Suggest(name, names) + "; it answers to " + strings.Join(names, ", ")
		}
		return nil, fmt.Errorf("the run answers to no query '%s'%s", name, there)
	}
	var args []lua.LValue
	if payload != nil {
		if args, err = f.state.DecodeAll(payload); err != nil {
			return nil, err
		}
	}
	f.within("a query", func() {
		var results []lua.LValue
		results, err = f.state.Call(f.queries[i].fn, args...)
		if failed, is := err.(*vm.Error); is {
			err = f.errors.uncaught(failed)
			return
		}
		answer, err = f.state.EncodeAll(results, "result")
	})
	return answer, err
}
