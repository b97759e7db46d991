package flowtest

import (
	"time"

	"github.com/flowlua/flowlua/history"
)

// Status is how a test has ended.
type Status string

const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Pending Status = "pending"
)

// Result is what has become of a test.
type Result struct {
	Test    Test
	Status  Status
	Failure *history.Failure // of a test that has failed: its Trace begins with the line in the spec, or in the script under test
	Reason  string           // why it is pending, if it says
	Printed []string         // what the test and the runs have printed
	Elapsed time.Duration    // in the virtual time of the test
	Took    time.Duration    // in real time
	Turns   int              // of all runs
}
