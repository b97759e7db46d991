package explore

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// The invariants of every run.
const (
	EngineError   = "the engine can run it"
	Replays       = "it is replayed as it ran"
	Ends          = "it ends"
	FinallyOnce   = "finally runs once"
	NothingOpen   = "nothing is open when it ends"
	NoScriptError = "the script has no error of its own"
)

// nobody has nothing to say.
type nobody struct{}

func (nobody) Judge(*Path) ([]Violation, error) { return nil, nil }
func (nobody) Close()                           {}

// judge says what is wrong with a path.
func judge(p *Path, j Judge) ([]Violation, error) {
	if p.Err != nil {
		return []Violation{engineViolation(p.Err)}, nil
	}
	found := basic(p)
	more, err := j.Judge(p)
	return append(found, more...), err
}

func engineViolation(err error) Violation {
	var differs *workflow.NonDeterminismError
	if errors.As(err, &differs) {
		return Violation{Replays, "after a crash the run would be rebuilt from its history, and it does not decide again what it has decided: " + err.Error(), differs.Where}
	}
	return Violation{Invariant: EngineError, Message: err.Error()}
}

// basic is what every run must keep.
func basic(p *Path) (found []Violation) {
	add := func(invariant, format string, args ...any) {
		found = append(found, Violation{Invariant: invariant, Message: fmt.Sprintf(format, args...)})
	}
	if p.Stuck {
		add(Ends, "nothing is left that could happen, and the run is open")
	}
	if p.Closing.Kind == 0 {
		return found
	}
	for _, c := range p.Calls {
		if c.Outcome == "open" && c.Run == mainID {
			add(NothingOpen, "the run has ended, and activity %s is still at work (operation %s)", c.Name, c.Op)
			break
		}
	}
	for _, f := range p.Finallies {
		if f.Ran != f.Tried {
			add(FinallyOnce, "the finally of %s:%d has run %d times, its try %d times", f.Source, f.Line, f.Ran, f.Tried)
		}
	}
	if f := scriptError(&p.Closing); f != nil {
		found = append(found, Violation{NoScriptError, f.Message, placeOf(f)})
	}
	return found
}

// mistake is how Lua's own errors begin, after the place.
var mistake = regexp.MustCompile(`^([^:\n]+:\d+): (attempt to |bad argument #|stack overflow|'for' )`)

// scriptError is the failure of a run that has ended by an error of Lua, such as arithmetic on nil. Other failures are meant.
func scriptError(closing *history.Event) *history.Failure {
	if closing.Kind != history.RunFailed {
		return nil
	}
	for f := closing.Failure; f != nil; f = f.Cause {
		if f.Name == "Error" && mistake.MatchString(f.Message) {
			return f
		}
	}
	return nil
}

func placeOf(f *history.Failure) string {
	if m := mistake.FindStringSubmatch(f.Message); m != nil {
		return m[1]
	}
	place, _, _ := strings.Cut(f.Message, ": ")
	return place
}
