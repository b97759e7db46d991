package repl

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

func looking() []command {
	return []command{
		{name: "help", args: "[TOPIC]", help: "the commands, or what TOPIC is: a command, a function such as flow.retry, a type", run: (*Session).help, kind: aTopic},
		{name: "tree", help: "everything that was started, with states, durations and attempts", run: (*Session).tree},
		{name: "why", args: "[BRANCH]", help: "what it waits for, and who would bring that about; without BRANCH all that waits", run: (*Session).why, kind: aPlace},
		{name: "stack", args: "[BRANCH]", help: "where it stands in the script, and how it came about; without BRANCH the newest line that waits", run: (*Session).stack, kind: aPlace},
		{name: "events", args: "[N]", help: "the last N (20) events and decisions of the history, with the numbers for :goto", run: (*Session).events},
	}
}

// tree draws what history and tree tell together.
func (s *Session) tree(rest string) error {
	if err := none(rest); err != nil {
		return err
	}
	var watch progress.Watch
	for _, r := range s.world.Runs() {
		for _, t := range r.Turns() {
			watch.Turn(r.Ref, t)
			for _, d := range t.Decisions {
				if d.Kind == history.ActivityScheduled {
					watch.Attempt(progress.Attempt{Run: r.Ref.ID, Op: d.Op, Number: r.Attempts(d.Op), At: t.Time})
				}
			}
		}
	}
	for _, a := range s.world.Activities() {
		at := progress.Attempt{Run: a.Run.Ref.ID, Op: a.Op, Number: a.Attempt, At: a.Began}
		if !a.Again.IsZero() && a.Failed != nil {
			at = progress.Attempt{Run: a.Run.Ref.ID, Op: a.Op, Number: a.Attempt - 1, At: s.world.Now(), Failure: a.Failed, Again: a.Again}
		}
		watch.Attempt(at)
	}
	e, err := s.execution()
	if err != nil {
		return err
	}
	watch.Edit(func(b *progress.Board) {
		if s.debug == nil {
			b.Step("").Name = "session"
		}
		for _, c := range e.Chunks() {
			overlayChunk(b, c)
		}
		for _, n := range s.nodes() {
			overlayNode(b, n, s.world.Now())
		}
	})
	columns, rows := 0, 0
	if s.config.Size != nil {
		columns, rows = s.config.Size()
		rows = max(0, rows-2)
	}
	for _, line := range watch.Lines(s.world.Now(), progress.Style{Width: columns, Height: rows, Color: s.config.Color}) {
		s.say("%s", line)
	}
	return nil
}

// overlayChunk names the branches of lines. Lines that are over and have started nothing are left out.
func overlayChunk(b *progress.Board, c *workflow.Chunk) {
	if c.Over && b.Find(c.Path) == nil {
		return
	}
	step := b.Step(c.Path)
	step.Name, step.Kind = oneLine(c.Source, 40)+"  "+c.Path, "line"
	step.Begin(progress.Running, c.Entered)
	switch {
	case !c.Over:
	case scheduler.AsCancelled(c.Err) != nil:
		step.End(progress.Cancelled, c.Ended)
	case c.Err != nil:
		step.End(progress.Failed, c.Ended)
		step.Note = stdlib.ErrorOf(c.Err).Error()
	default:
		step.End(progress.Done, c.Ended)
	}
}

func overlayNode(b *progress.Board, n node, now time.Time) {
	if n.place == "" || strings.HasSuffix(n.place, "t") && n.Kind == "branch" {
		return
	}
	step := b.Step(n.place)
	if n.Kind != "branch" && n.Kind != "scope" {
		if step.Kind == "" { // not started
			step.Kind, step.Name, step.Note = n.Kind, n.Name, "waits "+n.Waiting
		}
		step.Name = strings.TrimSpace(step.Name + "  " + n.place)
		return
	}
	if step.Kind == "" {
		step.Name, step.Kind = n.Name+"  "+n.place, n.Kind
		step.State = progress.Running
		if n.State == "waiting" && n.Kind == "branch" {
			step.State = progress.Waiting
		}
	}
	if n.Waiting != "" {
		step.Note = "waits " + n.Waiting
	}
}

