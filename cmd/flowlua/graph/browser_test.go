package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measure runs in the page and tells the page around it what it finds.
const measure = `<script>addEventListener("load", () => {
	const box = e => e.getBoundingClientRect(), all = s => [...document.querySelectorAll(s)]
	const out = all("main *, header *").filter(e => box(e).width > 0 && (box(e).right > innerWidth + 1 || box(e).left < -1))
	const rows = all(".row"), lanes = all(".lane"), bars = all(".bar")
	parent.postMessage(JSON.stringify({
		wide: document.documentElement.scrollWidth, inner: innerWidth,
		out: out.slice(0, 5).map(e => e.className + " " + e.textContent.slice(0, 40)),
		rows: rows.length, low: rows.filter(e => box(e).height < 15).length,
		overlap: rows.filter(e => { const n = box(e.querySelector(".name")), l = box(e.querySelector(".lane")); return n.right > l.left + 1 && n.bottom > l.top + 1 }).length,
		strays: bars.filter(e => { const b = box(e), l = box(e.parentElement); return b.left < l.left - 1 || b.right > l.right + 6 || b.width < 3 }).length,
		ticks: (() => { const t = all(".ticks." + (document.querySelector("#even").checked ? "even" : "time") + " .tick").filter(e => box(e).width > 0).map(box)
			return t.filter((b, i) => i > 0 && b.left < t[i - 1].right).length })(),
		ground: getComputedStyle(document.body).backgroundColor, hacked: !!window.hacked }), "*")
})</script>`

// around is a page that shows the other one in a frame of a width, as Chromium makes no window as narrow as a phone.
const around = `<!doctype html><meta name="color-scheme" content="light dark"><body>
<script>addEventListener("message", e => document.body.dataset.measured = e.data)</script>
<iframe src="page.html" style="border:0;width:%dpx;height:1000px"></iframe>`

type measured struct {
	Wide, Inner, Rows, Low, Overlap, Strays, Ticks int
	Out                                            []string
	Ground                                         string
	Hacked                                         bool
}

// TestBrowser looks at the page with headless Chromium, where that is installed: on a phone, a tablet and a desktop, light and dark.
func TestBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed: nobody has looked at the page")
	}
	for name, p := range drawings(t) {
		text := page(t, p)
		require.Contains(t, text, "default-src 'none'")
		text = strings.Replace(text, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`, "", 1)
		text = strings.Replace(text, "</head>", `<script>window.alert = () => { window.hacked = true }</script></head>`, 1)
		file := filepath.Join(t.TempDir(), "page.html")
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(text, "</body>", measure+"</body>", 1)), 0o644))
		for _, width := range []int{380, 820, 1400} {
			t.Run(fmt.Sprintf("%s/%d", name, width), func(t *testing.T) {
				m := look(t, chromium, file, width, width == 820)
				require.Equal(t, width, m.Inner)
				require.Greater(t, m.Rows, 10)
				dark := m.Ground == "rgb(15, 20, 26)"
				require.Equal(t, width == 820, dark, m.Ground)
				m.Inner, m.Rows, m.Ground = 0, 0, ""
				require.LessOrEqual(t, m.Wide, width, "nothing is wider than the window: %v", m.Out)
				m.Wide = 0
				require.Equal(t, measured{Out: []string{}}, m)
			})
		}
	}
}

var found = regexp.MustCompile(`data-measured="([^"]*)"`)

func look(t *testing.T, chromium, file string, width int, dark bool) (m measured) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	scheme := "1"
	if dark {
		scheme = "0"
	}
	frame := filepath.Join(filepath.Dir(file), "around.html")
	require.NoError(t, os.WriteFile(frame, fmt.Appendf(nil, around, width), 0o644))
	c := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-quic",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--blink-settings=preferredColorScheme="+scheme,
		"--user-data-dir="+t.TempDir(), "--window-size=1500,1100", "--virtual-time-budget=3000", "--dump-dom", "file://"+filepath.ToSlash(frame))
	out, err := c.Output()
	require.NoError(t, err)
	match := found.FindStringSubmatch(string(out))
	require.NotNil(t, match, "the page has not measured itself")
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(match[1])), &m))
	return m
}
