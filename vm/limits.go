package vm

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limits bound what a script can use. A zero field means the default named beside it. What is refused is an engine error,
// *LimitError, that the script cannot catch, but for CallDepth, Nesting, SourceBytes and SyntaxDepth, which are Lua errors
// as in Lua: "stack overflow", "C stack overflow" and those of load.
type Limits struct {
	Instructions int64         // interpreter instructions and their like from one Refill to the next; 3e6, about a tenth of a second
	Turn         time.Duration // wall time from the first instructions after a Refill; 10 s
	Memory       int64         // bytes that the run's values hold, roughly; 64 MB
	CallDepth    int           // Lua calls inside each other in one branch, coroutine or protected call; 16,000
	Nesting      int           // protected calls and coroutines inside each other; 200
	Coroutines   int           // coroutines that have started and not finished; 5,000
	StringBytes  int           // bytes of one string; 16 MB
	TableSize    int           // items of one list, 1,048,575 at most; keys above that, and other keys, only count for Memory; 1,048,575
	PatternSteps int64         // steps of one match of a pattern, besides 32 for each byte of the text; 4e6
	Output       int64         // bytes printed from one Refill to the next; 1 MB
	SourceBytes  int           // bytes of one source text; 512 KB
	SyntaxDepth  int           // syntax levels inside each other; 200
}

func (l Limits) withDefaults() Limits {
	def(&l.Instructions, 3e6)
	def(&l.Turn, 10*time.Second)
	def(&l.Memory, 64<<20)
	def(&l.CallDepth, 16_000)
	def(&l.Nesting, 200)
	def(&l.Coroutines, 5000)
	def(&l.StringBytes, 16<<20)
	def(&l.TableSize, maxArray-1)
	l.TableSize = min(l.TableSize, maxArray-1)
	def(&l.PatternSteps, 4e6)
	def(&l.Output, 1<<20)
	def(&l.SourceBytes, 512<<10)
	def(&l.SyntaxDepth, 200)
	return l
}

func def[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// LimitError says that a script used more than it may. It is an engine error: it leaves as a panic that no pcall, no
// error handler and no coroutine sees, and State.Call does not turn it into a value.
type LimitError struct {
	Limit  string  // field of Limits
	Value  string  // what was allowed
	Frames []Frame // where the script was
}

func (e *LimitError) Error() string {
	where := ""
	for _, f := range e.Frames {
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d: ", f.Source, f.Line)
			break
		}
	}
	return fmt.Sprintf("%sthe script used more than its limit %s allows (%s%s)", where, e.Limit, e.Value, e.advice())
}

// advice is what can be done.
func (e *LimitError) advice() string {
	switch {
	case e.Limit == "Instructions" || e.Limit == "Turn":
		return "; waiting for a timer, an activity or a signal begins the next turn, Config.Limits." + e.Limit + " allows more"
	case e.Limit == "TableSize" && strings.HasPrefix(e.Value, strconv.Itoa(maxArray-1)+" "):
		return ""
	}
	return "; Config.Limits." + e.Limit + " allows more"
}
