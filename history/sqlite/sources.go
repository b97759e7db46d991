package sqlite

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"

	"github.com/flowlua/flowlua/history"
)

// Sources implements history.Store.
func (s *Store) Sources(ctx context.Context, hash string) (sources history.Sources, err error) {
	if err := ended(ctx); err != nil {
		return sources, err
	}
	err = s.read(func(c *conn) error {
		row, err := c.first("SELECT data FROM sources WHERE hash = ?", hash)
		switch {
		case err != nil:
			return err
		case row == nil:
			return fmt.Errorf("history: sources %.12s %w", hash, history.ErrNotFound)
		}
		sources, err = unpack(hash, raw(row[0]))
		return err
	})
	return sources, err
}

// missing reports whether sources are to be kept, and that they are what they are said to be.
func (k *commit) missing(hash string, sources *history.Sources) (missing bool, no, err error) {
	if k.known.sources[hash] || k.store.known.sources[hash] {
		return false, nil, nil
	}
	row, err := k.c.first("SELECT 1 FROM sources WHERE hash = ?", hash)
	if err != nil {
		return false, nil, err
	}
	if row != nil {
		k.known.source(hash)
		return false, nil, nil
	}
	return true, sources.Verify(hash), nil
}

func (k *commit) keep(hash string, sources *history.Sources) error {
	data, err := history.EncodeSources(sources)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(data)
	z.Close() // a buffer takes everything
	k.known.source(hash)
	return k.c.run("INSERT INTO sources(hash, data) VALUES(?, ?)", hash, b.Bytes())
}

func unpack(hash string, data []byte) (history.Sources, error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(z)
	}
	var sources history.Sources
	if err == nil {
		sources, err = history.DecodeSources(data)
	}
	if err != nil {
		return sources, fmt.Errorf("history: sources %.12s are damaged: %w", hash, err)
	}
	return sources, nil
}
