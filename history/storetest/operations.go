package storetest

import (
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flowlua/flowlua/history"
)

func (m *machine) join(t *rapid.T) {
	m.clock++
	until := m.now().Add(time.Duration(rapid.IntRange(5, 60).Draw(t, "lease")) * time.Second)
	m.joined, _ = both(t, m, func(s history.Store) (int64, error) { return s.Join(ctx, history.Owner{Name: "e", Until: until}) })
}

func (m *machine) renew(t *rapid.T) {
	owner := m.owner(t)
	both(t, m, func(s history.Store) (int, error) { return 0, s.Renew(ctx, owner, m.now().Add(10*time.Second)) })
}

func (m *machine) leave(t *rapid.T) {
	owner := m.owner(t)
	both(t, m, func(s history.Store) (int, error) { return 0, s.Leave(ctx, owner) })
}

func (m *machine) claim(t *rapid.T) {
	m.clock++
	c := history.Claim{Owner: m.owner(t), Now: m.now()}
	if rapid.Bool().Draw(t, "named") {
		c.IDs = rapid.SliceOfN(rapid.SampledFrom(someIDs), 0, 3).Draw(t, "ids")
	}
	if rapid.IntRange(0, 3).Draw(t, "with exceptions") == 0 {
		c.Except = map[history.Ref]int64{m.ref(t): rapid.Int64Range(0, 3).Draw(t, "turns of the exception")}
	}
	both(t, m, func(s history.Store) ([]history.Run, error) {
		runs, err := s.Claim(ctx, c)
		slices.SortFunc(runs, func(a, b history.Run) int { return strings.Compare(a.ID, b.ID) })
		return runs, err
	})
}

func (m *machine) commit(t *rapid.T) {
	m.clock++
	owner := m.owner(t)
	var steps []history.Step
	for range rapid.IntRange(1, 3).Draw(t, "steps") {
		steps = append(steps, m.step(t, owner))
	}
	both(t, m, func(s history.Store) ([]history.Written, error) {
		written, err := s.Commit(ctx, owner, steps)
		for i := range written {
			written[i].Err = kind(t, written[i].Err)
		}
		return written, err
	})
}

func (m *machine) send(t *rapid.T) {
	mail := m.mail(t)
	both(t, m, func(s history.Store) (int, error) { return 0, s.Send(ctx, mail) })
}

func (m *machine) create(t *rapid.T) {
	n := m.newRun(t)
	both(t, m, func(s history.Store) (int, error) { return 0, s.Create(ctx, n) })
}

func (m *machine) revise(t *rapid.T) {
	r, turns := m.ref(t), rapid.Int64Range(0, 3).Draw(t, "turns")
	sources := script
	if rapid.Bool().Draw(t, "other sources") {
		sources = history.Sources{Main: "b.lua", Files: map[string]string{"b.lua": ""}}
	}
	both(t, m, func(s history.Store) (int, error) { return 0, s.Revise(ctx, r, turns, sources) })
}

func (m *machine) delete(t *rapid.T) {
	r := m.ref(t)
	if rec, err := history.Record(ctx, m.model, r); err == nil {
		m.kept = append(m.kept, rec)
	}
	both(t, m, func(s history.Store) (int, error) { return 0, s.Delete(ctx, r) })
}

func (m *machine) importRun(t *rapid.T) {
	if len(m.kept) == 0 {
		t.Skip("nothing is kept")
	}
	rec := rapid.SampledFrom(m.kept).Draw(t, "kept")
	both(t, m, func(s history.Store) (int, error) { return 0, s.Import(ctx, rec) })
}

// compare asks both stores for everything.
func (m *machine) compare(t *rapid.T) {
	runs, _ := both(t, m, func(s history.Store) (all []history.Run, err error) {
		for run, err := range s.Runs(ctx, history.Filter{}) {
			require.NoError(t, err)
			all = append(all, run)
		}
		return all, nil
	})
	for _, run := range runs {
		both(t, m, func(s history.Store) (all []history.Turn, err error) {
			for turn, err := range s.Turns(ctx, run.Ref, 0) {
				require.NoError(t, err)
				all = append(all, turn)
			}
			return all, nil
		})
		both(t, m, func(s history.Store) ([]history.Attempt, error) { return s.Attempts(ctx, run.Ref) })
	}
	for _, id := range someIDs {
		both(t, m, func(s history.Store) (history.Run, error) { return s.Run(ctx, ref(id, 0)) })
	}
	for owner := range m.joined + 1 {
		both(t, m, func(s history.Store) ([]history.Mail, error) { return s.Inbox(ctx, owner, 0) })
		both(t, m, func(s history.Store) ([]history.Ref, error) { return s.Owned(ctx, owner) })
	}
	both(t, m, func(s history.Store) ([]history.Owner, error) { return s.Owners(ctx) })
}
