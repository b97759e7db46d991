package flowlua

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPoolRunsAtMostMaxAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most, done := 0, 0, 0
		p := pool[int]{max: 3}
		p.work = func(int, *bool) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			running--
			done++
			mu.Unlock()
		}
		start := time.Now()
		for i := range 3000 {
			p.add(i)
		}
		time.Sleep(1001 * time.Second)
		synctest.Wait()
		require.Equal(t, 3000, done)
		require.Equal(t, 3, most)
		require.Zero(t, p.slots)
		require.Zero(t, p.alive)
		require.Equal(t, 1001*time.Second, time.Since(start))
	})
}

func TestPoolKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got, want []int
		p := pool[int]{max: 1, work: func(i int, _ *bool) { got = append(got, i) }}
		for i := range 5000 {
			want = append(want, i)
			if i%3 == 0 {
				p.add(i)
			} else {
				p.add(i)
				synctest.Wait()
			}
		}
		synctest.Wait()
		require.True(t, slices.Equal(want, got))
	})
}

// What has begun goes before what has not, so that a flood of starts does not leave all of them half done; yet it does
// not keep the new ones out.
func TestPoolPrefersTheUrgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		p := pool[string]{max: 1}
		gate := make(chan bool)
		p.work = func(item string, _ *bool) {
			if item == "first" {
				<-gate
			}
			got = append(got, item)
		}
		p.add("first")
		synctest.Wait()
		p.add("new 1", "new 2")
		for i := range 10 {
			p.addUrgent(strconv.Itoa(i))
		}
		close(gate)
		synctest.Wait()
		require.Equal(t, []string{"first", "0", "1", "2", "3", "4", "5", "6", "new 1", "7", "8", "9", "new 2"}, got)
	})
}

func TestPoolReplacesWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan int, 10)
		p := pool[int]{max: 1}
		release := make(chan bool)
		p.work = func(i int, mine *bool) {
			switch i {
			case 1: // gives its slot up and blocks
				p.giveUp()
				*mine = false
				<-release
			case 2: // ends its goroutine
				runtime.Goexit()
			}
			done <- i
		}
		p.add(1, 2, 3)
		synctest.Wait()
		require.Equal(t, 3, <-done)
		require.Zero(t, p.slots)
		require.Equal(t, 1, p.alive)

		p.close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, p.wait(ctx), context.DeadlineExceeded)
		close(release)
		require.NoError(t, p.wait(t.Context()))
		p.add(4)
		synctest.Wait()
		require.Len(t, done, 1) // of 1; nothing is taken after close
	})
}

func TestAlarms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a alarms
		start := time.Now()
		var got []string
		set := func(name string, after time.Duration) *alarm {
			return a.add(start.Add(after), func() { got = append(got, name+" "+time.Since(start).String()) })
		}
		set("b", 2*time.Hour)
		set("a", time.Hour)
		set("a2", time.Hour)
		dropped := set("never", 90*time.Minute)
		a.add(start.Add(time.Hour), func() { set("in a call", 100*time.Minute) })
		set("past", -time.Hour)
		a.drop(dropped)
		a.drop(dropped)
		a.drop(nil)
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		require.Equal(t, []string{"past 0s", "a 1h0m0s", "a2 1h0m0s", "in a call 1h40m0s", "b 2h0m0s"}, got)

		set("after stop", 4*time.Hour)
		a.stop()
		set("too late", 4*time.Hour)
		time.Sleep(5 * time.Hour)
		synctest.Wait()
		require.Len(t, got, 5)
	})
}
