// Package explore runs a workflow along every path that its outside could force upon it: activities that succeed, fail and time
// out, at each attempt; events in every order; a cancellation or a crash at each moment. What must hold is checked at the end of
// every path.
//
// A path is determined by its choices. At each point something is the default (the oldest activity succeeds, a signal that is waited
// for comes, time passes), and each other thing that may happen there instead is a deviation. Paths are made in the order of their
// number of deviations, so the first that fails is one of the shortest. Runs with equal histories are equal: a script runs only where a
// history is new, and what it decides there is checked by a replay wherever another path branches off.
package explore