func (s *Session) why(rest string) error {
	if rest != "" {
		n, err := s.find(rest)
		if err == nil {
			s.paragraph("", n.title()+" "+s.reason(n.place))
		}
		return err
	}
	reasons := map[string]string{}
	all := s.nodes()
	for _, n := range all {
		if n.Kind != "scope" || len(n.Children) == 0 {
			reasons[n.place] = s.reason(n.place)
		}
	}
	told := false
	for _, n := range all {
		reason, ok := reasons[n.place]
		for place, other := range reasons { // what is named by another that waits is told there
			ok = ok && (place == n.place || !strings.Contains(other, " "+n.place+" "))
		}
		if ok {
			s.paragraph("", n.title()+" "+reason)
			told = true
		}
	}
	if !told {
		s.say("nothing waits")
	}
	return nil
}

func (s *Session) stack(rest string) error {
	place := rest
	if rest == "" {
		e, err := s.execution()
		if err != nil {
			return err
		}
		for _, c := range e.Chunks() {
			if !c.Over {
				place = c.Path
			}
		}
		if place == "" {
			return fmt.Errorf("no line waits; :why shows what else does")
		}
	}
	n, err := s.find(place)
	if err != nil {
		return err
	}
	e, err := n.run.Execution()
	if err != nil {
		return err
	}
	s.say("%s", n.title())
	for _, f := range e.Trace(n.Path) {
		switch {
		case f.Source == "[C]":
		case f.Source == "" || f.Line == 0:
			s.say("  %s", strings.TrimSpace(f.Source+f.Function))
		default:
			line := fmt.Sprintf("at %s:%d", f.Source, f.Line)
			s.say("  %s%s", line, s.quote(line))
		}
	}
	return nil
}

func (s *Session) events(rest string) error {
	n := 20
	if rest != "" {
		var err error
		if n, err = strconv.Atoi(rest); err != nil || n < 1 {
			return misuse("a number of events expected, got '%s'", rest)
		}
	}
	list := s.history()
	if len(list) > n {
		s.note("… %d before", len(list)-n)
		list = list[len(list)-n:]
	}
	s.list(list)
	return nil
}

func (s *Session) list(events []numbered) {
	for _, ev := range events {
		arrow := "←"
		if ev.Kind.Decision() {
			arrow = "→"
		}
		s.say("%3d %6s %s %s", ev.number, s.moment(ev.at), arrow, s.describe(&ev.Event))
		for _, line := range progress.PastLines(ev.Attempts, s.world.Start()) {
			s.note("%13s%s", "", line)
		}
	}
}

// numbered is an event of the history with its number, from 1.
type numbered struct {
	history.Event
	number, turn int
	at           time.Duration
}

func (s *Session) history() []numbered { return s.numbered(s.world.Session().Turns()) }

func (s *Session) numbered(turns []history.Turn) []numbered {
	var list []numbered
	for i, t := range turns {
		for _, part := range [][]history.Event{t.Events, t.Decisions} {
			for _, ev := range part {
				list = append(list, numbered{ev, len(list) + 1, i + 1, t.Time.Sub(s.world.Start())})
			}
		}
	}
	return list
}

func (s *Session) describe(ev *history.Event) string {
	parts := []string{ev.Kind.String()}
	if ev.Op != "" {
		parts = append(parts, ev.Op)
	}
	if ev.Kind == history.ChunkEntered {
		if t, err := workflow.TypedIn(ev); err == nil {
			return strings.Join(append(parts, oneLine(t.Source, 60)), " ")
		}
	}
	if ev.Name != "" {
		parts = append(parts, ev.Name)
	}
	if !ev.At.IsZero() {
		parts = append(parts, "due "+s.moment(ev.At.Sub(s.world.Start())))
	}
	if ev.Run != "" {
		parts = append(parts, "to "+ev.Run)
	}
	if len(ev.Payload) > 0 && string(ev.Payload) != "[]" {
		parts = append(parts, oneLine(string(ev.Payload), 60))
	}
	if ev.Failure != nil {
		parts = append(parts, failureText(ev.Failure))
	}
	if len(ev.Attempts) > 0 {
		parts = append(parts, progress.AfterAttempts(ev.Attempts))
	}
	return strings.Join(parts, " ")
}

// moment is a time since the start. In the copy of a run, whose times are real ones, it is rounded.
func (s *Session) moment(d time.Duration) string {
	if s.debug != nil {
		d = d.Round(time.Millisecond)
	}
	return stdlib.FormatDuration(d)
}

func failureText(f *history.Failure) string {
	if f.Message == "" {
		return f.Name
	}
	return oneLine(f.Name+": "+f.Message, 60)
}
