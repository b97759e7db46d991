package stdlib

import (
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
)

// inbox is a queue of items and of those who wait for one; at any time one of the two is empty.
type inbox struct {
	items   [][]lua.LValue
	waiters []*scheduler.Promise
}

// deliver gives an item to the one who waits longest; false: nobody does.
func (i *inbox) deliver(item []lua.LValue) bool {
	for len(i.waiters) > 0 {
		w := i.waiters[0]
		i.waiters = slices.Delete(i.waiters, 0, 1)
		if w.Set(item) == nil {
			return true
		}
	}
	return false
}

// next takes the oldest item.
func (i *inbox) next() (item []lua.LValue, there bool) {
	if len(i.items) == 0 {
		return nil, false
	}
	item = i.items[0]
	i.items[0] = nil
	i.items = i.items[1:]
	if len(i.items) == 0 {
		i.items = nil
	}
	return item, true
}

// take waits for the next item. An item that was on its way to a branch that is cancelled or late goes to the next.
func (f *Flow) take(b *scheduler.Branch, in *inbox, what string, d time.Duration, limited bool) ([]lua.LValue, error) {
	if err := b.Cancelled(); err != nil {
		return nil, err
	}
	if item, there := in.next(); there {
		return item, nil
	}
	p := f.tree.Promise(b, what)
	in.waiters = append(in.waiters, p)
	var v any
	var err error
	if limited {
		v, err = f.waitUntil(b, p, d)
	} else {
		v, err = f.wait(b, p)
	}
	if err == nil {
		return valuesOf(v), nil
	}
	if at := slices.Index(in.waiters, p); at >= 0 {
		in.waiters = slices.Delete(in.waiters, at, at+1)
	}
	if v, _ := p.Get(); p.Ready() {
		if item, is := v.([]lua.LValue); is && !in.deliver(item) {
			in.items = slices.Insert(in.items, 0, item)
		}
	}
	return nil, err
}

// end lets all who wait go without an item.
func (i *inbox) end() {
	waiters := i.waiters
	i.waiters = nil
	for _, w := range waiters {
		_ = w.Set(nil) // who waits has not got anything yet
	}
}
