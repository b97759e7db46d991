package repl

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/flowlua/flowlua/cmd/flowlua/repl/world"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
)

func outside() []command {
	const id = "ID is its place (@2/1) or its name."
	return []command{
		{name: "complete", args: "ID [JSON]", help: "gives an activity its result", run: (*Session).complete, kind: aPlace, more: id + " Instead of JSON a Lua value will do: { ok = true }."},
		{name: "fail", args: "ID NAME [MESSAGE]", help: "lets an attempt of an activity fail; a declared retry makes the next one", run: (*Session).failActivity, kind: aPlace, more: id},
		{name: "timeout", args: "ID [KIND]", help: "lets it fail with a timeout: start_to_close, heartbeat, schedule_to_start or schedule_to_close", run: (*Session).timeout, kind: aPlace, more: id},
		{name: "heartbeat", args: "ID [JSON]", help: "reports details of it; what was asked to stop stops then", run: (*Session).heartbeat, kind: aPlace, more: id},
		{name: "stub", args: "NAME [JSON]", help: "lets every call of activity NAME end at once with that result, open ones too", run: (*Session).stub},
		{name: "signal", args: "NAME [JSON]", help: "sends the session a signal", run: (*Session).signal},
		{name: "cancel", args: "[BRANCH]", help: "cancels what is open there; without BRANCH all that is", run: (*Session).cancel, kind: aPlace},
	}
}

// payload reads an optional value, JSON or Lua, into an array of none or one.
func payload(text string) (json.RawMessage, error) {
	if text == "" {
		return json.RawMessage("[]"), nil
	}
	if !json.Valid([]byte(text)) {
		value, err := luaValue(text)
		if err != nil {
			return nil, misuse("JSON or a Lua value expected, got '%s' (%s)", oneLine(text, 40), err)
		}
		return append(append(json.RawMessage("["), value...), ']'), nil
	}
	var compact json.RawMessage
	if err := json.Unmarshal([]byte(text), &compact); err != nil {
		return nil, err
	}
	out, err := json.Marshal([]json.RawMessage{compact})
	return out, err
}

// luaValue is a Lua expression as JSON. It runs in a state of its own, that knows nothing.
func luaValue(text string) (value json.RawMessage, err error) {
	defer func() {
		if r := recover(); r != nil {
			limit, ok := r.(*vm.LimitError)
			if !ok {
				panic(r)
			}
			err = limit
		}
	}()
	limits := vm.Limits{Instructions: 1e5}
	chunk, err := vm.Compile("value", "return "+text, limits)
	if err != nil {
		return nil, err
	}
	state := vm.New(vm.Config{Limits: limits})
	defer state.Close()
	values, err := state.Call(state.Load(chunk))
	if err != nil {
		return nil, err
	}
	if len(values) != 1 || values[0].String() == "nil" {
		return nil, fmt.Errorf("one value expected; a text is written with its quotes")
	}
	return state.Encode(values[0], "value")
}

// activity finds an open one.
func (s *Session) activity(id string) (*world.Activity, error) {
	all := s.world.Activities()
	var found []*world.Activity
	var ids []string
	for _, a := range all {
		place := s.prefix(a.Run) + a.Op
		if place == id || place == "@"+id || place == "/"+id {
			return a, nil
		}
		if a.Event.Name == id {
			found = append(found, a)
		}
		ids = append(ids, place+" "+a.Event.Name)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(all) == 0:
		return nil, fmt.Errorf("no activity '%s': none is open", id)
	case len(found) > 1:
		return nil, fmt.Errorf("several activities '%s' are open: say which, of %s", id, strings.Join(ids, ", "))
	}
	return nil, fmt.Errorf("no activity '%s' is open; there is %s", id, strings.Join(ids, ", "))
}

// with does something to an activity.
func (s *Session) with(text, id string, do func(a *world.Activity)) error {
	if id == "" {
		return misuse("an activity expected")
	}
	a, err := s.activity(id)
	if err == nil {
		s.change(text, func() error { return s.world.Do(func() error { do(a); return nil }) })
	}
	return err
}

