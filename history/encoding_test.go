package history_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flowlua/flowlua/history"
)

// The same turn comes out of the store's encoding as comes out of JSON, which keeps everything that is there.
func TestTurnsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := drawTurn(t)
		data, err := history.EncodeTurn(&turn)
		require.NoError(t, err)
		require.Equal(t, byte(history.Format), data[0])
		back, err := history.DecodeTurn(data)
		require.NoError(t, err)
		text, err := json.Marshal(turn)
		require.NoError(t, err)
		var want history.Turn
		require.NoError(t, json.Unmarshal(text, &want))
		require.Equal(t, want, back)
		require.Less(t, len(data), len(text))
		if len(turn.Events) > 0 {
			data, err := history.EncodeEvent(&turn.Events[0])
			require.NoError(t, err)
			event, err := history.DecodeEvent(data)
			require.NoError(t, err)
			require.Equal(t, want.Events[0], event)
		}
	})
}

func TestAttemptsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := history.Attempt{Op: drawText(t), Number: rapid.Int().Draw(t, "number"), Failures: rapid.Int().Draw(t, "failures"), Next: drawTime(t),
			Details: drawJSON(t), Failure: drawFailure(t, 2)}
		data, err := history.EncodeAttempt(&a)
		require.NoError(t, err)
		back, err := history.DecodeAttempt(data)
		require.NoError(t, err)
		require.Equal(t, a, back)
	})
}

func TestFailuresAndSourcesComeBack(t *testing.T) {
	f := &history.Failure{Name: "E", Message: "\xff\x00 is no text", Cause: &history.Failure{Name: "F"}}
	data, err := history.EncodeFailure(f)
	require.NoError(t, err)
	back, err := history.DecodeFailure(data)
	require.NoError(t, err)
	require.Equal(t, f, back)

	s := history.Sources{Main: "a.lua", Files: map[string]string{"a.lua": "return 1", "b.lua": ""}}
	data, err = history.EncodeSources(&s)
	require.NoError(t, err)
	sources, err := history.DecodeSources(data)
	require.NoError(t, err)
	require.Equal(t, s, sources)
}

func TestTimesOfAnyYear(t *testing.T) {
	for _, at := range []time.Time{{}, time.Unix(0, 0).UTC(), time.Unix(0, math.MaxInt64).UTC(), time.Date(9999, 12, 31, 23, 59, 59, 1, time.UTC), time.Unix(0, -1).UTC(),
		time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC)} {
		data, err := history.EncodeTurn(&history.Turn{Seq: 1, Time: at})
		require.NoError(t, err)
		back, err := history.DecodeTurn(data)
		require.NoError(t, err)
		require.Equal(t, at, back.Time)
	}
}

func TestOtherFormats(t *testing.T) {
	data, err := history.EncodeTurn(&history.Turn{Seq: 1})
	require.NoError(t, err)
	data[0]++
	_, err = history.DecodeTurn(data)
	require.ErrorContains(t, err, "a turn is written in format 2 by a newer release, this one reads up to 1: use the newer one")
	for _, c := range []struct{ data, want string }{
		{"", "not a stored turn: it is empty"},
		{"\x00", "begins with format 0"},
		{"\x01", "not a stored turn"},
		{"\x01\xa1\x18\x63\x01", "unknown field"},                    // {99: 1}
		{"\x01\xa2\x01\x01\x03\x81\xa1\x01\x18\x32", "kind 50"},      // {1: 1, 3: [{1: 50}]}
		{"\x01\xa1\x02\x82\x01\x3a\x00\x00\x00\x00", "not a stored"}, // a time with -1 nanoseconds
		{"\x01\xa1\x01\x01\x00", "not a stored turn"},                // something follows
	} {
		_, err := history.DecodeTurn([]byte(c.data))
		require.ErrorContains(t, err, c.want, "%q", c.data)
	}
	_, err = history.EncodeTurn(&history.Turn{Seq: 1, Events: []history.Event{{Kind: 99}}})
	require.ErrorContains(t, err, "cannot write an event of kind 99")
}

func TestLongChainsOfCauses(t *testing.T) {
	chain := func(n int) (f *history.Failure) {
		for range n {
			f = &history.Failure{Name: "E", Cause: f}
		}
		return f
	}
	turn := history.Turn{Seq: 1, Events: []history.Event{{Kind: history.ActivityFailed, Failure: chain(10_000)}}}
	data, err := history.EncodeTurn(&turn)
	require.NoError(t, err)
	back, err := history.DecodeTurn(data)
	require.NoError(t, err)
	require.Equal(t, turn, back)
	_, err = history.EncodeFailure(chain(10_001))
	require.ErrorContains(t, err, "more than 10000 causes")
}

