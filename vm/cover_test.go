package vm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCover(t *testing.T) {
	const source = `local function f(n)
  if n > 2 then
    return "large"
  end
  return (tostring(n))
end
local co = coroutine.wrap(function()
  f(1)
end)
co()
pcall(f, 2)
for i = 1, 3 do f(0) end
if false then
  f(3)
end
return f(1)`
	ran := map[int]int{}
	s := New(Config{Cover: func(file string, line int) {
		require.Equal(t, "bench.lua", file)
		ran[line]++
	}})
	defer s.Close()
	chunk := compile(t, source)
	_, err := s.Call(s.Load(chunk))
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 3, 5, 7, 8, 10, 11, 12, 16}, chunk.Lines(), "what is never run is not there, nor where functions end")
	require.Equal(t, 6, ran[5])
	require.Zero(t, ran[3])
	require.Equal(t, 1, ran[8])
}
