package stdlib

import (
	"math"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
)

// polling is one flow.poll.
type polling struct {
	initial, limit time.Duration
	backoff        float64
	retries        int // -1: no limit
}

// poll is flow.poll(check [, options]): it waits until check gives a true result.
func (f *Flow) poll(L *lua.LState) int {
	const call = "flow.poll"
	check := checkCallable(L, 1, call, "a function")
	o := readOptions(L, call, L.Get(2), "initial", "backoff", "max_interval", "max_retries")
	p := polling{
		initial: time.Second, limit: o.duration("max_interval"),
		backoff: o.number("backoff", 3, 0), retries: o.count("max_retries", -1, 0),
	}
	if o.has("initial") {
		p.initial = o.duration("initial")
	}
	if p.backoff == 0 || math.IsInf(p.backoff, 0) {
		o.wrong("backoff", "a number above 0", o.value("backoff"))
	}
	b := f.branch(L, call)
	at := f.site()
	for k := 0; p.retries < 0 || k <= p.retries; k++ {
		if err := f.pause(b, p.wait(k), at); err != nil {
			return f.raise(L, b, err)
		}
		list, err := f.check(b, check, at)
		if err != nil {
			return f.raise(L, b, err)
		}
		if lua.LVAsBool(first(list)) {
			return push(L, list)
		}
	}
	return f.raise(L, b, &Error{
		Name: nameTimeout, Message: "no result after " + itoa(p.retries+1) + " checks", Timeout: "poll", site: at, branch: b,
	})
}

// wait is min(initial · backoff^k, max_interval).
func (p *polling) wait(k int) time.Duration {
	d := float64(p.initial) * math.Pow(p.backoff, float64(k))
	if p.limit > 0 {
		d = math.Min(d, float64(p.limit))
	}
	return time.Duration(math.Min(d, float64(maxDuration)))
}

// check makes one check, in a scope of its own: it ends when everything that it started has ended.
func (f *Flow) check(b *scheduler.Branch, check lua.LValue, at scheduler.Site) ([]lua.LValue, error) {
	scope, err := b.Try(scheduler.ScopeSpec{Name: f.branchName(check), Site: at, Try: f.Body(check, nil)})
	if err != nil {
		return nil, err
	}
	v, err := f.wait(b, scope.Promise())
	if err != nil {
		e := errorOf(err)
		if yes, known := e.MayRetry(); yes && known && b.Cancelled() == nil {
			return nil, nil
		}
		return nil, err
	}
	return valuesOf(v), nil
}

// pause waits for a timer.
func (f *Flow) pause(b *scheduler.Branch, d time.Duration, at scheduler.Site) error {
	op, err := f.beginTimer(b, d, false, at, nil)
	if err != nil {
		return err
	}
	if _, err = f.wait(b, op.Promise()); err != nil {
		op.Promise().Cancel(nil) // or it would keep the scope open
	}
	return err
}
