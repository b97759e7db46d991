package stdlib

import (
	"math"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// policy is what flow.retry makes. It can be changed, and is read at each failure.
type policy struct {
	options    history.RetryOptions
	on, except lua.LValue // functions in the place of lists of names; nil for none
}

func (p *policy) luaKind() string     { return "retry policy" }
func (p *policy) cannotLeave() string { return "a retry policy cannot leave the run" }

var retryOptions = []string{"initial", "backoff", "max_interval", "max_attempts", "expiration", "retry_on", "dont_retry_on", "jitter"}

// read takes over the options that are given and keeps the others.
func (p *policy) read(o options) {
	set := func(name string, to *time.Duration) {
		if o.has(name) {
			*to = o.duration(name)
		}
	}
	set("initial", &p.options.Initial)
	set("max_interval", &p.options.MaxInterval)
	set("expiration", &p.options.Expiration)
	p.options.Backoff = o.number("backoff", p.options.Backoff, 0)
	p.options.MaxAttempts = o.count("max_attempts", p.options.MaxAttempts, 1)
	p.options.Jitter = o.number("jitter", p.options.Jitter, 0)
	names := func(name string, list *[]string, fn *lua.LValue) {
		switch v := o.value(name); {
		case v == lua.LNil:
		case callable(o.L, v):
			*list, *fn = nil, v
		default:
			*list, *fn = o.names(name), nil
		}
	}
	names("retry_on", &p.options.RetryOn, &p.on)
	names("dont_retry_on", &p.options.DontRetryOn, &p.except)
	p.validate(o)
}

func (p *policy) validate(o options) {
	r := &p.options
	switch {
	case r.Jitter >= 1:
		o.fail("option 'jitter' expects a number from 0 to below 1, got %v", lua.LNumber(r.Jitter))
	case r.Backoff == 0 || math.IsInf(r.Backoff, 0) || math.IsNaN(r.Backoff):
		o.fail("option 'backoff' expects a number above 0, got %v", lua.LNumber(r.Backoff))
	case o.table != nil && o.has("max_interval") && r.MaxInterval < r.Initial:
		o.fail("'initial' (%v) is longer than 'max_interval' (%v)", r.Initial, r.MaxInterval)
	case o.table != nil && o.has("expiration") && r.Expiration < r.Initial:
		o.fail("'initial' (%v) is longer than 'expiration' (%v): there would never be a second attempt", r.Initial, r.Expiration)
	}
}

func newPolicy(o options) *policy {
	p := &policy{options: history.RetryOptions{Initial: time.Second, Backoff: 2}}
	p.read(o)
	return p
}

// declaredRetry reads the retry option of an activity, whose attempts the engine makes: it cannot call the script.
func declaredRetry(o options) *history.RetryOptions {
	v := o.value("retry")
	p, is := toPolicy(v)
	if !is {
		p = newPolicy(readOptions(o.L, o.call+": retry", v, retryOptions...))
	}
	if p.on != nil || p.except != nil {
		o.fail("option 'retry' expects lists of names in retry_on and dont_retry_on: the engine makes these attempts and calls no function of the script; use policy:decorate")
	}
	declared := p.options
	return &declared
}

func toPolicy(v lua.LValue) (*policy, bool) { return held[*policy](v) }

func checkPolicy(L *lua.LState, call string) *policy {
	p, is := toPolicy(L.Get(1))
	if !is {
		vm.Throwf(L, 1, "%s expects a policy of flow.retry, got %s; call it with a colon: %s(…)", call, describe(L.Get(1)), call)
	}
	return p
}

var policyMethods = []method{
	{"decorate", (*Flow).policyDecorate}, {"run", (*Flow).policyRun}, {"set", (*Flow).policySet},
}

// retry is flow.retry { … }.
func (f *Flow) retry(L *lua.LState) int {
	p := newPolicy(readOptions(L, "flow.retry", L.Get(1), retryOptions...))
	L.Push(value(f.types.policy, p))
	return 1
}

// policySet is policy:set { … }: it takes effect at the next failure.
func (f *Flow) policySet(L *lua.LState) int {
	p := checkPolicy(L, "policy:set")
	f.changes(L, "policy:set")
	changed := *p
	changed.read(readOptions(L, "policy:set", L.Get(2), retryOptions...))
	*p = changed
	L.Push(L.Get(1))
	return 1
}

// policyRun is policy:run(fn, …).
func (f *Flow) policyRun(L *lua.LState) int {
	p := checkPolicy(L, "policy:run")
	fn := checkCallable(L, 2, "policy:run", "a function")
	b := f.branch(L, "policy:run")
	return f.retried(L, b, p, scheduler.Spec{Name: f.branchName(fn), Site: f.site(), Body: f.Body(fn, arguments(L, 3))})
}

// retried starts attempts by a policy and pushes the promise of the first that succeeds.
func (f *Flow) retried(L *lua.LState, b *scheduler.Branch, p *policy, spec scheduler.Spec) int {
	promise, err := b.Retry(func() scheduler.RetryPolicy { return f.retryPolicy(p) }, spec, f.Random().Float)
	if err != nil {
		return f.raise(L, b, err)
	}
	L.Push(f.promiseOf(promise))
	return 1
}

func (f *Flow) retryPolicy(p *policy) scheduler.RetryPolicy {
	o := &p.options
	return scheduler.RetryPolicy{
		Initial: o.Initial, Backoff: o.Backoff, MaxInterval: o.MaxInterval, Expiration: o.Expiration,
		MaxAttempts: o.MaxAttempts, Jitter: o.Jitter,
		Retryable: func(err error) bool { return f.mayRetry(p, errorOf(err)) },
	}
}

// mayRetry applies a policy whose lists may be functions of the script.
func (f *Flow) mayRetry(p *policy, e *Error) bool {
	f.state.Charge(failureCost)
	switch {
	case e.Matches(nameCancelled):
		return false
	case p.except != nil && f.ask(p.except, "dont_retry_on", e):
		return false
	case p.on != nil:
		return !e.matchesAny(p.options.DontRetryOn) && f.ask(p.on, "retry_on", e)
	}
	return mayRetry(e, p.options.RetryOn, p.options.DontRetryOn)
}

// ask calls a function of the script where it may not wait. One that fails says no: the failure at hand is the one to report.
func (f *Flow) ask(fn lua.LValue, name string, e *Error) (yes bool) {
	f.within("the function "+name, func() {
		results, err := f.state.Call(fn, f.errors.of(e))
		yes = err == nil && lua.LVAsBool(first(results))
	})
	return yes
}

// policyDecorate is policy:decorate(stub | table of stubs | fn).
func (f *Flow) policyDecorate(L *lua.LState) int {
	p := checkPolicy(L, "policy:decorate")
	L.Push(f.decorated(L, p, L.Get(2)))
	return 1
}

func (f *Flow) decorated(L *lua.LState, p *policy, v lua.LValue) lua.LValue {
	if s, is := toStub(v); is {
		if s.options.Retry != nil {
			vm.Throwf(L, 1, "policy:decorate: %s declares a retry already, and the attempts would multiply; decorate %s:with { retry = false }", s.luaKind(), s.name)
		}
		copied := *s
		copied.policy = p
		return f.stubOf(&copied)
	}
	if callable(L, v) {
		return f.decoratedFunction(p, v)
	}
	t, is := v.(*lua.LTable)
	if !is {
		vm.Throwf(L, 1, "policy:decorate expects a stub, a table of stubs or a function, got %s", describe(v))
	}
	copied := L.CreateTable(0, 8)
	for key, item := t.Next(lua.LNil); key != lua.LNil; key, item = t.Next(key) {
		if !callable(L, item) {
			vm.Throwf(L, 1, "policy:decorate expects a table of stubs, got %s under '%s'", describe(item), keyText(key))
		}
		copied.RawSet(key, f.decorated(L, p, item))
	}
	return copied
}

// decoratedFunction waits for the promises among the arguments, then makes attempts.
func (f *Flow) decoratedFunction(p *policy, fn lua.LValue) lua.LValue {
	name := f.branchName(fn)
	return f.state.Func(name, func(L *lua.LState) int {
		b := f.branch(L, "a decorated function")
		args, after := f.split(arguments(L, 1))
		return f.retried(L, b, p, scheduler.Spec{Name: name, After: after, Site: f.site(),
			Body: func(b *scheduler.Branch, in []any) (any, error) { return f.call(b, fn, fill(args, in)...) }})
	})
}

// callDecorated calls a decorated stub: each attempt is an operation of its own.
func (f *Flow) callDecorated(L *lua.LState, b *scheduler.Branch, c *call, after []*scheduler.Promise) int {
	return f.retried(L, b, c.stub.policy, scheduler.Spec{Name: c.stub.name, After: after, Site: c.site,
		Body: func(b *scheduler.Branch, in []any) (any, error) {
			if c.payload == nil {
				payload, err := c.encode(in)
				if err != nil {
					return nil, err
				}
				c.payload = payload
			}
			attempt := *c
			p, err := attempt.begin(b, nil)
			if err != nil {
				return nil, err
			}
			return p, nil
		}})
}
