package activity_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/activity"
)

type order struct {
	ID     string         `json:"id"`
	Amount int            `json:"amount"`
	Lines  []line         `json:"lines,omitempty"`
	Extra  map[string]any `json:"extra,omitempty"`
}

type line struct {
	Item string `json:"item"`
}

type tree struct {
	Left, Right *tree
	Value       int
}

type hidden struct{ secret int }

type withCallback struct {
	Name string
	Done func()
}

type ignored struct {
	Name string
	Done func() `json:"-"`
}

func TestRegistrationRefuses(t *testing.T) {
	type namedErr struct{ error }
	for name, c := range map[string]struct {
		fn   any
		want string
	}{
		"nil":               {nil, "expected a function such as"},
		"not a function":    {42, "found int"},
		"nil function":      {(func())(nil), "the function is nil"},
		"channel in":        {func(chan int) error { return nil }, "parameter 1: chan int: a channel cannot be carried as JSON"},
		"channel out":       {func() (chan int, error) { return nil, nil }, "result 1: chan int: a channel cannot"},
		"function in field": {func(context.Context, withCallback) error { return nil }, "parameter 2: activity_test.withCallback.Done: a function cannot"},
		"complex":           {func(complex128) {}, "a complex number cannot"},
		"unexported only":   {func(hidden) {}, "the struct has no exported fields"},
		"deep":              {func([]map[string]*withCallback) {}, "parameter 1: []map[string]*activity_test.withCallback[].Done"},
		"interface in":      {func(error) {}, "an interface with methods cannot be filled from JSON"},
		"map key":           {func(map[bool]int) {}, "map keys of type bool"},
		"late context":      {func(int, context.Context) {}, "parameter 2 is a context, which can only be the first"},
		"early error":       {func() (error, int) { return nil, 0 }, "result 1 is an error, which can only be the last"},
		"typed error":       {func() namedErr { return namedErr{} }, "use error"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := activity.New("charge", c.fn)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "charge")
		})
	}
	_, err := activity.New("", func() {})
	require.ErrorContains(t, err, "needs a name")
}

func TestRegistrationAccepts(t *testing.T) {
	for _, fn := range []any{
		func() {}, func(tree) tree { return tree{} }, func(ignored) {}, func(struct{}) {}, func(time.Time) time.Duration { return 0 },
		func(any) (any, error) { return nil, nil }, func(map[int]string) {}, func(json.RawMessage) {}, func(...order) {},
		func() (json.Marshaler, error) { return nil, nil },
	} {
		_, err := activity.New("a", fn)
		require.NoError(t, err, "%T", fn)
	}
}

func TestCall(t *testing.T) {
	type any2 = map[string]any
	for name, c := range map[string]struct {
		fn         any
		args, want string
	}{
		"nothing":             {func() {}, `[]`, `[]`},
		"no payload":          {func() {}, ``, `[]`},
		"context":             {func(ctx context.Context, s string) string { return s + ctx.Value(key{}).(string) }, `["a"]`, `["ab"]`},
		"several":             {func(a, b int) (int, int, error) { return b, a, nil }, `[1, 2]`, `[2,1]`},
		"struct":              {func(o order) order { o.Amount++; return o }, `[{"id":"7","amount":1}]`, `[{"id":"7","amount":2}]`},
		"pointer":             {func(o *order) bool { return o == nil }, `[null]`, `[true]`},
		"missing optional":    {func(o *order, m any2, l []int) bool { return o == nil && m == nil && l == nil }, `[]`, `[true]`},
		"variadic":            {func(a string, n ...int) int { return len(n) }, `["x",1,2,3]`, `[3]`},
		"variadic none":       {func(a string, n ...int) int { return len(n) }, `["x"]`, `[0]`},
		"empty table is list": {func(l []int, m any2, o order) int { return len(l) }, `[{},[],[]]`, `[0]`},
		"nil slice":           {func() []string { return nil }, `[]`, `[[]]`},
		"no html escapes":     {func() (string, any) { return "<a&b>é", []string{"<"} }, `[]`, `["<a&b>é",["<"]]`},
		"text":                {func(s string) int { return len(s) }, `["\u0041\n\"é"]`, `[5]`},
		"bytes both ways":     {func(b []byte) []byte { return append(b, 0xff) }, `["a"]`, `[{"$bytes":"Yf8="}]`},
		"bytes tagged":        {func(b []byte, s string) int { return len(b) + len(s) }, `[{"$bytes":"Yf8="},{"$bytes":"/w=="}]`, `[3]`},
		"string not UTF-8":    {func() string { return "\xff" }, `[]`, `[{"$bytes":"/w=="}]`},
		"floats":              {func(f float64) (float64, float64, float64) { return f, 3, -1.5e300 }, `[0.1]`, `[0.1,3,-1.5e+300]`},
		"integer from 2^53":   {func(n int64) int64 { return n }, `[9007199254740993]`, `[9007199254740993]`},
		"any":                 {func(v any) any { return v }, `[{"a":[1,null,"x"]}]`, `[{"a":[1,null,"x"]}]`},
		"time":                {func(d time.Time) time.Time { return d.Add(time.Hour) }, `["2026-01-02T03:04:05Z"]`, `["2026-01-02T04:04:05Z"]`},
		"raw":                 {func(r json.RawMessage) json.RawMessage { return r }, `[{"a":[1,"]"]}]`, `[{"a":[1,"]"]}]`},
		"spaces":              {func(a, b string, c []int) string { return a + b }, " [ \"a,]\" , \"\\\"\" , [1, 2] ] ", `["a,]\""]`},
		"nil any":             {func() (any, error) { return nil, nil }, `[]`, `[null]`},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := activity.New("a", c.fn)
			require.NoError(t, err)
			got, err := f.Call(context.WithValue(t.Context(), key{}, "b"), json.RawMessage(c.args))
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

type key struct{}

func TestArgumentsThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		fn         any
		args, want string
	}{
		"too few":      {func(order, int) {}, `[{}]`, "charge: expected 2 arguments (activity_test.order, int), found 1"},
		"too many":     {func(order) {}, `[{},2]`, "charge: expected 1 argument (activity_test.order), found 2"},
		"none taken":   {func() {}, `[1]`, "charge: expected no arguments, found 1"},
		"variadic":     {func(string, ...int) {}, `[]`, "charge: expected at least 1 argument (string, ...int), found 0"},
		"kind":         {func(int, string) {}, `[1,12]`, "charge: argument 2: expected string, found a number 12"},
		"list":         {func(string) {}, `[[1,2]]`, "charge: argument 1: expected string, found a list [1,2]"},
		"nil":          {func(string) {}, `[null]`, "charge: argument 1: expected string, found nil"},
		"fraction":     {func(int) {}, `[1.5]`, "charge: argument 1: expected int, found number 1.5"},
		"overflow":     {func(int8) {}, `[300]`, "charge: argument 1: expected int8, found number 300"},
		"field":        {func(order) {}, `[{"id":"1","amount":"ten"}]`, "charge: argument 1: field amount of activity_test.order: expected int, found a string"},
		"nested field": {func(order) {}, `[{"lines":[{"item":1}]}]`, "expected string, found a number"},
		"duration":     {func(time.Duration) {}, `["1m"]`, "charge: argument 1: expected time.Duration (a whole number of nanoseconds), found a string \"1m\""},
		"own decoder":  {func(time.Time) {}, `["yesterday"]`, "charge: argument 1: expected time.Time: "},
		"no array":     {func() {}, `{}`, "the arguments are not a JSON array"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := activity.New("charge", c.fn)
			require.NoError(t, err)
			_, err = f.Call(t.Context(), json.RawMessage(c.args))
			require.ErrorContains(t, err, c.want)
			var unfit *activity.ArgumentError
			require.ErrorAs(t, err, &unfit)
			failure := activity.Failure(err)
			require.Equal(t, "ActivityArgumentError", failure.Name)
			require.False(t, *failure.Retryable)
		})
	}
}

