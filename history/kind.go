package history

import "fmt"

// Kind says what an event tells. Its text form is what is stored, its number is not.
type Kind uint8

// What happened to a run, from outside.
const (
	_                 Kind = iota
	RunStarted             // Name: workflow, Payload: input
	ActivityCompleted      // Op, Payload: results
	ActivityFailed         // Op, Failure; a cancelled one has a Failure named CancelledError
	TimerFired             // Op
	ChildCompleted         // Op, Payload: results
	ChildFailed            // Op, Failure
	SignalReceived         // Name: signal, Payload: arguments
	SignalDelivered        // Op: a SignalSent reached its run
	SignalFailed           // Op, Failure: it did not
	CancelRequested        // Payload: [reason] or []; Op: of what is open there, "" of the whole run
	ChunkEntered           // of a session. Name: of the chunk in messages, Payload: [source, the line on which it begins]
	RunTerminated          // Failure; the run ends with it, and its script is not asked

	firstDecision
)

// What a run decided.
const (
	ActivityScheduled       Kind = firstDecision + iota // Op, Name: activity, Payload: arguments, Activity: options
	ActivityCancelRequested                             // Op
	TimerStarted                                        // Op, At: when it is due
	TimerCancelled                                      // Op
	ChildStarted                                        // Op, Name: workflow, Payload: input, Child: options
	ChildCancelRequested                                // Op, Payload: [reason] or []
	SignalSent                                          // Op, Name: signal, Payload: arguments, Run: the receiver
	SideEffectRecorded                                  // Op, Name: what made it, Payload: values or Failure
	VersionRecorded                                     // Op, Name: change, Payload: [version]
	StatusSet                                           // Payload: [value]
	RunCompleted                                        // Payload: results
	RunFailed                                           // Failure
	RunCancelled                                        // Failure: the cancellation
	RunContinued                                        // Payload: input of the next run

	lastKind
)

var kindNames = [lastKind]string{
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
func (k Kind) Decision() bool { return k >= firstDecision && k < lastKind }

// Closes reports whether this is the last decision of a run.
func (k Kind) Closes() bool { return k >= RunCompleted && k < lastKind }

func (k Kind) valid() bool { return k < lastKind && kindNames[k] != "" }

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
