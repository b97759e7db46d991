package flowlua

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/flowlua/flowlua/history"
	"github.com/flowlua/flowlua/stdlib"
	"github.com/flowlua/flowlua/workflow"
)

// programs are the scripts of an engine, each loaded once.
type programs struct {
	fsys fs.FS

	mu     sync.Mutex
	loaded map[string]*loaded // by file
	found  map[string]*workflow.Program
	byHash map[string]*workflow.Program // of runs whose scripts came from the store
}

// maxStored is how many programs from the store are kept.
const maxStored = 100

// stored is the program that a run was started with.
func (p *programs) stored(ctx context.Context, store history.Reader, hash string) (*workflow.Program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if program := p.byHash[hash]; program != nil {
		return program, nil
	}
	for _, l := range p.loaded {
		if l.program != nil && l.program.Hash() == hash {
			return l.program, nil
		}
	}
	sources, err := store.Sources(ctx, hash)
	if err != nil {
		return nil, err
	}
	program, err := workflow.NewProgram(sources)
	if err != nil {
		return nil, err
	}
	if p.byHash == nil || len(p.byHash) >= maxStored {
		p.byHash = map[string]*workflow.Program{}
	}
	p.byHash[hash] = program
	return program, nil
}

type loaded struct {
	program *workflow.Program
	err     error
}

// load finds the program of a workflow, in a file if that is known.
func (p *programs) load(name, file string) (*workflow.Program, error) {
	if file == "" {
		return p.find(name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	program, err := p.file(file)
	if errors.Is(err, fs.ErrNotExist) {
		files, _ := workflow.Scripts(p.fsys)
		return nil, fmt.Errorf("script %q: %w%s", file, ErrNotFound, stdlib.Suggest(file, files))
	}
	if err != nil {
		return nil, err
	}
	if name != "" && !slices.Contains(program.Workflows(), name) {
		return nil, fmt.Errorf("%s declares no workflow %q: %w; it has %s", file, name, ErrNotFound, strings.Join(program.Workflows(), ", "))
	}
	return program, nil
}

// find looks for the file that declares a workflow: first the one of the same name, then all.
func (p *programs) find(name string) (*workflow.Program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if program := p.found[name]; program != nil {
		return program, nil
	}
	if p.fsys == nil {
		return nil, fmt.Errorf("workflow %q: %w: the engine has no scripts (Config.Scripts)", name, ErrNotFound)
	}
	if name == "" {
		return nil, errors.New("expected the name of a workflow, or of a script (StartOptions.Script), found neither")
	}
	if p.found == nil {
		p.found = map[string]*workflow.Program{}
	}
	if file := name + ".lua"; fs.ValidPath(file) {
		if program, err := p.file(file); err == nil && slices.Contains(program.Workflows(), name) {
			p.found[name] = program
			return program, nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return p.search(name)
}

// search looks at every file. One that does not load matters only if the workflow is not in another.
func (p *programs) search(name string) (*workflow.Program, error) {
	files, err := workflow.Scripts(p.fsys)
	if err != nil {
		return nil, err
	}
	var known, in []string
	var broken error
	for _, file := range files {
		program, err := p.file(file)
		if err != nil {
			broken = errors.Join(broken, err)
			continue
		}
		known = append(known, program.Workflows()...)
		if slices.Contains(program.Workflows(), name) {
			in = append(in, file)
			p.found[name] = program
		}
	}
	switch {
	case len(in) == 1:
		return p.found[name], nil
	case len(in) > 1:
		delete(p.found, name)
		return nil, fmt.Errorf("workflow %q is declared in %s: say which (StartOptions.Script)", name, strings.Join(in, " and in "))
	case broken != nil:
		return nil, fmt.Errorf("workflow %q: %w, but a script does not load: %w", name, ErrNotFound, broken)
	}
	hint := "no script declares one"
	if len(known) > 0 {
		slices.Sort(known)
		known = slices.Compact(known)
		hint = "there are " + strings.Join(known, ", ") + stdlib.Suggest(name, known)
	}
	return nil, fmt.Errorf("workflow %q: %w: %s", name, ErrNotFound, hint)
}

func (p *programs) file(file string) (*workflow.Program, error) {
	if p.fsys == nil {
		return nil, fmt.Errorf("%s: %w: the engine has no scripts (Config.Scripts)", file, ErrNotFound)
	}
	if l := p.loaded[file]; l != nil {
		return l.program, l.err
	}
	l := &loaded{}
	l.program, l.err = workflow.LoadProgram(p.fsys, file)
	if errors.Is(l.err, fs.ErrNotExist) {
		return nil, l.err // it may come
	}
	if p.loaded == nil {
		p.loaded = map[string]*loaded{}
	}
	p.loaded[file] = l
	return l.program, l.err
}
