package stdlib

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"io"
	"os"

	lua "github.com/yuin/gopher-lua"

	"github.com/flowlua/flowlua/vm"
)

// OpenHash installs require "hash": checksums as lower-case hexadecimal text. Those of strings are pure; hash.file reads
// the disk and ends with ctx. Workflow code passes a nil ctx, and gets hash.file as an error that says where it belongs.
func OpenHash(s *vm.State, ctx context.Context) {
	s.Preload("hash", func(*lua.LState) lua.LValue {
		m := &hashModule{bounds{s}, ctx}
		list := make([]entry, 0, len(algorithms)+1)
		for _, a := range algorithms {
			list = append(list, entry{a.name, func(L *lua.LState) int { return m.text(L, a) }})
		}
		return module(s, "hash", append(list, entry{"file", m.file}))
	})
}

type hashModule struct {
	bounds bounds
	ctx    context.Context
}

type algorithm struct {
	name string
	make func() hash.Hash
}

var algorithms = [...]algorithm{
	{"crc32", func() hash.Hash { return crc32.NewIEEE() }},
	{"md5", md5.New},
	{"sha1", sha1.New},
	{"sha256", sha256.New},
}

func (m *hashModule) text(L *lua.LState, a algorithm) int {
	data := m.bounds.text(L, 1)
	m.bounds.chargeBytes(4 * len(data))
	h := a.make()
	io.WriteString(h, data) // a hash takes everything
	L.Push(lua.LString(hex.EncodeToString(h.Sum(nil))))
	return 1
}

// file is the checksum of a file, read in pieces.
func (m *hashModule) file(L *lua.LState) int {
	if m.ctx == nil {
		refuse(L, "hash.file")
	}
	const call = "hash.file"
	path := checkText(L, 1, call, "a path")
	h := m.algorithm(L, call)
	f, err := os.Open(path)
	if err != nil {
		fileFault(err).raise(m.bounds.state, L)
	}
	defer f.Close()
	piece := make([]byte, 64<<10)
	for {
		stopped(m.bounds.state, L, m.ctx)
		n, err := f.Read(piece)
		h.Write(piece[:n])
		m.bounds.chargeBytes(n)
		if err == io.EOF {
			break
		}
		if err != nil {
			fileFault(err).raise(m.bounds.state, L)
		}
	}
	L.Push(lua.LString(hex.EncodeToString(h.Sum(nil))))
	return 1
}

// algorithm reads the name of one as argument #2; sha256 if there is none.
func (m *hashModule) algorithm(L *lua.LState, call string) hash.Hash {
	name := "sha256"
	if L.Get(2) != lua.LNil {
		name = checkText(L, 2, call, "the name of an algorithm")
	}
	known := make([]string, len(algorithms))
	for i, a := range algorithms {
		if a.name == name {
			return a.make()
		}
		known[i] = a.name
	}
	vm.Throwf(L, 1, "%s: unknown algorithm '%s'%s; there are crc32, md5, sha1 and sha256", call, name, Suggest(name, known))
	return nil
}
