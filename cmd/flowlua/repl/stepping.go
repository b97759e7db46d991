package repl

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/flowlua/flowlua/workflow"
)

func stepping() []command {
	return []command{
		{name: "step", args: "[N]", help: "goes N (1) turns of the history forwards", run: (*Session).step},
		{name: "forward", args: "[N]", help: "is :step", run: (*Session).step},
		{name: "back", args: "[N]", help: "goes N (1) turns backwards; what was changed there is undone", run: (*Session).stepBack},
		{name: "goto", args: "EVENT", help: "goes to after the turn of an event, by its number in :events, forwards or backwards", run: (*Session).stepTo},
		{name: "events", args: "[N]", help: "the last N (20) events of the history up to here, and the next ones", run: (*Session).eventsAround},
		{name: "replay", help: "rebuilds the copy from its history and compares", run: (*Session).replay},
	}
}

// steps reads a number of turns.
func steps(rest string) (int, error) {
	if rest == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 {
		return 0, misuse("a number of turns expected, got '%s'", rest)
	}
	return n, nil
}

func (s *Session) step(rest string) error {
	n, err := steps(rest)
	if err != nil {
		return err
	}
	return s.forwards(s.debug.at + n)
}

// forwards makes recorded turns.
func (s *Session) forwards(to int) error {
	d := s.debug
	switch {
	case d.left:
		return fmt.Errorf("the copy has gone another way after event %d of the history: :goto %d goes back there, :tick and :run go on", s.eventsIn(d.at), s.eventsIn(d.at))
	case d.at == len(d.turns):
		return fmt.Errorf("this is the end of the history%s", s.onwards())
	}
	for d.at < min(to, len(d.turns)) && !d.left {
		turn := &d.turns[d.at]
		err := s.watched(func() error { return s.world.Follow(turn) })
		var other *workflow.NonDeterminismError
		switch {
		case errors.As(err, &other): // because of what was changed
			text := fmt.Sprintf("the copy goes another way now: in the history %s, here %s", other.Logged, other.Asked)
			if err = s.watched(func() error { return s.world.Diverge(turn) }); err == nil {
				s.note("%s", text)
				d.left = true
			}
		case err == nil:
			d.at++
		}
		if err != nil {
			s.undone(err, true)
			break
		}
	}
	s.arrive()
	return nil
}

// onwards says how a copy can go on at the end of what was recorded.
func (s *Session) onwards() string {
	if s.world.Session().Closed() {
		return ", and of the run: :back goes backwards"
	}
	return ": :why tells what the run waits for, :tick, :complete, :signal and others go on from here, in the copy"
}

// eventsIn is how many events the first recorded turns have.
func (s *Session) eventsIn(turns int) int { return len(s.numbered(s.debug.turns[:turns])) }

func (s *Session) stepBack(rest string) error {
	n, err := steps(rest)
	if err != nil {
		return err
	}
	now := len(s.world.Session().Turns())
	if now == 1 && !s.debug.left {
		return fmt.Errorf("this is the first turn: before it there is nothing")
	}
	return s.backwards(max(1, now-n))
}

// backwards goes to after a turn that the copy has made.
func (s *Session) backwards(turn int) error {
	s.world.Return(s.world.Session().Stamp(turn))
	d := s.debug
	d.at = min(d.at, turn)
	d.left = turn > d.at
	if _, err := s.execution(); err != nil {
		return err
	}
	d.told = turn
	s.arrive()
	return nil
}

func (s *Session) stepTo(rest string) error {
	here, all := s.history(), s.numbered(s.debug.turns)
	if s.debug.left { // the numbers are those of the copy
		all = here
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 || n > len(all) {
		return misuse("the number of an event expected, from 1 to %d, got '%s'", len(all), rest)
	}
	if turn := all[n-1].turn; turn > len(s.world.Session().Turns()) {
		return s.forwards(turn)
	} else {
		return s.backwards(turn)
	}
}

// arrive shows what has happened on the way and where the copy stands.
func (s *Session) arrive() {
	s.tell()
	s.choose()
	s.where()
}

// mostTold is how many events are shown of what has happened at once.
const mostTold = 20

// tell lists the events that were not shown yet.
func (s *Session) tell() {
	list := s.history()
	list = slices.DeleteFunc(list, func(ev numbered) bool { return ev.turn <= s.debug.told })
	if more := len(list) - mostTold; more > 0 {
		s.note("… %d events, then", more)
		list = list[more:]
	}
	s.list(list)
	s.debug.told = len(s.world.Session().Turns())
}

// moved is called when the copy may have made turns of its own.
func (s *Session) moved() {
	if len(s.world.Session().Turns()) == s.debug.told {
		return
	}
	s.debug.left = s.debug.left || len(s.world.Session().Turns()) > s.debug.at
	s.arrive()
}

// ahead is how many recorded events :events shows of what is still to come.
const ahead = 5

func (s *Session) eventsAround(rest string) error {
	if err := s.events(rest); err != nil {
		return err
	}
	here := len(s.history())
	if all := s.numbered(s.debug.turns); !s.debug.left && here < len(all) {
		s.note("--- here; :step goes on with")
		s.list(all[here:min(len(all), here+ahead)])
		if more := len(all) - here - ahead; more > 0 {
			s.note("… %d after", more)
		}
	}
	return nil
}
