package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flowlua/flowlua/history"
)

var kills = flag.Int("kills", 120, "how many processes TestKill kills, all workflows together")

// asFlowlua makes the test's own binary the command.
const asFlowlua = "FLOWLUA_TEST_AS_COMMAND"

// TestKill runs each workflow of testdata/kill in a process, kills that at a random moment, and has another take up the run, until
// it is done: what comes out is what comes out undisturbed, which the first line of the script says, and the file is sound.
func TestKill(t *testing.T) {
	scripts, err := filepath.Glob("testdata/kill/*.lua")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	killed := 0
	for round := 0; killed < *kills; round++ {
		script := scripts[round%len(scripts)]
		source, err := os.ReadFile(script)
		require.NoError(t, err)
		want, _, _ := strings.Cut(strings.TrimPrefix(string(source), "-- "), "\n")
		k := killing{db: filepath.Join(t.TempDir(), "runs.db"), script: script, longest: time.Duration(20+random.IntN(400)) * time.Millisecond, random: random}
		killed += k.live(t, want)
	}
	t.Logf("%d processes killed", killed)
}

// killing is one run that is killed again and again.
type killing struct {
	db, script string
	longest    time.Duration // that a process lives
	random     *rand.Rand
}

func (k *killing) live(t *testing.T, want string) (killed int) {
	for lives := 1; ; lives++ {
		require.Less(t, lives, 300, "%s does not get on", k.script)
		life := time.Duration(k.random.Int64N(int64(k.longest)))
		if lives > 50 {
			life += 5 * time.Second // it has been killed enough
		}
		out, ended := k.life(t, life, "run", k.script, "--workflow", "main", "--id", "run", "-o", "json", "--quiet", "--db", k.db)
		if !ended {
			killed++
			continue
		}
		if out == hasEnded { // the process was killed after the end of the run and before it could say so
			out, _ = k.life(t, time.Minute, "show", "run", "-o", "json", "--db", k.db)
			var shown struct{ Result json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(out), &shown), out)
			require.JSONEq(t, "["+want+"]", string(shown.Result))
		} else {
			require.Equal(t, want+"\n", out, "%s after %d lives", k.script, lives)
		}
		out, _ = k.life(t, time.Minute, "db", "check", "--db", k.db)
		require.Contains(t, out, "sound")
		k.attempts(t)
		return killed
	}
}

// attempts looks at those of each activity: none is missing, and what was lost with a process is there.
func (k *killing) attempts(t *testing.T) {
	out, _ := k.life(t, time.Minute, "show", "run", "--events", "-o", "jsonl", "--db", k.db)
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var ev history.Event
		require.NoError(t, json.Unmarshal([]byte(line), &ev), line)
		for i, a := range ev.Attempts {
			if len(ev.Attempts) < 10 { // of more, some are left out
				require.Equal(t, i+1, a.Number, line)
			}
		}
	}
}

const hasEnded = "has ended already"

// life runs a command and kills it when its time has come; what it has written is returned if it ended before.
func (k *killing) life(t *testing.T, life time.Duration, args ...string) (out string, ended bool) {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asFlowlua+"=1")
	var written, problems bytes.Buffer
	c.Stdout, c.Stderr = &written, &problems
	require.NoError(t, c.Start())
	timer := time.AfterFunc(life, func() { _ = c.Process.Kill() })
	err := c.Wait()
	if !timer.Stop() && err != nil {
		return "", false
	}
	if err != nil && strings.Contains(problems.String(), hasEnded) {
		return hasEnded, true
	}
	require.NoError(t, err, "%v: %s%s", args, &written, &problems)
	return written.String(), true
}
