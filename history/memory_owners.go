package history

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Owners implements Store.
func (m *Memory) Owners(context.Context) ([]Owner, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var all []Owner
	for _, n := range slices.Sorted(maps.Keys(m.owners)) {
		all = append(all, m.owners[n])
	}
	return all, nil
}

// Owned implements Store.
func (m *Memory) Owned(_ context.Context, owner int64) ([]Ref, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var owned []Ref
	for _, r := range m.order {
		if r.run.Status == Open && r.run.Owner == owner && (owner != 0 || r.run.Halted == "") {
			owned = append(owned, r.run.Ref)
		}
	}
	return owned, nil
}

// Join implements Store.
func (m *Memory) Join(_ context.Context, owner Owner) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.owners == nil {
		m.owners = map[int64]Owner{}
	}
	m.joined++
	owner.Number = m.joined
	m.owners[owner.Number] = owner
	return owner.Number, nil
}

// Renew implements Store.
func (m *Memory) Renew(_ context.Context, owner int64, until time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, err := m.lease(owner)
	if err != nil {
		return err
	}
	o.Until = until
	m.owners[owner] = o
	return nil
}

// Leave implements Store.
func (m *Memory) Leave(_ context.Context, owner int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.lease(owner); err != nil {
		return err
	}
	m.end(owner)
	m.watch.changed()
	return nil
}

// end fences an owner.
func (m *Memory) end(owner int64) {
	delete(m.owners, owner)
	for _, r := range m.order {
		if r.run.Owner == owner {
			r.run.Owner = 0
		}
	}
}

func (m *Memory) lease(owner int64) (Owner, error) {
	o, ok := m.owners[owner]
	if !ok {
		return o, fmt.Errorf("history: owner %d: %w", owner, ErrFenced)
	}
	return o, nil
}

// Claim implements Store.
func (m *Memory) Claim(_ context.Context, claim Claim) ([]Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.lease(claim.Owner); err != nil {
		return nil, err
	}
	for n, o := range m.owners {
		if n != claim.Owner && !o.Lives(claim.Now) {
			m.end(n)
		}
	}
	var claimed []Run
	for _, r := range m.order {
		switch {
		case claim.Limit > 0 && len(claimed) == claim.Limit:
			return claimed, nil
		case r.run.Status != Open || r.run.Owner != 0:
		case claim.IDs == nil && (r.run.Halted != "" || claim.Excepts(r.run.Ref, r.run.Turns)), claim.IDs != nil && !slices.Contains(claim.IDs, r.run.ID):
		default:
			r.run.Owner, r.run.Halted = claim.Owner, ""
			claimed = append(claimed, r.run)
		}
	}
	return claimed, nil
}
