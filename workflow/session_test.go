package workflow_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

// session is one in which every turn is replayed and compared.
type session struct {
	*workflow.Verified
	t       *testing.T
	at      time.Time
	printed []string
}

func newSession(t *testing.T) *session {
	s := &session{t: t, at: time.Unix(1e9, 0).UTC()}
	program, err := workflow.NewProgram(history.Sources{})
	require.NoError(t, err)
	s.Verified, err = workflow.NewVerified(workflow.Config{Program: program, Print: func(line string) { s.printed = append(s.printed, line) }})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	s.happen(history.Event{Kind: history.RunStarted})
	return s
}

func (s *session) happen(ev history.Event) []history.Event {
	decisions, err := s.Turn(s.at, []history.Event{ev})
	require.NoError(s.t, err)
	return decisions
}

func (s *session) enter(source string) []history.Event {
	return s.happen(workflow.Typed{Name: "session.lua", Source: source, Line: len(s.Chunks()) + 1}.Event())
}

// news is what there is to tell, as text.
func (s *session) news() []string {
	var out []string
	for _, r := range s.Reports() {
		switch {
		case r.Err != nil:
			out = append(out, "failed: "+r.Err.Error())
		default:
			text := r.Chunk.Path + ":"
			for _, v := range r.Chunk.Values {
				if _, is := v.(*lua.LUserData); is {
					v = lua.LString("userdata")
				}
				text += " " + v.String()
			}
			out = append(out, text)
		}
	}
	return out
}

func TestSession(t *testing.T) {
	s := newSession(t)
	s.enter("1+1, 'a'")
	s.enter("local x = 5 print(x)")
	s.enter("_ + x")
	require.Equal(t, []string{"@1: 2 a", "@2:", "@3: 7"}, s.news())
	require.Equal(t, []string{"5"}, s.printed)

	decided := s.enter("p = flow.timer('1h', 'later')")
	require.Equal(t, history.TimerStarted, decided[0].Kind)
	s.enter("local got = p:await() print('got', got) return got")
	s.enter("x * 2")
	s.enter("p")
	require.Equal(t, []string{"@4:", "@6: 10", "@7: userdata"}, s.news(), "the line that waits keeps nobody")
	require.False(t, s.Chunks()[4].Over)
	s.at = s.at.Add(time.Hour)
	s.happen(history.Event{Kind: history.TimerFired, Op: decided[0].Op})
	require.Equal(t, []string{"@5: later"}, s.news())
	s.enter("got, _")
	require.Equal(t, []string{"@8: later later"}, s.news())
	require.Equal(t, []string{"5", "got\tlater"}, s.printed, "a replay prints nothing")
}

func TestSessionOutlivesFailures(t *testing.T) {
	s := newSession(t)
	s.enter("error('line')")
	s.enter("p = flow.spawn(function() error('nobody looks') end)")
	s.enter("p:await()")
	s.enter("pcall(p.await, p)")
	news := s.news()
	require.Len(t, news, 5)
	require.Contains(t, news[0], "failed: Error: line")
	require.Contains(t, news[1], "@2:")
	require.Contains(t, news[2], "nobody looks")
	require.Contains(t, news[3], "nobody looks")
	require.Contains(t, news[4], "@4: false")
	s.enter("flow.workflow('w', function() return 1 end)")
	s.enter("flow.workflow('w', function() return 2 end)")
	s.enter("a = flow.activity('a', function() end)")
	s.enter("a = flow.activity('a', function() end)")
	require.Len(t, s.news(), 4, "declared again without an error")
}

func TestSessionCancelsAPlace(t *testing.T) {
	s := newSession(t)
	s.enter("flow.sleep(3600)")
	s.enter("flow.sleep(60)")
	reason, _ := json.Marshal([]string{"typed"})
	s.happen(history.Event{Kind: history.CancelRequested, Op: "@1", Payload: reason})
	require.Equal(t, []string{"failed: CancelledError: typed"}, s.news())
	require.Len(t, s.Dump()[0].Children, 3, "the other line and its timer are still there")
}

func TestSessionRunsWhatItDeclares(t *testing.T) {
	program, err := workflow.NewProgram(history.Sources{})
	require.NoError(t, err)
	prelude := []workflow.Typed{
		{Name: "session.lua", Source: "local factor = 21; print('muted')", Line: 1},
		{Name: "session.lua", Source: "flow.sleep(1); never = true", Line: 2},
		{Name: "session.lua", Source: "flow.workflow('double', function(n) flow.sleep(1); return n * factor, never end)", Line: 3},
	}
	e, err := workflow.NewVerified(workflow.Config{Program: program, Workflow: "double", Prelude: prelude, Print: func(string) { t.Fatal("printed") }})
	require.NoError(t, err)
	defer e.Close()
	decided, err := e.Turn(time.Unix(0, 0), []history.Event{{Kind: history.RunStarted, Payload: payload(t, 2)}})
	require.NoError(t, err)
	_, err = e.Turn(time.Unix(1, 0), []history.Event{{Kind: history.TimerFired, Op: decided[0].Op}})
	require.NoError(t, err)
	require.Equal(t, `[42,null]`, string(e.Closing().Payload))
}

func TestSessionLimits(t *testing.T) {
	s := newSession(t)
	s.enter("x = 1")
	_, err := s.Turn(s.at, []history.Event{workflow.Typed{Name: "session.lua", Source: "while true do end", Line: 2}.Event()})
	var limit *vm.LimitError
	require.ErrorAs(t, err, &limit)
	require.Len(t, s.Turns(), 2, "the line is not in the history, so a replay is the session without it")
}

func TestSessionNamesItsWorkflows(t *testing.T) {
	s := newSession(t)
	s.enter("flow.workflow('order', function() end)")
	s.enter("workflows.order")
	require.Equal(t, []string{"@1: userdata", "@2: userdata"}, s.news())
}
