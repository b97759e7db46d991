package history

import "fmt"

// Kind says what an event tells. Documents hold its name and stores hold its number: neither ever changes, nor is one that is
// given up used again.
type Kind uint8

// What happened to a run, from outside.
const (
	RunStarted        Kind = 1  // Name: workflow, Payload: input
	ActivityCompleted Kind = 2  // Op, Payload: results
	ActivityFailed    Kind = 3  // Op, Failure; a cancelled one has a Failure named CancelledError
	TimerFired        Kind = 4  // Op
	ChildCompleted    Kind = 5  // Op, Payload: results
	ChildFailed       Kind = 6  // Op, Failure
	SignalReceived    Kind = 7  // Name: signal, Payload: arguments
	SignalDelivered   Kind = 8  // Op: a SignalSent reached its run
	SignalFailed      Kind = 9  // Op, Failure: it did not
	CancelRequested   Kind = 10 // Payload: [reason] or []; Op: of what is open there, "" of the whole run
	ChunkEntered      Kind = 11 // of a session. Name: of the chunk in messages, Payload: [source, the line on which it begins]
	RunTerminated     Kind = 12 // Failure; the run ends with it, and its script is not asked
)

// What a run decided.
const (
	ActivityScheduled       Kind = 64 // Op, Name: activity, Payload: arguments, Activity: options
	ActivityCancelRequested Kind = 65 // Op
	TimerStarted            Kind = 66 // Op, At: when it is due
	TimerCancelled          Kind = 67 // Op
	ChildStarted            Kind = 68 // Op, Name: workflow, Payload: input, Child: options
	ChildCancelRequested    Kind = 69 // Op, Payload: [reason] or []
	SignalSent              Kind = 70 // Op, Name: signal, Payload: arguments, Run: the receiver
	SideEffectRecorded      Kind = 71 // Op, Name: what made it, Payload: values or Failure
	VersionRecorded         Kind = 72 // Op, Name: change, Payload: [version]
	StatusSet               Kind = 73 // Payload: [value]
	RunCompleted            Kind = 74 // Payload: results
	RunFailed               Kind = 75 // Failure
	RunCancelled            Kind = 76 // Failure: the cancellation
	RunContinued            Kind = 77 // Payload: input of the next run
)

var kindNames = [...]string{
	RunStarted: "RunStarted", ActivityCompleted: "ActivityCompleted", ActivityFailed: "ActivityFailed", TimerFired: "TimerFired",
	ChildCompleted: "ChildCompleted", ChildFailed: "ChildFailed", SignalReceived: "SignalReceived", SignalDelivered: "SignalDelivered",
	SignalFailed: "SignalFailed", CancelRequested: "CancelRequested", RunTerminated: "RunTerminated",
	ChunkEntered:      "ChunkEntered",
	ActivityScheduled: "ActivityScheduled", ActivityCancelRequested: "ActivityCancelRequested", TimerStarted: "TimerStarted",
	TimerCancelled: "TimerCancelled", ChildStarted: "ChildStarted", ChildCancelRequested: "ChildCancelRequested", SignalSent: "SignalSent",
	SideEffectRecorded: "SideEffectRecorded", VersionRecorded: "VersionRecorded", StatusSet: "StatusSet",
	RunCompleted: "RunCompleted", RunFailed: "RunFailed", RunCancelled: "RunCancelled", RunContinued: "RunContinued",
}

func (k Kind) String() string {
	if k.valid() {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Decision reports whether the run itself decided this, as opposed to what happened to it.
func (k Kind) Decision() bool { return k >= ActivityScheduled && k.valid() }

// Closes reports whether this is the last decision of a run.
func (k Kind) Closes() bool { return k >= RunCompleted && k <= RunContinued }

func (k Kind) valid() bool { return int(k) < len(kindNames) && kindNames[k] != "" }

// MarshalText gives the name that is stored.
func (k Kind) MarshalText() ([]byte, error) {
	if !k.valid() {
		return nil, fmt.Errorf("history: %v is no kind of event", k)
	}
	return []byte(kindNames[k]), nil
}

// UnmarshalText reads the stored name; a name that this release does not know is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kindNames {
		if name != "" && name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("history: unknown kind of event %q (written by a newer release?)", text)
}
