package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

func frames() []command {
	const place = "BRANCH is its place in :branches (/1t, or / for the root), or !1 for the first error that the turn has raised."
	return []command{
		{name: "branches", help: "the branches that wait, with where they stand, and the errors that the last turn has raised", run: (*Session).branches},
		{name: "use", args: "BRANCH [LEVEL]", help: "evaluates what is typed in that branch from now on", run: (*Session).use, kind: aPlace, more: place},
		{name: "up", help: "goes to the function that has called this one", run: (*Session).up},
		{name: "down", help: "goes back to the function that this one has called", run: (*Session).down},
		{name: "locals", args: "[BRANCH] [LEVEL]", help: "the variables that the function sees: its own, and those around it", run: (*Session).locals, kind: aPlace, more: place},
		{name: "stack", args: "[BRANCH]", help: "where the branch stands in the script, and how it came about", run: (*Session).frameStack, kind: aPlace, more: place},
		{name: "source", args: "[N]", help: "the lines of the script around this place, N (5) before and after", run: (*Session).source},
	}
}

// standing are the branches of the run that stand in Lua functions, by their places, and what each waits for.
func (s *Session) standing() []scheduler.Node {
	e, err := s.execution()
	if err != nil {
		return nil
	}
	var list []scheduler.Node
	var walk func([]scheduler.Node)
	walk = func(nodes []scheduler.Node) {
		for _, n := range nodes {
			if n.Kind == "branch" && len(e.Levels(n.Path)) > 0 {
				list = append(list, n)
			}
			walk(n.Children)
		}
	}
	walk(e.Dump())
	return list
}

