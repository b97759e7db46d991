package repl

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/flowlua/flowlua/workflow"
)

func travelling() []command {
	return []command{
		{name: "back", args: "[N]", help: "goes back to before the last N (1) things typed; what is typed then makes a new past", run: (*Session).back},
		{name: "goto", args: "EVENT", help: "goes back to just after an event, by its number in :events", run: (*Session).goTo},
		{name: "replay", help: "runs the session again from its history and compares", run: (*Session).replay},
	}
}

func (s *Session) back(rest string) error {
	n := 1
	if rest != "" {
		var err error
		if n, err = strconv.Atoi(rest); err != nil || n < 1 {
			return misuse("a number of things typed expected, got '%s'", rest)
		}
	}
	if len(s.past) == 0 {
		return fmt.Errorf("this is the beginning")
	}
	n = min(n, len(s.past))
	to := s.past[len(s.past)-n]
	s.past = s.past[:len(s.past)-n]
	s.world.Return(to.mark)
	if _, err := s.execution(); err != nil {
		return err
	}
	s.note("before %s", oneLine(to.text, 60))
	return nil
}

func (s *Session) goTo(rest string) error {
	list := s.history()
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 || n > len(list) {
		return misuse("the number of an event expected, from 1 to %d, got '%s'", len(list), rest)
	}
	ev := list[n-1]
	mark := s.world.Session().Stamp(ev.turn)
	for len(s.past) > 0 && s.past[len(s.past)-1].mark >= mark {
		s.past = s.past[:len(s.past)-1]
	}
	if err := s.watched(func() error { return s.world.GoTo(mark) }); err != nil {
		s.undone(err, true)
		return nil
	}
	s.news()
	s.note("after %s", s.describe(&ev.Event))
	return nil
}

// difference is the first one that a replay has found.
func difference(err error) string {
	var found *workflow.NonDeterminismError
	if !errors.As(err, &found) {
		return err.Error()
	}
	text := fmt.Sprintf("the history has %s, the script asks for %s", found.Logged, found.Asked)
	if found.Op != "" {
		text = found.Op + ": " + text
	}
	if found.Where != "" {
		text += " at " + found.Where
	}
	return text
}

func (s *Session) replay(rest string) error {
	if err := none(rest); err != nil {
		return err
	}
	if err := s.world.Replay(); err != nil {
		return fmt.Errorf("not identical: %s", difference(err))
	}
	s.say("identical (%d events)", len(s.history()))
	return nil
}
