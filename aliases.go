package flowlua

import (
	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// What a host needs of the packages below, so that one import does.
type (
	Store       = history.Store  // where runs are kept
	MemoryStore = history.Memory // one that several engines of a process can share
	Filter      = history.Filter // of List
	Ref         = history.Ref    // names one run of an ID
	Turn        = history.Turn   // of History and Observer
	Event       = history.Event  // of a Turn; its kinds are named in package history
	Failure     = history.Failure
	Status      = history.Status
	Node        = scheduler.Node // of Dump
	Limits      = vm.Limits      // of Config
)

// The states of a run.
const (
	StatusOpen      = history.Open
	StatusCompleted = history.Completed
	StatusFailed    = history.Failed
	StatusCancelled = history.Cancelled
	StatusContinued = history.Continued // by the next run of the same ID
)

// ErrMoved: the database file was deleted, renamed or replaced under the engine, which has halted all runs. The error says where
// they are saved.
var ErrMoved = history.ErrMoved
