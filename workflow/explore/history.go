package explore

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// turn is one turn of a history and what followed it in the paths so far. Histories that begin alike share their turns.
type turn struct {
	before *turn
	log    history.Turn
	next   []edge

	closing   history.Event // Kind 0: the run is open
	expected  []stdlib.Expected
	finallies []stdlib.Finally
	untaken   []history.Event // of a run that is continued as new
	err       error           // an engine error, or a replay that differs; nothing follows
	replayed  bool            // a replay has come this far
}

type edge struct {
	key string
	to  *turn
}

// mostTurns is how many turns are kept, at about 1 KB each. What is not kept is run again.
const mostTurns = 100_000

// histories are the turns that were made, of all runs of all paths. Workers share them.
type histories struct {
	mu    sync.RWMutex
	roots map[string]*turn
	size  int  // turns that are kept
	made  int  // turns that were made
	final bool // no path will branch off those that are made now
}

func (h *histories) root(config *workflow.Config) *turn {
	key := config.Run.ID + "#" + strconv.Itoa(config.Run.Number) + " " + config.Workflow
	if p := config.Parent; p != nil { // the script may ask for it
		key += " " + p.ID + "#" + strconv.Itoa(p.Number) + p.Op
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.roots[key]
	if t == nil {
		t = &turn{replayed: true}
		if h.roots == nil {
			h.roots = map[string]*turn{}
		}
		h.roots[key] = t
	}
	return t
}

func (h *histories) find(t *turn, key []byte) *turn {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for i := range t.next {
		if t.next[i].key == string(key) {
			return t.next[i].to
		}
	}
	return nil
}

// keep adds a turn unless it is there or there are too many.
func (h *histories) keep(t *turn, key []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.made++
	if h.final || h.size >= mostTurns || slices.ContainsFunc(t.before.next, func(e edge) bool { return e.key == string(key) }) {
		return
	}
	h.size++
	t.before.next = append(t.before.next, edge{string(key), t})
}

// cursor is one run on one path. It has an execution only once the path has left the histories that are known.
type cursor struct {
	histories *histories
	config    workflow.Config
	at        *turn
	execution *workflow.Execution
	fresh     bool // known turns are not to be used: the run is observed as it goes
	key       []byte
}

func (c *cursor) begin(h *histories, config workflow.Config) {
	c.histories, c.config = h, config
	c.at = h.root(&config)
}

// take makes the next turn.
func (c *cursor) take(now time.Time, events []history.Event) *turn {
	c.key = appendKey(c.key[:0], now, events)
	if c.execution == nil && !c.fresh {
		if known := c.histories.find(c.at, c.key); known != nil {
			c.at = known
			return known
		}
	}
	t := &turn{before: c.at, log: history.Turn{Seq: c.at.log.Seq + 1, Time: now, Events: events}}
	if t.err = c.stand(); t.err == nil {
		t.log.Decisions, t.err = c.execution.Turn(now, events)
	}
	if t.err == nil {
		t.closing, t.expected, t.finallies = c.execution.Closing(), c.execution.Expected(), c.execution.Finallies()
		if slices.Equal(t.expected, c.at.expected) { // most turns change nothing: memory
			t.expected = c.at.expected
		}
		if slices.Equal(t.finallies, c.at.finallies) {
			t.finallies = c.at.finallies
		}
		if t.closing.Kind == history.RunContinued {
			t.untaken = c.execution.Untaken()
		}
	}
	c.histories.keep(t, c.key)
	c.at = t
	return t
}

// stand makes the execution that has come as far as the path, by replay.
func (c *cursor) stand() error {
	if c.execution != nil {
		return nil
	}
	var err error
	c.execution, err = replay(c.config, c.at)
	return err
}

// verify replays the whole history, unless that was done.
func (c *cursor) verify() error {
	if c.at.replayed || c.at.err != nil {
		return nil
	}
	e, err := replay(c.config, c.at)
	if err == nil {
		e.Close()
	}
	return err
}

// replay rebuilds a run, which checks that the script decides again what it has decided.
func replay(config workflow.Config, to *turn) (*workflow.Execution, error) {
	turns := make([]*turn, to.log.Seq)
	for t := to; t.log.Seq > 0; t = t.before {
		turns[t.log.Seq-1] = t
	}
	e, err := workflow.New(config)
	if err != nil {
		return nil, err
	}
	for _, t := range turns {
		if err := e.Follow(&t.log); err != nil {
			e.Close()
			return nil, err
		}
	}
	return e, nil
}

func (c *cursor) close() {
	if c.execution != nil {
		c.execution.Close()
	}
}

// appendKey is what tells turns apart that may follow one another.
func appendKey(key []byte, now time.Time, events []history.Event) []byte {
	key = strconv.AppendInt(key, now.UnixNano(), 36)
	for i := range events {
		ev := &events[i]
		key = append(key, 0, byte(ev.Kind))
		key = append(key, ev.Op...)
		key = append(key, 0)
		key = append(key, ev.Name...)
		key = append(key, 0)
		key = append(key, ev.Payload...)
		if ev.Failure != nil {
			text, _ := json.Marshal(ev.Failure)
			key = append(key, 0)
			key = append(key, text...)
		}
	}
	return key
}
