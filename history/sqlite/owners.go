package sqlite

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/flowlua/flowlua/history"
)

// Owners implements history.Store.
func (s *Store) Owners(ctx context.Context) (all []history.Owner, err error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	err = s.read(func(c *conn) error {
		all, err = s.owners(c)
		return err
	})
	return all, err
}

func (s *Store) owners(c *conn) (all []history.Owner, err error) {
	err = c.query("SELECT number, name, until FROM owners ORDER BY number", nil, func(row []driver.Value) (bool, error) {
		o := history.Owner{Number: integer(row[0]), Name: text(row[1]), Until: toTime(integer(row[2]))}
		o.Gone = s.locks.gone(o.Number)
		all = append(all, o)
		return true, nil
	})
	return all, err
}

// Join implements history.Store.
func (s *Store) Join(ctx context.Context, owner history.Owner) (number int64, err error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	err = s.write("join", func(c *conn) error {
		_, number, err = c.exec("INSERT INTO owners(name, until) VALUES(?, ?)", owner.Name, fromTime(owner.Until))
		if err != nil {
			return err
		}
		return s.locks.hold(number) // before anybody sees the owner
	})
	if err != nil {
		s.locks.release(number)
		return 0, err
	}
	return number, nil
}

// Renew implements history.Store.
func (s *Store) Renew(ctx context.Context, owner int64, until time.Time) error {
	if err := ended(ctx); err != nil {
		return err
	}
	return s.write("write to", func(c *conn) error {
		changed, _, err := c.exec("UPDATE owners SET until = ? WHERE number = ?", fromTime(until), owner)
		if err == nil && changed == 0 {
			err = refused{fenced(owner)}
		}
		return err
	})
}

// Leave implements history.Store.
func (s *Store) Leave(ctx context.Context, owner int64) error {
	err := s.alone(ctx, "leave", func(k *commit) error {
		ended, err := end(k.c, owner)
		if err == nil && !ended {
			err = refused{fenced(owner)}
		}
		return err
	})
	if err == nil {
		s.locks.release(owner)
	}
	return err
}

// end fences an owner.
func end(c *conn, owner int64) (ended bool, err error) {
	changed, _, err := c.exec("DELETE FROM owners WHERE number = ?", owner)
	if err != nil || changed == 0 {
		return false, err
	}
	return true, c.run("UPDATE open SET owner = 0 WHERE owner = ?", owner)
}

// Claim implements history.Store.
func (s *Store) Claim(ctx context.Context, claim history.Claim) (claimed []history.Run, err error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	err = s.write("claim from", func(c *conn) error {
		claimed = nil
		owners, err := s.owners(c)
		if err != nil {
			return err
		}
		joined := false
		for _, o := range owners {
			switch {
			case o.Number == claim.Owner:
				joined = true
			case !o.Lives(claim.Now):
				if _, err := end(c, o.Number); err != nil {
					return err
				}
			}
		}
		if !joined {
			return refused{fenced(claim.Owner)}
		}
		if claim.IDs == nil && len(claim.Except) > 0 {
			claimed, err = takeExcept(c, &claim)
			return err
		}
		if claim.IDs == nil {
			claimed, err = take(c, claim.Owner, "o.run IN (SELECT run FROM open WHERE owner = 0 AND halted = '' ORDER BY run LIMIT ?1)", limit(claim.Limit))
			return err
		}
		for _, id := range claim.IDs {
			if claim.Limit > 0 && len(claimed) == claim.Limit {
				return nil
			}
			one, err := take(c, claim.Owner, "o.owner = 0 AND o.run IN (SELECT key FROM runs WHERE id = ?1)", id)
			if err != nil {
				return err
			}
			claimed = append(claimed, one...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}

// take gives the chosen runs to an owner.
func take(c *conn, owner int64, which string, arg any) (taken []history.Run, err error) {
	err = c.query("SELECT "+columns+" FROM open o CROSS JOIN runs r ON r.key = o.run WHERE "+which+" ORDER BY o.run", []any{arg}, func(row []driver.Value) (bool, error) {
		run, err := toRun(row)
		run.Owner, run.Halted = owner, ""
		taken = append(taken, run)
		return true, err
	})
	if err != nil || len(taken) == 0 {
		return nil, err
	}
	return taken, c.run("UPDATE open AS o SET owner = ?2, halted = '' WHERE "+which, arg, owner)
}

// takeExcept gives an owner all runs that are nobody's and wanted.
func takeExcept(c *conn, claim *history.Claim) (taken []history.Run, err error) {
	var wanted []any // keys
	err = c.query("SELECT o.run, r.id, r.number, o.turns FROM open o CROSS JOIN runs r ON r.key = o.run WHERE o.owner = 0 AND o.halted = '' ORDER BY o.run", nil, func(row []driver.Value) (bool, error) {
		ref := history.Ref{ID: text(row[1]), Number: int(integer(row[2]))}
		if !claim.Excepts(ref, integer(row[3])) {
			wanted = append(wanted, integer(row[0]))
		}
		return claim.Limit <= 0 || len(wanted) < claim.Limit, nil
	})
	for _, key := range wanted {
		if err != nil {
			break
		}
		var one []history.Run
		one, err = take(c, claim.Owner, "o.run = ?1", key)
		taken = append(taken, one...)
	}
	return taken, err
}

func limit(n int) int64 {
	if n <= 0 {
		return -1
	}
	return int64(n)
}
