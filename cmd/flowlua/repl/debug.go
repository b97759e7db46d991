package repl

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/flowlua/flowlua/cmd/flowlua/repl/world"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// debug is what a session knows of the run whose copy it is.
type debug struct {
	turns  []history.Turn // as they were recorded
	at     int            // how many of them the copy has made
	left   bool           // what the copy has done since is not what was recorded
	told   int            // how many turns' events were shown
	frame  frame          // where what is typed is evaluated
	chosen bool           // by the user
}

// frame is a Lua function of a branch. Branch is the branch's place ("/" for the root), or "!2" for the second error of the turn.
type frame struct {
	branch string
	level  int // 0: innermost
}

// Debug begins a session on the copy of a run, after the turn of an event (from 1; 0: at the end). What is typed is evaluated in the
// frame of a branch. Nobody performs the activities of the copy.
func Debug(config Config, rec *history.Recording, at int) (*Session, error) {
	s := &Session{config: config, debug: &debug{turns: rec.Turns}}
	if s.config.Err == nil {
		s.config.Err = config.Out
	}
	s.config.Folder = cmp.Or(config.Folder, ".")
	var err error
	if s.docs, err = readDocs(stdlib.Declarations()); err != nil {
		return nil, err
	}
	program, err := workflow.NewProgram(rec.Sources)
	if err != nil {
		return nil, err
	}
	to, total := len(rec.Turns), 0
	for i, t := range rec.Turns {
		if total += len(t.Events) + len(t.Decisions); at > 0 && total >= at {
			to = min(to, i+1)
		}
	}
	if at > total {
		return nil, &NoSuchEvent{total}
	}
	s.world, err = world.Copy(world.Config{Print: s.print, Log: s.logger(), Limits: config.Limits}, rec.Run, program, rec.Turns[:to])
	if err != nil {
		return nil, err
	}
	s.debug.at, s.debug.told = to, to
	s.choose()
	return s, nil
}

// NoSuchEvent is the error of an event that a history does not have.
type NoSuchEvent struct{ events int }

func (e *NoSuchEvent) Error() string {
	return fmt.Sprintf("the history has %d events: flowlua show ID --events numbers them", e.events)
}

// Welcome tells where a session on a copy stands.
func (s *Session) Welcome() { s.where() }

// debugGroups are the commands of a session on a copy.
func (s *Session) debugGroups() []group {
	keep := slices.DeleteFunc(keeping(), func(c command) bool { return !slices.Contains([]string{"export", "record", "quit"}, c.name) })
	look := append(frames(), slices.DeleteFunc(looking(), func(c command) bool { return c.name == "stack" || c.name == "events" })...)
	return []group{{"Stepping", stepping()}, {"Looking", look}, {"Going another way: time", timing()}, {"Going another way: the outside world", outside()}, {"Keeping", keep}}
}

func (s *Session) debugPrompt() string {
	prompt := fmt.Sprintf("#%d", len(s.history()))
	if s.debug.left {
		prompt += "*"
	}
	if s.debug.frame.branch != "" {
		prompt += " " + s.debug.frame.branch
	}
	return prompt
}

// level finds the Lua function of a frame in the copy, which may have been rebuilt since.
func (f frame) find(e *workflow.Execution) (vm.Level, error) {
	if f.branch == "" { // nothing stands anywhere: only globals can be seen
		return vm.Level{}, nil
	}
	list := f.levels(e)
	if f.level >= len(list) {
		return vm.Level{}, fmt.Errorf("%s stands in no Lua function here", f.branch)
	}
	return list[f.level], nil
}

func (f frame) levels(e *workflow.Execution) []vm.Level {
	var n int
	if _, err := fmt.Sscanf(f.branch, "!%d", &n); err == nil {
		if raised := e.Raised(); n >= 1 && n <= len(raised) {
			return raised[n-1].Levels
		}
		return nil
	}
	if f.branch == "/" {
		return e.Levels("")
	}
	return e.Levels(f.branch)
}

// evaluate runs what is typed in the chosen frame.
func (s *Session) evaluate(text string) {
	if problem := s.unseen(text); problem != "" {
		s.complain(problem)
		return
	}
	s.world.Resume()
	err := s.watched(func() error {
		values, err := s.world.Evaluate(s.debug.frame.find, typedName, text)
		if err == nil && len(values) > 0 {
			s.say("%s", s.values(values))
		}
		return err
	})
	var syntax *vm.SyntaxError
	var limit *vm.LimitError
	var failed *stdlib.Error
	switch {
	case err == nil:
	case errors.Is(err, world.ErrInterrupted), errors.As(err, &limit):
		s.undone(err, false)
	case errors.As(err, &syntax):
		s.fail(err)
	case errors.As(err, &failed):
		s.complain(failed.Error() + s.hint(failed.Message))
	default:
		s.complain(err.Error())
	}
}

var oneName = regexp.MustCompile(`^\s*=?\s*([A-Za-z_]\w*)\s*$`)

// unseen tells of a name that the frame does not see and who does; "" if there is nothing to tell.
func (s *Session) unseen(text string) string {
	m := oneName.FindStringSubmatch(text)
	e, err := s.execution()
	if m == nil || err != nil || slices.Contains(keywords, m[1]) || slices.Contains(s.names(), m[1]) {
		return ""
	}
	for _, place := range s.frameNames() {
		for level, l := range (frame{branch: place}).levels(e) {
			if slices.ContainsFunc(l.Variables, func(v vm.Variable) bool { return v.Name == m[1] }) {
				return fmt.Sprintf("no variable '%s' is seen here; it is in %s: :use %s %d", m[1], place, place, level+1)
			}
		}
	}
	return fmt.Sprintf("there is no variable '%s'%s", m[1], stdlib.Suggest(m[1], s.names()))
}

const typedName = "typed" // what is evaluated, in messages
