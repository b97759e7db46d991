package graph

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
	"github.com/flowlua/flowlua/cmd/flowlua/progress"
	"github.com/flowlua/flowlua/history"
)

var htmlLimits = limits{siblings: 300, all: 1500}

const (
	mostFailures = 25
	mostEvents   = 400
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

// page is what page.html shows.
type page struct {
	Style            template.CSS
	Title            string
	Workflow         string
	Script           string
	Status           string // for people
	State            string // of the root, for the colour
	Facts            [][2]string
	Failure          []failure
	Failures         []failure // of parts
	MoreFailures     string
	Waiting          []pageWaiting
	Result           string
	Even             bool // the even scale is the better one to begin with
	Marks, EvenMarks []mark
	Root             *row
	Folded           string
	Events           []pageEvent
	EventCount       string
}

type failure struct {
	Name, Message string
	Where         string
	Trace         []string
}

type pageWaiting struct{ What, Why, At, Code string }

// pageEvent is an event of the history; one without a number stands for those that are left out.
type pageEvent struct{ Number, Time, Arrow, Text string }

// row is a part of the tree beside its bar.
type row struct {
	Icon, State, Kind, Name, Path, Took, Attempts, Note string
	Depth                                               int
	Bar                                                 bool
	Open                                                bool // it is not over: its bar goes on
	Left, Width, EvenLeft, EvenWidth                    string
	Hint                                                string
	Tries                                               []try
	Children                                            []*row
	Folded                                              bool
}

// try is one attempt on a bar.
type try struct{ State, Left, Width, EvenLeft, EvenWidth, Hint string }

var icons = map[string]string{"done": "✓", "ended": "•", "failed": "✗", "cancelled": "⊘", "running": "▷", "retrying": "↺", "sleeping": "◔", "waiting": "○"}

// HTML writes a run as one page that needs nothing else: its tree beside its timeline, its errors, what it waits for, its history.
func HTML(w io.Writer, p *operate.Picture) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	root, all := tree(p.Tree, htmlLimits)
	d := drawing{p: p, from: p.Created, to: p.At}
	d.times = append(d.times, d.from, d.to)
	d.collect(root)
	d.time, d.even = byTime(d.from, d.to), byEvents(d.times)
	v := page{Style: template.CSS(pageStyle), Title: title(p), Workflow: plain(p.Workflow), Script: plain(p.Script), State: p.Tree.State, Folded: foldedText(root, all)}
	v.Status, v.Facts = status(p), facts(p)
	for f := p.Failure; f != nil; f = f.Cause {
		v.Failure = append(v.Failure, failure{Name: plain(f.Name), Message: f.Message, Trace: f.Trace})
	}
	v.failures(p.Tree)
	for _, one := range pending(p) {
		v.Waiting = append(v.Waiting, pageWaiting{plain(one.what), plain(one.why), plain(one.at), plain(one.code)})
	}
	if len(p.Result) > 0 {
		v.Result = pretty(p.Result)
	}
	v.Root = d.row(root, 0)
	v.Marks, v.EvenMarks = marksByTime(d.from, d.to), marksByEvents(unique(d.times), d.from)
	v.Even = d.bars > 2 && 2*d.tiny > d.bars
	v.events(p)
	return t.Execute(w, v)
}

// drawing is the state of drawing rows.
type drawing struct {
	p          *operate.Picture
	from, to   time.Time
	times      []time.Time
	time, even scale
	bars, tiny int // how many there are, and how many of them can hardly be seen on the scale of time
}

func (d *drawing) collect(n *node) {
	times := []time.Time{n.Began, n.Ended}
	for i := range n.Past {
		times = append(times, n.Past[i].Began, n.Past[i].Ended)
	}
	for _, at := range times {
		if !at.IsZero() {
			d.times = append(d.times, at)
			if at.Before(d.from) {
				d.from = at
			}
			if at.After(d.to) {
				d.to = at
			}
		}
	}
	for _, c := range n.children {
		d.collect(c)
	}
}

func (d *drawing) row(n *node, depth int) *row {
	r := &row{Icon: icons[n.State], State: n.State, Kind: n.Kind, Name: short(name(n), 200), Path: n.Path, Attempts: attempts(&n.Branch), Note: short(plain(n.Note), 400),
		Depth: depth, Folded: n.folded > 0}
	if r.Folded {
		r.Icon = "⋯"
	}
	if !n.Began.IsZero() {
		end := n.Ended
		if end.IsZero() {
			end, r.Open = d.to, true
		}
		r.Bar = true
		r.Took = clock(end.Sub(n.Began))
		r.Left, r.Width = span(d.time, n.Began, end)
		r.EvenLeft, r.EvenWidth = span(d.even, n.Began, end)
		r.Hint = fmt.Sprintf("%s, from %s to %s", n.State, clock(n.Began.Sub(d.from)), clock(end.Sub(d.from)))
		if d.bars++; d.time(end)-d.time(n.Began) < 0.5 {
			d.tiny++
		}
	}
	for i := range n.Past {
		if !n.Past[i].Began.IsZero() {
			r.Tries = append(r.Tries, d.try(n, i))
		}
	}
	for _, c := range n.children {
		r.Children = append(r.Children, d.row(c, depth+1))
	}
	return r
}