func placeOf(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

// frameNames are the places that :use takes.
func (s *Session) frameNames() []string {
	var places []string
	for _, n := range s.standing() {
		places = append(places, placeOf(n.Path))
	}
	if e, err := s.execution(); err == nil {
		for i := range e.Raised() {
			places = append(places, "!"+strconv.Itoa(i+1))
		}
	}
	return places
}

// choose keeps the frame if it is still there. Else it is that of the branch that was begun last, daemons aside, or of the error
// that has ended the run.
func (s *Session) choose() {
	d := s.debug
	e, err := s.execution()
	if err != nil {
		return
	}
	if d.chosen && !strings.HasPrefix(d.frame.branch, "!") && len(d.frame.levels(e)) > d.frame.level {
		return
	}
	d.frame, d.chosen = frame{}, false
	if list := s.standing(); len(list) > 0 {
		last := len(list) - 1
		for last > 0 && list[last].Daemon {
			last--
		}
		d.frame.branch = placeOf(list[last].Path)
		return
	}
	raised := e.Raised()
	last := len(raised)
	for last > 1 && raised[last-1].Cancelled { // of those that another error has stopped
		last--
	}
	if last > 0 {
		d.frame.branch = "!" + strconv.Itoa(last)
	}
}

// where tells the place that is looked at.
func (s *Session) where() {
	e, err := s.execution()
	if err != nil {
		s.complain(err.Error())
		return
	}
	if end := e.Closing(); end.Kind != 0 {
		text := "the run has ended: " + s.describe(&end)
		if end.Kind == history.RunFailed && end.Failure != nil {
			text = "the run has failed: " + failureText(end.Failure)
		}
		s.note("%s", text)
	}
	f := s.debug.frame
	level, err := f.find(e)
	switch {
	case err != nil:
		s.note("%v", err)
	case f.branch == "":
		s.note("no branch stands in the script here")
	default:
		at := fmt.Sprintf("at %s:%d", level.Source, level.Line)
		s.note("%s %s%s", f.branch, at, s.quote(at))
	}
}

func (s *Session) branches(rest string) error {
	if err := none(rest); err != nil {
		return err
	}
	e, err := s.execution()
	if err != nil {
		return err
	}
	var rows [][]string
	row := func(place, at, what string) {
		mark := " "
		if place == s.debug.frame.branch {
			mark = "*"
		}
		rows = append(rows, []string{mark + " " + place, at, what})
	}
	for _, n := range s.standing() {
		row(placeOf(n.Path), firstLine(e.Levels(n.Path)), "waits "+progress.WaitText(n.Waiting))
	}
	for i, r := range e.Raised() {
		row("!"+strconv.Itoa(i+1), firstLine(r.Levels), "raised in "+placeOf(r.Branch)+": "+oneLine(r.Text, 60))
	}
	if len(rows) == 0 {
		s.say("no branch stands in the script here, and the last turn has raised no error")
		return nil
	}
	wide := [2]int{}
	for _, r := range rows {
		wide[0], wide[1] = max(wide[0], len(r[0])), max(wide[1], len(r[1]))
	}
	for _, r := range rows {
		s.say("%-*s  %-*s  %s", wide[0], r[0], wide[1], r[1], r[2])
	}
	return nil
}

func firstLine(levels []vm.Level) string {
	if len(levels) == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", levels[0].Source, levels[0].Line)
}

// frameAt reads [BRANCH] [LEVEL]; levels are counted from 1, the innermost.
func (s *Session) frameAt(rest string) (frame, error) {
	f := s.debug.frame
	args := strings.Fields(rest)
	e, err := s.execution()
	if err != nil {
		return f, err
	}
	if len(args) > 0 {
		f = frame{branch: args[0]}
		if len(f.levels(e)) == 0 && !strings.HasPrefix(args[0], "/") {
			f.branch = "/" + args[0]
		}
		if len(f.levels(e)) == 0 {
			places := s.frameNames()
			if len(places) == 0 {
				return f, fmt.Errorf("'%s' stands nowhere in the script, and nothing else does: :back goes to before", args[0])
			}
			return f, fmt.Errorf("'%s' stands nowhere in the script%s; these do: %s", args[0], stdlib.Suggest(args[0], places), oneLine(strings.Join(places, ", "), 200))
		}
	}
	if len(args) > 1 {
		n, err := strconv.Atoi(args[1])
		if most := len(f.levels(e)); err != nil || n < 1 || n > most {
			return f, misuse("a level from 1 to %d expected, got '%s'", most, args[1])
		}
		f.level = n - 1
	}
	if len(args) > 2 {
		return f, misuse("a branch and a level expected, got '%s'", rest)
	}
	return f, nil
}

func (s *Session) use(rest string) error {
	if rest == "" {
		return misuse("a branch expected")
	}
	f, err := s.frameAt(rest)
	if err == nil {
		s.debug.frame, s.debug.chosen = f, true
		s.where()
	}
	return err
}

func (s *Session) up(rest string) error   { return s.climb(rest, 1) }
func (s *Session) down(rest string) error { return s.climb(rest, -1) }

func (s *Session) climb(rest string, by int) error {
	if err := none(rest); err != nil {
		return err
	}
	e, err := s.execution()
	if err != nil {
		return err
	}
	f := s.debug.frame
	f.level += by
	switch {
	case f.level < 0:
		return fmt.Errorf("this is the innermost function")
	case f.level >= len(f.levels(e)):
		return fmt.Errorf("this is the outermost function; :stack shows them all")
	}
	s.debug.frame, s.debug.chosen = f, true
	s.where()
	return nil
}

// looked is the frame that a command is about, and the execution that it is of.
func (s *Session) looked(rest string) (f frame, e *workflow.Execution, err error) {
	if f, err = s.frameAt(rest); err != nil {
		return f, nil, err
	}
	e, err = s.execution()
	return f, e, err
}

func (s *Session) locals(rest string) error {
	f, e, err := s.looked(rest)
	if err != nil {
		return err
	}
	level, err := f.find(e)
	if err != nil {
		return err
	}
	if f.branch == "" {
		return fmt.Errorf("no branch stands in the script here: only globals can be seen; :back goes to before")
	}
	s.say("%s at %s:%d in %s", f.branch, level.Source, level.Line, level.Function)
	wide := 0
	for _, v := range level.Variables {
		wide = max(wide, len(v.Name))
	}
	for _, upvalues := range []bool{false, true} {
		vars := slices.DeleteFunc(slices.Clone(level.Variables), func(v vm.Variable) bool { return v.Upvalue != upvalues })
		if len(vars) == 0 {
			continue
		}
		if upvalues {
			s.note("of functions around it")
		}
		for _, v := range slices.Backward(vars) {
			s.say("  %-*s  %s", wide, v.Name, s.brief(v))
		}
	}
	if len(level.Rest) > 0 {
		s.say("  %-*s  %s", wide, "...", oneLine(s.values(level.Rest), 100))
	}
	if len(level.Variables) == 0 && len(level.Rest) == 0 {
		s.say("  it sees no variables but globals")
	}
	return nil
}

// brief is a value on one line.
func (s *Session) brief(v vm.Variable) string {
	switch value := v.Value().(type) {
	case lua.LString:
		return oneLine(strconv.Quote(string(value)), 100)
	case *lua.LTable:
		if e, err := s.execution(); err == nil {
			e.State().Complete(value)
		}
		if module(value) {
			return "a table of functions"
		}
	}
	return oneLine(s.show(v.Value()), 100)
}

// module reports whether a table is for the most part functions, so that it says little.
func module(t *lua.LTable) bool {
	all, functions := 0, 0
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if all++; v.Type() == lua.LTFunction {
			functions++
		}
	}
	return functions > 2 && 2*functions > all
}

