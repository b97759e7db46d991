package explore

import (
	"encoding/json"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// Config says what to explore. Only Program must be set.
type Config struct {
	Program  *workflow.Program
	Workflow string           // "": the only one that Program declares
	Input    json.RawMessage  // a JSON array; nil: values that the script can use are looked for
	Limits   vm.Limits        // of each run
	Library  workflow.Library // what the runs can use besides; nil: nothing

	Activities map[string]Outcomes
	Signals    map[string]Signals
	NoCancel   bool // the run is never asked to cancel
	NoCrash    bool // the process never crashes
	Faults     int  // on one path; 0: 2, below 0: none
	Steps      int  // on one path, besides which it may have three times as many runs and make a hundred times as many turns; 0: 300

	Paths   int           // at most; 0: 20,000
	Time    time.Duration // at most, on the wall; 0: no limit
	Seed    uint64        // of what is sampled
	Workers int           // 0: one for each processor

	// Judges makes what checks the paths, one for each worker; nil: only what every run must keep is checked.
	Judges   func() (Judge, error)
	Progress func(Progress) // called now and then, from one goroutine at a time

	path string // of flow.explore: this one alone
}

// Judge says what is wrong with a path.
type Judge interface {
	// Judge returns the invariants that the path breaks. The error is about the judge itself.
	Judge(*Path) ([]Violation, error)
	Close()
}

// Violation is an invariant that does not hold.
type Violation struct {
	Invariant string
	Message   string
	Where     string // of the invariant's code that says so: file:line, if known
}

// Outcomes are what may become of an attempt of an activity. The zero value: a value that the script can use, a generic
// ServiceError, and a timeout if the activity has one.
type Outcomes struct {
	Returns   []json.RawMessage // JSON arrays; the first is the default
	Errors    []*history.Failure
	NoErrors  bool // it does not fail
	NoTimeout bool // it does not time out
}

// Signals are how a signal may come.
type Signals struct {
	Args  []json.RawMessage // JSON arrays; the first is the default
	Times int               // on one path; 0: 2
}

// setup is a Config with everything decided.
type setup struct {
	program     *workflow.Program
	workflow    string
	input       json.RawMessage
	limits      vm.Limits
	library     workflow.Library
	cancel      bool
	crash       bool
	faults      int
	steps       int
	signalNames []string // that may come before the script asks for them, sorted
	plausible   *plausible
	usual       *history.Failure // see Report
	tries       int              // paths that were made to find values
	enough      func() bool      // of them
	guessed     bool             // the input
	over        func() bool      // no path is to be gone on with
}