// try draws one attempt; one that was lost goes on until the next began.
func (d *drawing) try(n *node, i int) try {
	a := &n.Past[i]
	end, state := a.Ended, "done"
	switch last := i == len(n.Past)-1; {
	case a.Lost():
		end, state = n.Ended, "lost"
		if !last && !n.Past[i+1].Began.IsZero() {
			end = n.Past[i+1].Began
		}
	case a.Failure != nil, last && n.State == "failed":
		state = "failed"
	case last:
		state = n.State
	}
	t := try{State: state, Hint: short(plain(fmt.Sprintf("attempt %d, %s", a.Number, progress.PastText(a, d.from))), 400)}
	t.Left, t.Width = span(d.time, a.Began, end)
	t.EvenLeft, t.EvenWidth = span(d.even, a.Began, end)
	return t
}

func span(s scale, from, to time.Time) (left, width string) {
	return fmt.Sprintf("%.2f", s(from)), fmt.Sprintf("%.2f", max(0, s(to)-s(from)))
}

func status(p *operate.Picture) string {
	if p.Halted != "" {
		return "halted"
	}
	return string(p.Status)
}

func facts(p *operate.Picture) [][2]string {
	verb := "took"
	if p.Status == history.Open {
		verb = "open for"
	}
	list := [][2]string{
		{verb, took(p.Seconds)},
		{"started", p.Created.UTC().Format("2006-01-02 15:04:05 UTC")},
		{"history", fmt.Sprintf("%s events in %s turns", thousands(p.Events), thousands(int(p.Turns)))},
	}
	if len(p.State) > 0 {
		list = append(list, [2]string{"state", short(plain(text(p.State)), 200)})
	}
	if len(p.Input) > 0 {
		list = append(list, [2]string{"input", short(plain(pretty(p.Input)), 300)})
	}
	if p.Parent != nil {
		list = append(list, [2]string{"child of", plain(p.Parent.ID)})
	}
	if p.Halted != "" {
		list = append(list, [2]string{"halted", short(plain(p.Halted), 400)})
	}
	return list
}

// text is a JSON value for people: a string without its quotes.
func text(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

func pretty(list []json.RawMessage) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = string(v)
	}
	return short(strings.Join(parts, ", "), 2000)
}

// failures lists the parts that have failed, those that others failed because of first.
func (v *page) failures(b operate.Branch) {
	more := 0
	var walk func(b *operate.Branch)
	walk = func(b *operate.Branch) {
		for i := range b.Children {
			walk(&b.Children[i])
		}
		troubles := troubles(b)
		if len(troubles) == 0 && b.State != "failed" && b.State != "retrying" || b.Path == "" {
			return
		}
		if len(v.Failures) == mostFailures {
			more++
			return
		}
		where := b.Kind + " " + b.Path
		if text := attempts(b); text != "" {
			where += ", " + text
		}
		one := failure{Name: short(plain(b.Name), 120), Message: short(plain(b.Note), 500), Where: where}
		if len(troubles) > 0 {
			one.Message, one.Trace = "", troubles
		}
		v.Failures = append(v.Failures, one)
	}
	walk(&b)
	if more > 0 {
		v.MoreFailures = thousands(more) + " more"
	}
}

func (v *page) events(p *operate.Picture) {
	v.EventCount = thousands(len(p.History))
	for i := range p.History {
		if left := len(p.History) - mostEvents; left > 0 && i >= mostEvents/2 && i < mostEvents/2+left {
			if i == mostEvents/2 {
				v.Events = append(v.Events, pageEvent{Text: thousands(left) + " events are left out"})
			}
			continue
		}
		ev := &p.History[i]
		arrow := "←"
		if ev.Kind.Decision() {
			arrow = "→"
		}
		v.Events = append(v.Events, pageEvent{fmt.Sprint(ev.Number), clock(ev.Time.Sub(p.History[0].Time)), arrow, short(plain(progress.Sentence(&ev.Event, ev.Time)), 300)})
	}
}

func unique(times []time.Time) []time.Time {
	var list []time.Time
	for i, t := range times { // byEvents has sorted them
		if i == 0 || !t.Equal(list[len(list)-1]) {
			list = append(list, t)
		}
	}
	return list
}
