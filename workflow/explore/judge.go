package explore

import (
	"errors"
	"regexp"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/workflow"
)

// The invariants of every run.
const (
	EngineError   = "the engine can run it"
	Replays       = "it is replayed as it ran"
	Ends          = "it ends"
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
func basic(p *Path) []Violation {
	if p.Stuck {
		return []Violation{{Invariant: Ends, Message: "nothing is left that could happen, and the run is open"}}
	}
	if f := scriptError(&p.Closing); f != nil {
		return []Violation{{NoScriptError, f.Message, tracePlace(f)}}
	}
	return nil
}

// mistake is how Lua's own errors begin, with or without the place.
var mistake = regexp.MustCompile(`^(?:[^:\n]+:\d+: )?(?:attempt to |bad argument #|stack overflow|'for' )`)

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
