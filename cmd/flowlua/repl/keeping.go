package repl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
)

func keeping() []command {
	return []command{
		{name: "load", args: "FILE", help: "runs a script as one chunk: its local variables and what it declares are there afterwards", run: (*Session).load, kind: aFile},
		{name: "reload", help: "takes the present text of the loaded files and modules, if the session so far fits it", run: (*Session).reload},
		{name: "edit", args: "[FILE]", help: "edits the last chunk, or a file that is loaded then, in $EDITOR", run: (*Session).edit, kind: aFile},
		{name: "save", args: "FILE.lua", help: "writes what was typed as a script", run: (*Session).save, kind: aFile},
		{name: "export", args: "FILE.json", help: "writes the history, which can be replayed", run: (*Session).export, kind: aFile},
		{name: "record", args: "FILE", help: "writes the session as a transcript, which is a test", run: (*Session).record, kind: aFile},
		{name: "time", args: "EXPR", help: "runs a chunk and tells how long that took", run: (*Session).time, kind: aChunk},
		{name: "quit", help: "leaves, as Ctrl-D does", run: (*Session).quit},
	}
}

func (s *Session) load(file string) error {
	if file == "" {
		return misuse("a file expected")
	}
	text, err := readScript(file)
	if err != nil {
		return err
	}
	typed := workflow.Typed{Name: filepath.ToSlash(file), Source: string(text), Line: 1}
	if err := vm.CheckTyped(typed.Name, typed.Source, 1, vm.Limits{}); err != nil {
		s.fail(err)
		return nil
	}
	if !slices.Contains(s.loaded, file) {
		s.loaded = append(s.loaded, file)
	}
	s.enter(":load "+file, typed)
	return nil
}

// readScript reads a file that is to be typed.
func readScript(file string) ([]byte, error) {
	text, err := vm.ReadSource(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	var e *os.PathError
	if errors.As(err, &e) {
		err = &os.PathError{Op: e.Op, Path: file, Err: e.Err}
	}
	return text, plainPath(err)
}

// plainPath is an error of a file without the name of the system call.
func plainPath(err error) error {
	var e *os.PathError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

func (s *Session) reload(rest string) error {
	if err := none(rest); err != nil {
		return err
	}
	if len(s.loaded) == 0 {
		return fmt.Errorf("no file was loaded; :load FILE does that")
	}
	texts := map[string]string{}
	for _, file := range s.loaded {
		text, err := readScript(file)
		if err != nil {
			return err
		}
		if err := vm.CheckTyped(filepath.ToSlash(file), string(text), 1, vm.Limits{}); err != nil {
			s.fail(err)
			return nil
		}
		texts[filepath.ToSlash(file)] = string(text)
	}
	if err := s.world.Reload(texts); err != nil {
		return fmt.Errorf("the session so far does not fit the present text, and keeps the old one: %s", difference(err))
	}
	s.say("reloaded %s", strings.Join(s.loaded, ", "))
	return nil
}

func (s *Session) edit(file string) error {
	if s.config.Edit == nil {
		return fmt.Errorf("there is no terminal to edit on")
	}
	if file != "" {
		if err := s.config.Edit(file); err != nil {
			return err
		}
		return s.load(file)
	}
	e, err := s.execution()
	if err != nil {
		return err
	}
	before := ""
	for _, c := range e.Chunks() {
		if c.Name == mainName {
			before = c.Source
		}
	}
	temp, err := os.CreateTemp("", "flowlua-*.lua")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.WriteString(before + "\n"); err != nil {
		return err
	}
	if err := errors.Join(temp.Close(), s.config.Edit(temp.Name())); err != nil {
		return err
	}
	after, err := os.ReadFile(temp.Name())
	if err != nil {
		return err
	}
	text := strings.TrimRight(string(after), "\n")
	if strings.TrimSpace(text) == "" {
		s.note("nothing to run")
		return nil
	}
	s.say("%s", text)
	if err := vm.CheckTyped(mainName, text, s.nextLine(), vm.Limits{}); err != nil {
		s.fail(err)
		return nil
	}
	s.Enter(text)
	return nil
}

func (s *Session) save(file string) error {
	if file == "" {
		return misuse("a file expected")
	}
	e, err := s.execution()
	if err != nil {
		return err
	}
	var parts []string
	for _, c := range e.Chunks() {
		if c.Err == nil {
			parts = append(parts, statement(c.Typed))
		}
	}
	text := strings.Join(parts, "\n") + "\n"
	if strings.Contains(text, "flow") && !strings.Contains(text, `flow = require "flow"`) {
		text = `local flow = require "flow"` + "\n\n" + text
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return plainPath(err)
	}
	s.say("%d chunks in %s", len(parts), file)
	if _, err := vm.Compile(file, text, vm.Limits{}); err != nil {
		return fmt.Errorf("what was typed is not one script: %w", err)
	}
	return nil
}

// statement is a chunk as a part of a script: what was typed to see its value becomes the value of _.
func statement(c workflow.Typed) string {
	if _, err := vm.Compile("part", c.Source+"\nlocal _", vm.Limits{}); err == nil {
		return c.Source
	}
	value := strings.TrimPrefix(strings.TrimSpace(c.Source), "=")
	if _, err := vm.Compile("part", "_ = "+value+"\nlocal _", vm.Limits{}); err == nil {
		return "_ = " + value
	}
	return "do\n" + c.Source + "\nend" // it returns
}

func (s *Session) export(file string) error {
	if file == "" {
		return misuse("a file expected")
	}
	if filepath.Ext(file) != ".json" {
		return misuse("a file whose name ends with .json expected, got '%s'", file)
	}
	f, err := os.Create(file)
	if err != nil {
		return plainPath(err)
	}
	_, err = s.world.Recording().WriteTo(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return plainPath(err)
	}
	s.say("%d events in %s", len(s.history()), file)
	return nil
}

func (s *Session) time(text string) error {
	if text == "" {
		return misuse("an expression expected")
	}
	if err := vm.CheckTyped(mainName, text, s.nextLine(), vm.Limits{}); err != nil {
		s.fail(err)
		return nil
	}
	start := time.Now()
	s.Enter(text)
	s.note("took %s", time.Since(start).Round(time.Microsecond))
	return nil
}

func (s *Session) quit(rest string) error {
	s.over = rest == ""
	return none(rest)
}