func (s *Session) complete(rest string) error {
	args := append(words(rest, 2), "", "")
	value, err := payload(args[1])
	if err != nil {
		return err
	}
	if n, ok := s.orphan(args[0]); ok {
		s.change(":complete "+rest, func() error {
			return s.world.EndOrphan(n.Path, n.Name, history.Event{Kind: history.RunCompleted, Payload: value})
		})
		return nil
	}
	return s.with(":complete "+rest, args[0], func(a *world.Activity) { a.Complete(value) })
}

func (s *Session) failActivity(rest string) error {
	args := append(words(rest, 3), "", "", "")
	if args[1] == "" {
		return misuse("an activity and the name of an error expected")
	}
	failure := &history.Failure{Name: args[1], Message: strings.Trim(args[2], `"`)}
	if n, ok := s.orphan(args[0]); ok {
		s.change(":fail "+rest, func() error {
			return s.world.EndOrphan(n.Path, n.Name, history.Event{Kind: history.RunFailed, Failure: failure})
		})
		return nil
	}
	return s.with(":fail "+rest, args[0], func(a *world.Activity) { a.Fail(failure) })
}

// orphan finds an open child of the run whose copy this is. Its run is not here.
func (s *Session) orphan(id string) (node, bool) {
	n, err := s.find(id)
	return n, err == nil && s.debug != nil && n.run == s.world.Session() && s.world.Orphan(n.Path)
}

func (s *Session) timeout(rest string) error {
	kinds := []string{"start_to_close", "heartbeat", "schedule_to_start", "schedule_to_close"}
	args := append(words(rest, 2), "", "")
	if args[1] == "" {
		args[1] = kinds[0]
	}
	if !slices.Contains(kinds, args[1]) {
		return misuse("there is no timeout '%s'%s", args[1], stdlib.Suggest(args[1], kinds))
	}
	return s.with(":timeout "+rest, args[0], func(a *world.Activity) { a.Fail(a.Timeout(args[1])) })
}

func (s *Session) heartbeat(rest string) error {
	args := append(words(rest, 2), "", "")
	value, err := payload(args[1])
	if err != nil {
		return err
	}
	var details json.RawMessage
	if args[1] != "" {
		details = value[1 : len(value)-1]
	}
	return s.with(":heartbeat "+rest, args[0], func(a *world.Activity) { a.Heartbeat(details) })
}

func (s *Session) stub(rest string) error {
	args := append(words(rest, 2), "", "")
	if args[0] == "" {
		return misuse("the name of an activity expected")
	}
	value, err := payload(args[1])
	if err != nil {
		return err
	}
	s.change(":stub "+rest, func() error { return s.world.Do(func() error { s.world.Stub(args[0], value); return nil }) })
	return nil
}

func (s *Session) signal(rest string) error {
	args := append(words(rest, 2), "", "")
	if args[0] == "" {
		return misuse("the name of a signal expected")
	}
	value, err := payload(args[1])
	if err != nil {
		return err
	}
	s.happen(":signal "+rest, history.Event{Kind: history.SignalReceived, Name: args[0], Payload: value})
	return nil
}

func (s *Session) happen(text string, events ...history.Event) {
	s.change(text, func() error {
		return s.world.Do(func() error {
			for _, ev := range events {
				s.world.Session().Happen(ev)
			}
			return nil
		})
	})
}

// cancel cancels one thing, or whatever the session's root has started; of a copy, the run.
func (s *Session) cancel(rest string) error {
	var events []history.Event
	if rest != "" {
		n, err := s.find(rest)
		if err != nil {
			return err
		}
		ev := history.Event{Kind: history.CancelRequested, Op: n.Path, Payload: json.RawMessage("[]")}
		s.change(":cancel "+rest, func() error { return s.world.Do(func() error { n.run.Happen(ev); return nil }) })
		return nil
	}
	e, err := s.execution()
	if err != nil {
		return err
	}
	if s.debug != nil && !s.world.Session().Closed() {
		s.happen(":cancel", history.Event{Kind: history.CancelRequested, Payload: json.RawMessage("[]")})
		return nil
	}
	for _, root := range e.Dump() {
		for _, n := range root.Children {
			if n.Path != "" {
				events = append(events, history.Event{Kind: history.CancelRequested, Op: n.Path, Payload: json.RawMessage("[]")})
			}
		}
	}
	if len(events) == 0 {
		return fmt.Errorf("nothing is open that could be cancelled")
	}
	s.happen(":cancel", events...)
	return nil
}
