package stdlib

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// channel carries values between branches. Senders wait while it is full, receivers while it is empty.
type channel struct {
	inbox
	capacity int
	senders  []sender // who waits until there is room
	closed   bool
}

type sender struct {
	item []lua.LValue
	sent *scheduler.Promise
}

func (c *channel) luaKind() string     { return "channel" }
func (c *channel) cannotLeave() string { return "a channel cannot leave the run" }

var channelMethods = []method{
	{"close", (*Flow).channelClose}, {"each", (*Flow).channelEach}, {"receive", (*Flow).channelReceive}, {"send", (*Flow).channelSend},
}

// channel is flow.channel([capacity]).
func (f *Flow) channel(L *lua.LState) int {
	capacity, whole := 0, true
	if L.Get(1) != lua.LNil {
		capacity, whole = wholeNumber(L.Get(1))
	}
	if !whole || capacity < 0 {
		vm.Throwf(L, 1, "flow.channel expects %s as its capacity, got %s", wholeFrom(0, L.Get(1)), describe(L.Get(1)))
	}
	L.Push(value(f.types.channel, &channel{capacity: capacity}))
	return 1
}

func checkChannel(L *lua.LState, call string) *channel {
	c, is := held[*channel](L.Get(1))
	if !is {
		vm.Throwf(L, 1, "%s expects a channel, got %s; call it with a colon", call, describe(L.Get(1)))
	}
	return c
}

// channelSend is ch:send(…): all values are one item, taken together.
func (f *Flow) channelSend(L *lua.LState) int {
	c := checkChannel(L, "channel:send")
	item := arguments(L, 2)
	switch {
	case first(item) == lua.LNil:
		vm.Throwf(L, 1, "channel:send expects a value, got nil, which means that a channel is closed; send json.null or false")
	case c.closed:
		vm.Throwf(L, 1, "channel:send: the channel is closed")
	}
	b := f.branch(L, "channel:send")
	if err := b.Cancelled(); err != nil {
		return f.raise(L, b, err)
	}
	if c.deliver(item) {
		return 0
	}
	f.state.Hold(int64(heldByItem + valueBytes*len(item)))
	if len(c.items) < c.capacity {
		c.items = append(c.items, item)
		return 0
	}
	w := sender{item, f.tree.Promise(b, "room in a channel")}
	c.senders = append(c.senders, w)
	v, err := f.wait(b, w.sent)
	if err != nil {
		c.senders = slices.DeleteFunc(c.senders, func(s sender) bool { return s.sent == w.sent })
	}
	return f.finish(L, b, v, err)
}

// next takes the oldest item, and lets the sender that waits longest put its own in.
func (c *channel) next() ([]lua.LValue, bool) {
	item, there := c.inbox.next()
	if len(c.senders) == 0 {
		return item, there
	}
	w := c.senders[0]
	c.senders = slices.Delete(c.senders, 0, 1)
	_ = w.sent.Set(nil) // it waits, so it has not settled
	if !there {
		return w.item, true
	}
	c.items = append(c.items, w.item)
	return item, true
}

// channelReceive is ch:receive([timeout]): the values of the next item; nil when the channel is closed and empty.
func (f *Flow) channelReceive(L *lua.LState) int {
	c := checkChannel(L, "channel:receive")
	return f.receive(L, c, "channel:receive")
}

func (f *Flow) receive(L *lua.LState, c *channel, call string) int {
	b := f.branch(L, call)
	d, limited := checkTimeout(L, 2, call)
	if err := b.Cancelled(); err != nil {
		return f.raise(L, b, err)
	}
	if item, there := c.next(); there {
		return push(L, item)
	}
	if c.closed {
		L.Push(lua.LNil)
		return 1
	}
	list, err := f.take(b, &c.inbox, "a channel", d, limited)
	if err != nil {
		return f.raise(L, b, err)
	}
	if len(list) == 0 {
		list = []lua.LValue{lua.LNil}
	}
	return push(L, list)
}

// channelEach is ch:each(): an iterator that ends when the channel is closed and empty.
func (f *Flow) channelEach(L *lua.LState) int {
	c := checkChannel(L, "channel:each")
	L.Push(f.state.Func("each", func(L *lua.LState) int {
		L.SetTop(0)
		return f.receive(L, c, "channel:each")
	}))
	return 1
}

// channelClose is ch:close(): what was sent can still be received. Senders that wait get an error.
func (f *Flow) channelClose(L *lua.LState) int {
	c := checkChannel(L, "channel:close")
	f.changes(L, "channel:close")
	c.closed = true
	c.end()
	senders := c.senders
	c.senders = nil
	for _, s := range senders {
		_ = s.sent.Fail(&Error{Name: nameError, Message: "the channel was closed before the value was received", site: f.site(), branch: f.tree.Current()})
	}
	return 0
}
