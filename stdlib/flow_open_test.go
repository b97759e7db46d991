package stdlib

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// BenchmarkFlowOpen: what require "flow" costs a run, beside the state itself.
func BenchmarkFlowOpen(b *testing.B) {
	b.ReportAllocs()
	w := newWorld()
	s := vm.New(vm.Config{})
	defer s.Close()
	for b.Loop() {
		f := OpenFlow(s, scheduler.New(scheduler.Config{Clock: w}), w)
		require.NotNil(b, f.module())
	}
}
