package explore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
)

// shape is what kind of value stands in where nobody has given one.
type shape uint8

const (
	record  shape = iota // a table with every field that the script reads anywhere
	text                 // "charge-1"
	number               // 2
	yes                  // true
	records              // a list of two records
	texts                // a list of two texts
	numbers              // a list of two numbers
	none                 // nothing at all
	shapes
)

// plausible makes values for what nobody has given: the input, results of activities, arguments of signals. Workers share it.
type plausible struct {
	script *script
	given  Config // what somebody has given stays as it is
	items  shape  // of lists in records: record or text
	plain  shape  // of fields of which nothing is known: text or number
	every  bool   // the input has a value for every parameter

	mu         sync.Mutex
	shapes     map[string]shape             // of what: see the three names below
	variants   map[string][]json.RawMessage // further values that make a difference
	activities map[string]*Outcomes
	later      map[nthCall]*Outcomes // of calls after the first
	signals    map[string]*Signals
}

// The names of what has a shape.
const inputName = "the input"

func activityName(name string) string { return "activity " + name }
func signalName(name string) string   { return "signal " + name }

func newPlausible(given Config) *plausible {
	v := &plausible{script: read(given.Program), given: given, plain: text, shapes: map[string]shape{}, variants: map[string][]json.RawMessage{}}
	for name := range v.script.uses {
		if activity, called := strings.CutSuffix(name, "()"); called {
			v.shapes[activityName(activity)] = v.script.shape(name)
		}
	}
	for _, name := range v.script.inputs {
		v.shapes[inputName] = v.script.shape(name)
	}
	for signal, names := range v.script.brings {
		v.shapes[signalName(signal)] = v.script.shape(names[0])
	}
	for name, sh := range v.script.returns {
		v.shapes[activityName(name)] = sh
	}
	v.forget()
	return v
}

// forget makes everything anew, as a shape is another one.
func (v *plausible) forget() {
	v.activities, v.later, v.signals = map[string]*Outcomes{}, map[nthCall]*Outcomes{}, map[string]*Signals{}
}

// outcomes are what may become of an attempt of an activity in its n-th call. The id of a made-up value tells the calls apart.
func (v *plausible) outcomes(name string, n int) *Outcomes {
	v.mu.Lock()
	defer v.mu.Unlock()
	first := v.first(name)
	if sh := v.shapes[activityName(name)]; n == 1 || len(v.given.Activities[name].Returns) > 0 || sh != record && sh != text {
		return first
	}
	key := nthCall{name, n}
	o := v.later[key]
	if o == nil {
		own := *first
		own.Returns = make([]json.RawMessage, len(first.Returns))
		was, is := fmt.Appendf(nil, `"%s-1"`, name), fmt.Appendf(nil, `"%s-%d"`, name, n)
		for i, value := range first.Returns {
			own.Returns[i] = bytes.ReplaceAll(value, was, is)
		}
		o = &own
		v.later[key] = o
	}
	return o
}

// nthCall is one of an activity.
type nthCall struct {
	name string
	n    int
}

func (v *plausible) first(name string) *Outcomes {
	o := v.activities[name]
	if o == nil {
		given := v.given.Activities[name]
		o = &given
		if len(o.Errors) == 0 && !o.NoErrors {
			o.Errors = v.errors(name)
		}
		if what := activityName(name); len(o.Returns) == 0 {
			o.Returns = append([]json.RawMessage{v.array(v.shapes[what], name)}, v.variants[what]...)
		}
		v.activities[name] = o
	}
	return o
}

// signal is how a signal may come.
func (v *plausible) signal(name string) *Signals {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.signals[name]
	if s == nil {
		given := v.given.Signals[name]
		s = &given
		s.Times = cmp.Or(s.Times, 2)
		if what := signalName(name); len(s.Args) == 0 {
			s.Args = append([]json.RawMessage{v.array(v.shapes[what], name, v.rest(v.script.brings[name])...)}, v.variants[what]...)
		}
		v.signals[name] = s
	}
	return s
}

// builtIn are names of errors that the engine makes, or that are kinds.
var builtIn = map[string]bool{"Error": true, "CancelledError": true, "TimeoutError": true, "ServiceError": true, "ClientError": true, "ServerError": true,
	"ThrottlingError": true, "ChildWorkflowError": true, "ActivityNotFound": true, "TerminatedError": true, "AllFailedError": true}

// errors are a generic one, those that the script's own implementation raises, and those that the script handles and no activity of
// its own is known to raise.
func (v *plausible) errors(name string) []*history.Failure {
	list := []*history.Failure{generic(name)}
	owned := map[string]bool{}
	for _, names := range v.script.raised {
		maps.Copy(owned, names)
	}
	own := maps.Clone(v.script.raised[name])
	if own == nil {
		own = map[string]bool{}
	}
	for handled := range v.script.handled {
		if !owned[handled] {
			own[handled] = true
		}
	}
	for _, one := range slices.Sorted(maps.Keys(own)) {
		if !builtIn[one] && len(list) < 4 {
			list = append(list, &history.Failure{Name: one, Message: "of " + name})
		}
	}
	return list
}

