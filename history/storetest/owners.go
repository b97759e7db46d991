package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var owners = map[string]test{
	"owners have numbers that grow": func(t *testing.T, s, other history.Store) {
		var last int64
		for i := range 4 {
			s := []history.Store{s, other}[i%2]
			n, err := s.Join(ctx, history.Owner{Number: 1, Name: "engine", Until: after(time.Hour)})
			require.NoError(t, err)
			require.Greater(t, n, last)
			last = n
			require.NoError(t, s.Leave(ctx, n))
		}
		n := join(t, s)
		got, err := other.Owners(ctx)
		require.NoError(t, err)
		require.Equal(t, []history.Owner{{Number: n, Name: "engine", Until: after(time.Hour)}}, got)
	},
	"a lease is prolonged": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "r")
		require.NoError(t, s.Renew(ctx, me, after(3*time.Hour)))
		got, err := other.Owners(ctx)
		require.NoError(t, err)
		require.Equal(t, after(3*time.Hour), got[0].Until)
		claimed, err := other.Claim(ctx, history.Claim{Owner: she, Now: after(2 * time.Hour)})
		require.NoError(t, err)
		require.Empty(t, claimed)
		commit(t, s, me, turn(ref("r", 1), 1))
		require.ErrorIs(t, s.Renew(ctx, 99, epoch), history.ErrFenced)
	},
	"who leaves has no runs": func(t *testing.T, s, other history.Store) {
		me, she := join(t, s), join(t, other)
		start(t, s, me, "a", "b")
		require.NoError(t, s.Leave(ctx, me))
		require.Zero(t, get(t, s, ref("a", 1)).Owner)
		require.ErrorIs(t, s.Leave(ctx, me), history.ErrFenced)
		require.ErrorIs(t, s.Renew(ctx, me, after(time.Hour)), history.ErrFenced)
		_, err := s.Claim(ctx, history.Claim{Owner: me, Now: epoch})
		require.ErrorIs(t, err, history.ErrFenced)
		_, err = s.Commit(ctx, me, []history.Step{turn(ref("a", 1), 1)})
		require.ErrorIs(t, err, history.ErrFenced)
		claimed, err := other.Claim(ctx, history.Claim{Owner: she, Now: epoch})
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"a", "b"}, ids(claimed))
		got, err := s.Owners(ctx)
		require.NoError(t, err)
		require.Len(t, got, 1)
	},
}
