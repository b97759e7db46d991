package sqlite

import (
	"fmt"
	"sync"
)

// idle is how many connections are kept for readers. There are as many as there are readers at a time.
const idle = 4

// pool has the connections that read.
type pool struct {
	store  *Store
	mu     sync.Mutex
	idle   []*conn
	closed bool
}

func (p *pool) get() (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, p.store.errClosed()
	}
	if err := p.store.location.lost(); err != nil {
		return nil, err
	}
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	if err := p.store.location.check(); err != nil {
		return nil, err
	}
	c, err := dial(p.store.path, "rw")
	if err != nil {
		return nil, err
	}
	if err := c.script(fmt.Sprintf("PRAGMA busy_timeout = %d; PRAGMA query_only = 1", patience.Milliseconds())); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (p *pool) put(c *conn, keep bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !keep || p.closed || len(p.idle) >= idle {
		c.close()
		return
	}
	p.idle = append(p.idle, c)
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.close()
	}
	p.idle = nil
}

// read lets look at the store as it is at one time, while others write.
func (s *Store) read(look func(c *conn) error) (err error) {
	c, err := s.pool.get()
	if err != nil {
		return s.trouble("read", err)
	}
	fit := false
	defer func() { s.pool.put(c, fit) }()
	if err := c.run("BEGIN"); err != nil {
		return s.trouble("read", err)
	}
	err = look(c)
	fit = c.run("COMMIT") == nil
	return s.trouble("read", err)
}