// rest are values for all names but the first.
func (v *plausible) rest(names []string) (values []any) {
	for _, name := range names[min(1, len(names)):] {
		value := v.value(v.script.shape(name), name)
		if literals := v.script.literals[name]; len(literals) > 0 {
			value = literals[0]
		}
		values = append(values, value)
	}
	return values
}

// array is a value in an array, as payloads are, with others behind it.
func (v *plausible) array(sh shape, name string, rest ...any) json.RawMessage {
	if sh == none {
		return json.RawMessage("[]")
	}
	out, err := json.Marshal(append([]any{v.value(sh, name)}, rest...))
	if err != nil {
		panic(err) // nothing but texts, numbers, tables
	}
	return out
}

func (v *plausible) value(sh shape, name string) any {
	switch sh {
	case text:
		return name + "-1"
	case number:
		return 2
	case yes:
		return true
	case records:
		return []any{v.record(name, 1, 1), v.record(name, 2, 1)}
	case texts:
		return []any{name + "-1", name + "-2"}
	case numbers:
		return []any{2, 3}
	}
	return v.record(name, 1, 0)
}

// amounts are names of fields that are numbers as a rule.
var amounts = map[string]bool{"amount": true, "price": true, "total": true, "sum": true, "quantity": true, "count": true, "cost": true, "fee": true,
	"balance": true, "size": true, "hours": true, "days": true, "nights": true, "seconds": true, "minutes": true, "attempts": true, "limit": true,
	"percent": true, "rate": true, "weight": true, "age": true, "number": true, "n": true, "units": true, "cents": true}

// record has every field that the script reads of anything.
func (v *plausible) record(name string, n, depth int) map[string]any {
	return v.fields(name, n, depth, v.script.fields)
}

// inner is a record in a record: it has the fields that are read of what has its name.
func (v *plausible) inner(name, of string, n, depth int) map[string]any {
	return v.fields(name, n, depth, slices.Sorted(maps.Keys(v.script.of[of])))
}

func (v *plausible) fields(name string, n, depth int, names []string) map[string]any {
	fields := map[string]any{"id": fmt.Sprintf("%s-%d", name, n)}
	for _, f := range names {
		if value := v.fieldValue(f, n, depth); value != nil {
			fields[f] = value
		}
	}
	return fields
}

func (v *plausible) fieldValue(f string, n, depth int) any {
	literals := v.script.literals[f]
	switch u := v.script.uses[f]; {
	case f == "id":
	case u == indexed && depth > 2, u == listed && depth > 2:
	case u == indexed:
		return v.inner(f, f, 1, depth+1)
	case u == listed && v.script.uses[f+"[]"] == numbered:
		return []any{2, 3}
	case u == listed && (v.items == text || v.script.uses[f+"[]"] == texted):
		return []any{f + "-1", f + "-2"}
	case u == listed:
		return []any{v.inner(f, f+"[]", 1, depth+1), v.inner(f, f+"[]", 2, depth+1)}
	case u == numbered:
		return 2
	case u == tested:
		return true
	case len(literals) > 0:
		return literals[0]
	case u == passed && (v.plain == number || amounts[f]):
		return 2
	default:
		return fmt.Sprintf("%s-%d", f, n)
	}
	return nil
}

// others are further values of a shape that a script may tell apart.
func (v *plausible) others(what, name string) []json.RawMessage {
	var list []any
	if v.shapes[what] == record {
		full := v.record(name, 1, 0)
		no := maps.Clone(full)
		differs := false
		for f, value := range full {
			if value == true {
				no[f], differs = false, true
			}
		}
		if differs {
			list = append(list, no)
		}
		for _, f := range v.script.fields {
			for _, literal := range v.script.literals[f][min(1, len(v.script.literals[f])):] {
				other := maps.Clone(full)
				other[f] = literal
				list = append(list, other)
			}
			if literals := v.script.literals[f]; len(literals) > 0 {
				other := maps.Clone(full)
				other[f] = "other"
				list = append(list, other)
			}
		}
	}
	list = append(list, false)
	out := make([]json.RawMessage, len(list))
	for i, value := range list {
		out[i], _ = json.Marshal([]any{value})
	}
	return out
}

// uncalled are activities that were spoken of and not called.
func (v *plausible) uncalled() (list []Uncalled) {
	called := slices.Sorted(maps.Keys(v.activities))
	for _, name := range slices.Sorted(maps.Keys(v.given.Activities)) {
		if v.activities[name] == nil {
			list = append(list, Uncalled{name, stdlib.Suggest(name, called)})
		}
	}
	return list
}

// guesses are the values that a report tells.
func (v *plausible) guesses(s *setup) []Guess {
	list := []Guess{}
	if s.guessed {
		list = append(list, Guess{Kind: "input", Value: string(s.input)})
	}
	for _, name := range slices.Sorted(maps.Keys(v.activities)) {
		if len(v.given.Activities[name].Returns) > 0 {
			continue
		}
		list = append(list, Guess{name, "activity", string(v.activities[name].Returns[0])})
	}
	for _, name := range slices.Sorted(maps.Keys(v.signals)) {
		if len(v.given.Signals[name].Args) > 0 {
			continue
		}
		list = append(list, Guess{name, "signal", string(v.signals[name].Args[0])})
	}
	return list
}