func TestResultsThatJSONCannotCarry(t *testing.T) {
	type loop struct{ Next *loop }
	ring := &loop{}
	ring.Next = ring
	for name, c := range map[string]struct {
		fn   any
		want string
	}{
		"NaN":     {func() (int, float64) { return 1, math.NaN() }, "charge: result 2 (float64) cannot be carried as JSON: json: unsupported value: NaN"},
		"channel": {func() any { return make(chan int) }, "unsupported type: chan int"},
		"cycle":   {func() *loop { return ring }, "cycle"},
		"panics":  {func() json.Marshaler { return bad{} }, "panic: no"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := activity.New("charge", c.fn)
			require.NoError(t, err)
			_, err = f.Call(t.Context(), nil)
			require.ErrorContains(t, err, c.want)
			require.Equal(t, "ActivityResultError", activity.Failure(err).Name)
		})
	}
}

type bad struct{}

func (bad) MarshalJSON() ([]byte, error) { panic("no") }

func explode() { panic(errors.New("boom")) }

func TestPanic(t *testing.T) {
	f, err := activity.New("charge", explode)
	require.NoError(t, err)
	_, err = f.Call(t.Context(), nil)
	failure := activity.Failure(err)
	require.Equal(t, "PanicError", failure.Name)
	require.Equal(t, "activity charge panicked: boom", failure.Message)
	var details struct{ Stack []string }
	require.NoError(t, json.Unmarshal(failure.Details, &details))
	require.Len(t, details.Stack, 1)
	require.Regexp(t, `activity_test\.explode func_test\.go:\d+`, details.Stack[0])
}

func TestEncodeDecode(t *testing.T) {
	payload, err := activity.Encode("a", 1, nil, order{ID: "7"})
	require.NoError(t, err)
	require.JSONEq(t, `["a",1,null,{"id":"7","amount":0}]`, string(payload))
	var s string
	var o order
	extra := 5
	require.NoError(t, activity.Decode(payload, &s, nil, nil, &o, &extra))
	require.Equal(t, "a", s)
	require.Equal(t, order{ID: "7"}, o)
	require.Equal(t, 5, extra)
	require.ErrorContains(t, activity.Decode(payload, &extra), "value 1: expected int, found a string")
	require.EqualError(t, activity.Decode(payload, s), "value 1: expected a pointer to decode into, found string")
	require.EqualError(t, activity.Decode(payload, (*string)(nil)), "value 1: expected a pointer to decode into, found a nil *string")
	_, err = activity.Encode(func() {})
	require.ErrorContains(t, err, "value 1 (func()) cannot be carried as JSON")
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{`[]`, `[1,"a",{"b":[1,2]}]`, `["\"]",[[]]]`, ` [ null , {} ] `} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parts, err := activity.Split(nil, json.RawMessage(s)) // whatever it is: no panic
		var want []json.RawMessage
		if s == "" || json.Unmarshal([]byte(s), &want) != nil || string(s) == "null" {
			return
		}
		require.NoError(t, err)
		require.Len(t, parts, len(want))
		for i := range want {
			require.Equal(t, string(want[i]), string(parts[i]))
		}
	})
}
