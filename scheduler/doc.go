// Package scheduler is the execution tree: branches, scopes, promises, operations and their cancellation, run
// cooperatively by one FIFO ready queue. It knows no Lua, no clock and no I/O, and starts no goroutine except the
// pooled iter.Pull coroutines that branch bodies run on.
//
// The semantics are the AWS Flow Framework's (flow-semantics 1 to 4) with the decisions of design.md section 3:
//
//   - Nothing runs inside the call that makes it runnable: starting, settling, cancelling and completing only append to
//     the queue (rule 1). Waiters resume in the order in which they began to wait.
//   - A branch belongs to the phase (try, catch or finally) of the scope it was started in, not to its creator (rule 2).
//   - A scope runs catch at most once and only when everything of try is gone; finally exactly once if try started and
//     only when everything of try and catch is gone. The last real failure wins, a cancellation displaces nothing,
//     what a phase body raises replaces.
//   - A failure is delivered once (rule 4): to the observers of the promise if there are any, else to the scope that
//     owns the producer. An observation that was torn away before the promise settled, because the observer was
//     cancelled or dropped, does not count: a failure that nobody would see any more goes to the scope.
//   - A failure that is already on its way to a waiting branch is delivered even if the branch is cancelled before it
//     resumes; a value is not (it raises *Cancelled, P-114). Nothing is lost by a cancellation.
//   - A cancelled branch is cancelled for good: it can neither wait nor start anything, except through Shield.
//
// A Tree and everything in it belong to one goroutine at a time.
package scheduler
