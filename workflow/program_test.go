package workflow_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/vm"
	"github.com/flowlua/flowlua/workflow"
	"github.com/flowlua/flowlua/workflow/virtual"
)

func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func names(p *workflow.Program) (list []string) {
	for name := range p.Sources().Files {
		list = append(list, name)
	}
	return list
}

func TestProgramTakesWhatItCanRequire(t *testing.T) {
	files := map[string]string{
		"main.lua":      `#!/usr/bin/env flowlua` + "\n" + `local flow = require "flow"; local x = require("lib.x"); return x`,
		"lib/x.lua":     `return { y = require "lib.y", z = require 'z' }`,
		"lib/y.lua":     `return 1 -- require "unused"`,
		"z/init.lua":    `return 2`,
		"unused.lua":    `return 3`,
		"broken.lua":    `this is not Lua`,
		"sub/other.lua": `return 4`,
		".hidden/h.lua": `return 5`,
		"data.txt":      `x`,
	}
	p, err := workflow.LoadProgram(tree(files), "main.lua")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"main.lua", "lib/x.lua", "lib/y.lua", "z/init.lua"}, names(p))
	require.Equal(t, p.Sources().Hash(), p.Hash())

	files["main.lua"] = `local name = ...; return require(name or "lib.y")`
	p, err = workflow.LoadProgram(tree(files), "main.lua")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"main.lua", "lib/x.lua", "lib/y.lua", "z/init.lua", "unused.lua", "broken.lua", "sub/other.lua"}, names(p),
		"a name that is made at run time may be any")
}

func TestProgramErrors(t *testing.T) {
	load := func(text string) error {
		_, err := workflow.LoadProgram(tree(map[string]string{"main.lua": text, "bad.lua": "x ="}), "main.lua")
		return err
	}
	var syntax *vm.SyntaxError
	require.ErrorAs(t, load("local x ="), &syntax)
	require.ErrorAs(t, load(`require "bad"`), &syntax)
	require.Equal(t, "bad.lua", syntax.Chunk)
	require.ErrorContains(t, load("local flow = require 'flow'\nflow.workflow('x')"), "main.lua:2: Error: flow.workflow expects")
	require.ErrorContains(t, load("local flow = require 'flow'\nflow.workflow('x', function() end)\nerror('later')"), "main.lua:3: Error: later")
	_, err := workflow.LoadProgram(tree(nil), "none.lua")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = workflow.LoadProgram(tree(nil), "../none.lua")
	require.ErrorContains(t, err, "slash-separated path below the scripts' folder")
}

func TestDiscovery(t *testing.T) {
	for _, c := range []struct {
		name, script          string
		workflows, activities []string
	}{
		{"declared", `local flow = require "flow"; flow.workflow("one", function() end); flow.workflow("two", function() end)
			flow.activity("host"); flow.activity("mine", function() end)`, []string{"one", "two"}, []string{"mine"}},
		{"none: the file is one", `local flow = require "flow"; flow.activity("host")():await(); print "never"`, []string{"main"}, nil},
		{"stops at the first wait", `local flow = require "flow"; flow.workflow("one", function() end); flow.sleep(1); flow.workflow("two", function() end)`, []string{"one"}, nil},
		{"stops at a record", `local flow = require "flow"; flow.side_effect(print); error("never")`, []string{"main"}, nil},
		{"an input is missing", `local input = ...; return input.x`, []string{"main"}, nil},
		{"in a module", `require "lib"`, []string{"far"}, nil},
		{"waits for ever", `local flow = require "flow"; flow.promise():await()`, []string{"main"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := workflow.LoadProgram(tree(map[string]string{"main.lua": c.script, "lib.lua": `require("flow").workflow("far", function() end)`}), "main.lua")
			require.NoError(t, err)
			require.Equal(t, c.workflows, p.Workflows())
			require.Equal(t, c.activities, p.Activities())
		})
	}
}

func TestChoice(t *testing.T) {
	p := load(t, `local flow = require "flow"; flow.workflow("one", function() end); flow.workflow("two", function() end)`)
	_, err := workflow.New(workflow.Config{Program: p})
	require.ErrorContains(t, err, "main.lua declares several workflows: say which of one, two")
	_, err = workflow.New(workflow.Config{Program: p, Workflow: "tow"})
	require.ErrorContains(t, err, `declares no workflow "tow"; it has one, two`)
}

func TestProgramOfStoredSources(t *testing.T) {
	p, err := workflow.LoadProgram(tree(map[string]string{"main.lua": `return require("lib")(...)`, "lib.lua": `return function(x) return x * 2 end`}), "main.lua")
	require.NoError(t, err)
	again, err := workflow.NewProgram(p.Sources())
	require.NoError(t, err)
	require.Equal(t, p.Hash(), again.Hash())
	w := virtual.New(virtual.Config{Program: again})
	defer w.Close()
	run, err := w.Start("r", "", 21)
	require.NoError(t, err)
	require.NoError(t, w.Run())
	require.Equal(t, `[42]`, string(run.Closing().Payload))

	broken := p.Sources()
	broken.Main = "gone.lua"
	_, err = workflow.NewProgram(broken)
	require.ErrorContains(t, err, `script "gone.lua"`)
}

func TestModuleErrorsAreThoseOfTheRun(t *testing.T) {
	start(t, `require "nowhere"`, nil).fails("Error", "nowhere")
}

func TestProgramIsSharedByRuns(t *testing.T) {
	p := load(t, `n = (n or 0) + ...; return n`)
	w := virtual.New(virtual.Config{Program: p})
	defer w.Close()
	for i := range 3 {
		run, err := w.Start(string(rune('a'+i)), "", i)
		require.NoError(t, err)
		require.NoError(t, w.Run())
		require.JSONEq(t, string(payload(t, i)), string(run.Closing().Payload), "runs share no globals")
	}
}

// A program can be loaded again from its own files, also where it may require any of them.
func TestProgramOfAProgram(t *testing.T) {
	p, err := workflow.LoadProgram(tree(map[string]string{"main.lua": `local name = "b" return require("lib." .. name)`, "lib/a.lua": "return 1", "lib/b.lua": "return 2"}), "main.lua")
	require.NoError(t, err)
	again, err := workflow.LoadProgram(p.Files(), "main.lua")
	require.NoError(t, err)
	require.Equal(t, p.Hash(), again.Hash())
}