func FuzzDecodeTurn(f *testing.F) {
	data, err := history.EncodeTurn(&history.Turn{Seq: 1, Time: time.Unix(0, 1).UTC(),
		Events:    []history.Event{{Kind: history.ActivityFailed, Op: "/1", Failure: &history.Failure{Name: "E", Cause: &history.Failure{Name: "F"}}}},
		Decisions: []history.Event{{Kind: history.TimerStarted, At: time.Unix(1, 0).UTC()}, {Kind: history.ActivityScheduled, Activity: &history.ActivityOptions{Retry: &history.RetryOptions{RetryOn: []string{}}}}}})
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte("\x01\x9b\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("\x01\xa1\x03\x9a\x7f\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		turn, err := history.DecodeTurn(data)
		if err != nil {
			return
		}
		again, err := history.EncodeTurn(&turn)
		require.NoError(t, err)
		back, err := history.DecodeTurn(again)
		require.NoError(t, err)
		require.Equal(t, turn, back)
	})
}

func drawTurn(t *rapid.T) history.Turn {
	return history.Turn{Seq: rapid.Int64Min(1).Draw(t, "seq"), Time: drawTime(t), Events: drawEvents(t, "events"), Decisions: drawEvents(t, "decisions")}
}

func drawEvents(t *rapid.T, label string) (events []history.Event) {
	for range rapid.IntRange(0, 4).Draw(t, label) {
		events = append(events, drawEvent(t))
	}
	return events
}

func drawEvent(t *rapid.T) history.Event {
	ev := history.Event{Kind: rapid.SampledFrom(kinds()).Draw(t, "kind"), Op: drawText(t), Name: drawText(t), Run: drawText(t), Payload: drawJSON(t),
		Failure: drawFailure(t, 2), At: drawTime(t)}
	length := rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.Int64().Draw(t, "length")) })
	if rapid.Bool().Draw(t, "activity") {
		ev.Activity = &history.ActivityOptions{ScheduleToStart: length.Draw(t, "a"), StartToClose: length.Draw(t, "b"), ScheduleToClose: length.Draw(t, "c"),
			Heartbeat: length.Draw(t, "d"), Version: drawText(t)}
		if rapid.Bool().Draw(t, "retry") {
			ev.Activity.Retry = &history.RetryOptions{Initial: length.Draw(t, "e"), Backoff: rapid.Float64().Draw(t, "backoff"), MaxInterval: length.Draw(t, "f"),
				Expiration: length.Draw(t, "g"), MaxAttempts: rapid.Int().Draw(t, "attempts"), Jitter: rapid.Float64().Draw(t, "jitter"),
				RetryOn: drawNames(t, true), DontRetryOn: drawNames(t, true)}
		}
	}
	if rapid.Bool().Draw(t, "child") {
		ev.Child = &history.ChildOptions{ID: drawText(t), OnParentClose: drawText(t)}
	}
	return ev
}

func drawFailure(t *rapid.T, depth int) *history.Failure {
	if depth == 0 || rapid.Bool().Draw(t, "none") {
		return nil
	}
	f := &history.Failure{Name: drawText(t), Message: drawText(t), Kinds: drawNames(t, false), Status: rapid.Int().Draw(t, "status"), Timeout: drawText(t),
		Activity: drawText(t), Details: drawJSON(t), Reason: drawJSON(t), Value: drawJSON(t), Cause: drawFailure(t, depth-1), Trace: drawNames(t, false)}
	if rapid.Bool().Draw(t, "says whether retryable") {
		f.Retryable = new(rapid.Bool().Draw(t, "retryable"))
	}
	return f
}

func drawText(t *rapid.T) string { return rapid.String().Draw(t, "text") }

func drawNames(t *rapid.T, empty bool) []string {
	names := rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "names")
	if len(names) == 0 && !(empty && rapid.Bool().Draw(t, "empty")) {
		return nil
	}
	return names
}

func drawJSON(t *rapid.T) json.RawMessage {
	text := rapid.SampledFrom([]string{"", "[]", "[1]", `[{"a":"x","b":[null]},-1.5]`}).Draw(t, "json")
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

func drawTime(t *rapid.T) time.Time {
	if rapid.Bool().Draw(t, "no time") {
		return time.Time{}
	}
	return time.Unix(rapid.Int64Range(-60_000_000_000, 250_000_000_000).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()
}
