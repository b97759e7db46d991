package repl

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/flowlua/flowlua/stdlib"
)

func timing() []command {
	return []command{
		{name: "skip", args: "DURATION", help: "lets that much virtual time pass: 90, 1h, 2m30s", run: (*Session).skip},
		{name: "tick", help: "goes on to the next thing that happens by itself", run: (*Session).tick},
		{name: "run", help: "lets time pass until nothing is left but the outside world", run: (*Session).runOut},
		{name: "live", args: "[DURATION]", help: "does so in real time, for DURATION at most; Ctrl-C ends it", run: (*Session).live},
	}
}

func duration(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second)), nil
	}
	if text == "" {
		return 0, misuse("a duration expected, such as 90, 250ms, 1h or 2m30s")
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, misuse("a duration expected, such as 90, 250ms, 1h or 2m30s, got '%s'", text)
	}
	return d, nil
}

func (s *Session) skip(rest string) error {
	d, err := duration(rest)
	if err != nil {
		return err
	}
	s.change(":skip "+rest, func() error {
		end := s.world.Now().Add(d)
		err := s.advance(end, nothing)
		if err == nil {
			s.world.SkipTo(end)
		}
		return err
	})
	return nil
}

func (s *Session) tick(rest string) error {
	if err := none(rest); err != nil {
		return err
	}
	before := s.world.Now()
	next, ok := s.world.Next()
	if !ok {
		return fmt.Errorf("nothing is left that happens by itself; :why tells what waits for you")
	}
	s.change(":tick", func() error {
		if next.After(before) {
			s.note("+%s", stdlib.FormatDuration(next.Sub(before)))
		}
		_, err := s.world.Tick(time.Time{})
		return err
	})
	return nil
}

// mostSteps is after how many things that have happened :run asks whether this will ever end.
const mostSteps = 10_000

func (s *Session) runOut(rest string) error {
	if err := none(rest); err != nil {
		return err
	}
	s.change(":run", func() error { return s.advance(time.Time{}, nothing) })
	return nil
}

func nothing(time.Time) bool { return true }

// advance lets happen what happens by itself, until then. wait is asked before each.
func (s *Session) advance(until time.Time, wait func(next time.Time) bool) error {
	return s.each(until, wait, func() error {
		_, err := s.world.Tick(until)
		return err
	})
}

func (s *Session) each(until time.Time, wait func(next time.Time) bool, tick func() error) error {
	for n := 0; ; n++ {
		if n == mostSteps && until.IsZero() {
			s.complain(fmt.Sprintf("%d things have happened and more follow: something repeats for ever. :skip goes on, :tree shows it", n))
			return nil
		}
		next, ok := s.world.Next()
		if !ok || !until.IsZero() && next.After(until) || !wait(next) {
			return nil
		}
		if err := tick(); err != nil {
			return err
		}
		s.news()
	}
}

func (s *Session) live(rest string) error {
	until := time.Time{}
	if rest != "" {
		d, err := duration(rest)
		if err != nil {
			return err
		}
		until = s.world.Now().Add(d)
	}
	pause := s.config.Pause
	if pause == nil {
		pause = realPause
	}
	ended := false
	wait := func(next time.Time) bool {
		ended = !pause(next.Sub(s.world.Now()), s.config.Interrupts)
		return !ended
	}
	s.past = append(s.past, entry{":live", s.world.Mark()})
	s.world.Resume()
	err := s.each(until, wait, func() error { // Ctrl-C in the pauses is theirs
		return s.watched(func() error { _, err := s.world.Tick(until); return err })
	})
	if err == nil && !until.IsZero() && !ended && pause(until.Sub(s.world.Now()), s.config.Interrupts) {
		s.world.SkipTo(until)
	}
	s.news()
	if err != nil {
		s.undone(err, s.world.Mark() != s.past[len(s.past)-1].mark)
	}
	return nil
}

// realPause waits; false: it was interrupted.
func realPause(d time.Duration, interrupts <-chan os.Signal) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-interrupts:
		return false
	}
}
