package stdlib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/scheduler"
	"github.com/flowlua/flowlua/vm"
)

// mapping is one flow.map: its items, and who works on them.
type mapping struct {
	flow    *Flow
	fn      lua.LValue
	items   []lua.LValue
	results *lua.LTable
	limit   int // branches at a time
	running int
	room    *scheduler.Promise // set when a branch ends, while the body waits for it
	site    scheduler.Site
}

// mapList is flow.map(list, fn [, { concurrency = n }]): a scope with a branch for each item.
func (f *Flow) mapList(L *lua.LState) int {
	const call = "flow.map"
	list, is := L.Get(1).(*lua.LTable)
	if !is {
		vm.Throwf(L, 1, "%s expects a list as argument #1, got %s", call, describe(L.Get(1)))
	}
	fn := checkCallable(L, 2, call, "a function")
	n := list.Len()
	m := &mapping{flow: f, fn: fn, site: f.site(), results: L.CreateTable(n, 0), items: make([]lua.LValue, n)}
	m.limit = readOptions(L, call, L.Get(3), "concurrency").count("concurrency", n, 1)
	f.state.Charge(int64(n) * branchCost)
	for i := range m.items {
		m.items[i] = list.RawGetInt(i + 1)
	}
	b := f.branch(L, call)
	return f.opened(L, b, scheduler.ScopeSpec{Name: "map", Site: m.site, Try: m.body})
}

// body starts a branch for one item after the other. The scope waits for the last ones.
func (m *mapping) body(b *scheduler.Branch, _ []any) (any, error) {
	for i := range m.items {
		if m.running == m.limit {
			m.room = m.flow.tree.Promise(b, "room for another item of flow.map")
			if _, err := b.Await(m.room); err != nil {
				return nil, err
			}
			m.room = nil
		}
		m.running++
		_, err := b.Spawn(scheduler.Spec{Name: m.flow.branchName(m.fn), Site: m.site, Body: func(b *scheduler.Branch, _ []any) (any, error) {
			return nil, m.item(b, i)
		}})
		if err != nil {
			return nil, err
		}
	}
	return []lua.LValue{m.results}, nil
}

func (m *mapping) item(b *scheduler.Branch, i int) error {
	v, err := m.flow.call(b, m.fn, m.items[i], lua.LNumber(i+1))
	if p, is := v.(*scheduler.Promise); is && err == nil {
		v, err = b.Await(p)
	}
	if err != nil {
		return err
	}
	m.results.RawSetInt(i+1, first(valuesOf(v)))
	m.running--
	if m.room != nil && !m.room.Settled() {
		return m.room.Set(nil)
	}
	return nil
}