func (s *Session) frameStack(rest string) error {
	f, e, err := s.looked(rest)
	if err != nil {
		return err
	}
	if f.branch == "" {
		if end := e.Closing(); end.Failure != nil {
			for _, line := range end.Failure.Trace {
				s.say("  %s%s", line, s.quote(line))
			}
			return nil
		}
		return fmt.Errorf("no branch stands in the script here")
	}
	s.say("%s", f.branch)
	if strings.HasPrefix(f.branch, "!") {
		for i, level := range f.levels(e) {
			s.stackLine(i == f.level, scheduler.Frame(level.Frame))
		}
		return nil
	}
	for i, fr := range e.Trace(strings.TrimSuffix(f.branch, "/")) {
		if fr.Source != "[C]" {
			s.stackLine(i == f.level && f.branch == s.debug.frame.branch, fr)
		}
	}
	return nil
}

func (s *Session) stackLine(current bool, f scheduler.Frame) {
	mark := " "
	if current {
		mark = "*"
	}
	if f.Source == "" || f.Line == 0 {
		s.say("%s %s", mark, strings.TrimSpace(f.Source+f.Function))
		return
	}
	line := fmt.Sprintf("at %s:%d", f.Source, f.Line)
	s.say("%s %s%s", mark, line, s.quote(line))
}

func (s *Session) source(rest string) error {
	n := 5
	if rest != "" {
		var err error
		if n, err = strconv.Atoi(rest); err != nil || n < 1 {
			return misuse("a number of lines expected, got '%s'", rest)
		}
	}
	e, err := s.execution()
	if err != nil {
		return err
	}
	level, err := s.debug.frame.find(e)
	if err != nil || level.Source == "" {
		return fmt.Errorf("no branch stands in the script here; :use chooses one, :back goes to before")
	}
	lines := strings.Split(s.world.Source(level.Source), "\n")
	for i := max(1, level.Line-n); i <= min(len(lines), level.Line+n); i++ {
		mark := " "
		if i == level.Line {
			mark = "*"
		}
		s.say("%s", strings.TrimRight(fmt.Sprintf("%s %3d  %s", mark, i, lines[i-1]), " "))
	}
	return nil
}
