package scheduler

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// at is a site whose frames are the words of a string.
type at string

func (a at) Frames() []Frame {
	var frames []Frame
	for _, f := range strings.Fields(string(a)) {
		frames = append(frames, Frame{Function: f})
	}
	return frames
}

func (x *do) taskAt(site string, f func(x *do)) {
	_, err := x.b.Spawn(Spec{Site: at(site), Body: x.body(f)})
	x.must(err)
}

// thrown writes the logical stack at the place of frames.
func (x *do) thrown(frames string) {
	var names []string
	for _, f := range x.b.Trace(at(frames).Frames()) {
		names = append(names, f.String())
	}
	x.t("%s", strings.Join(names, " "))
}

// G. Asynchronous stack traces.
func TestCatalogueG(t *testing.T) {
	perform(t, []catalogued{
		{"P-150", func(p *play) {
			p.root(func(x *do) {
				x.taskAt("level2 root", func(x *do) {
					x.taskAt("level1 task2", func(x *do) { x.thrown("leaf task1") })
				})
			})
		}, "leaf task1 ---continuation--- level1 task2 ---continuation--- level2 root, loop=true"},

		// That the trace is the same in catch is the error's business, which keeps what Trace gave it.
		{"P-151", func(p *play) {
			p.root(func(x *do) {
				_, err := x.b.Try(ScopeSpec{Site: at("root"), Try: p.body(func(x *do) {
					x.taskAt("level1 try", func(x *do) { x.thrown("leaf task") })
				})})
				x.must(err)
			})
		}, "leaf task ---continuation--- level1 try ---continuation--- root, loop=true"},

		{"P-152", func(p *play) {
			p.root(func(x *do) {
				_, err := x.b.Try(ScopeSpec{Site: at("root"), Try: p.body(p.throwing(E("x"))),
					Catch: func(b *Branch, _ error) (any, error) {
						(&do{play: p, b: b}).thrown("catch")
						return nil, nil
					}})
				x.must(err)
			})
		}, "catch ---continuation--- root, loop=true"},

		// The guide's form: the separator that introduces a segment says how often it occurs.
		{"P-153", func(p *play) {
			var recurse func(x *do, n int)
			recurse = func(x *do, n int) {
				if n == 0 {
					x.thrown("leaf task")
					return
				}
				x.taskAt("recurse task", func(x *do) { recurse(x, n-1) })
			}
			p.root(func(x *do) { x.taskAt("recurse root", func(x *do) { recurse(x, 3) }) })
		}, "leaf task ---continuation---.(repeated:3) recurse task ---continuation--- recurse root, loop=true"},

		{"P-154", func(p *play) {
			p.root(func(x *do) {
				x.taskAt("root", func(x *do) {
					x.thrown("one")
					x.taskAt("one", func(x *do) { x.thrown("two") })
				})
			})
		}, "one ---continuation--- root, two ---continuation--- one ---continuation--- root, loop=true"},

		// Tracing is off where nobody captures sites.
		{"P-155", func(p *play) {
			p.root(func(x *do) { x.task(func(x *do) { x.task(func(x *do) { x.thrown("leaf") }) }) })
		}, "leaf, loop=true"},
	})
}

func TestTraceFoldsCycles(t *testing.T) {
	perform(t, []catalogued{{"a b a b", func(p *play) {
		var recurse func(x *do, n int)
		recurse = func(x *do, n int) {
			if n == 0 {
				x.thrown("leaf")
				return
			}
			x.taskAt("a", func(x *do) { x.taskAt("b", func(x *do) { recurse(x, n-1) }) })
		}
		p.root(func(x *do) { recurse(x, 5) })
	}, "leaf ---continuation---.(repeated:5) b ---continuation--- a, loop=true"}})
}

func TestEndlessRecursionStaysBounded(t *testing.T) {
	tree := New(Config{})
	defer tree.Stop()
	var last *Branch
	sites := []Site{at("a"), at("b"), at("c"), at("d"), at("e"), at("f"), at("g"), at("h"), at("i")}
	var body func(n int) Func
	body = func(n int) Func {
		return func(b *Branch, _ []any) (any, error) {
			last = b
			if n == 0 {
				return nil, nil
			}
			for range n % 2 { // so that the paths alternate
				b.NextID()
			}
			return b.Spawn(Spec{Site: sites[n%len(sites)], Body: body(n - 1)})
		}
	}
	tree.Start("", nil, body(5000))
	require.NoError(t, tree.Run())
	require.Less(t, len(last.Path()), 4*digestFrom)
	require.Less(t, len(last.Trace(nil)), 2*longestLineage+8)
	require.LessOrEqual(t, last.lineage().length, longestLineage)
}

func TestPaths(t *testing.T) {
	tree := New(Config{})
	defer tree.Stop()
	var paths []string
	note := func(b *Branch) { paths = append(paths, b.Path()) }
	var deep func(n int) Func
	deep = func(n int) Func {
		return func(b *Branch, _ []any) (any, error) {
			note(b)
			if n > 0 {
				_, err := b.Spawn(Spec{Body: deep(n - 1)})
				return nil, err
			}
			return nil, nil
		}
	}
	tree.Start("", nil, func(b *Branch, _ []any) (any, error) {
		note(b)
		paths = append(paths, b.NextID())
		_, err := b.Try(ScopeSpec{
			Try:     func(b *Branch, _ []any) (any, error) { note(b); return nil, E("x") },
			Catch:   func(b *Branch, _ error) (any, error) { note(b); return nil, nil },
			Finally: func(b *Branch) error { note(b); paths = append(paths, b.NextID()); return nil },
		})
		require.NoError(t, err)
		_, err = b.Spawn(Spec{Body: deep(4)})
		return nil, err
	})
	_, err := tree.Attach("", nil, deep(1))
	require.NoError(t, err)
	require.NoError(t, tree.Run())
	require.Equal(t, strings.Fields("/1 @1 /2t /3 @1/1 /2c /3/3x /2f /2f/1")[0], paths[1])
	require.ElementsMatch(t, strings.Fields("/1 @1 @1/1 /2t /2c /2f /2f/1 /3 /3/1 /3/1/1 /3/1/1/1 /3/1*4"), paths[1:])
}
