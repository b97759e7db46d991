// Package graph draws runs: as text for Mermaid and Graphviz, and as a page for a browser.
package graph

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/flowlua/flowlua/cmd/flowlua/operate"
)

// label is what is written on a part of a run: its name, how long it took, its attempts, why it failed.
func label(n *node) []string {
	lines := []string{short(name(n), 60)}
	if n.folded > 0 {
		return lines
	}
	var facts []string
	if !n.Began.IsZero() && n.State != "waiting" {
		facts = append(facts, took(n.Seconds))
	}
	if text := attempts(&n.Branch); text != "" {
		facts = append(facts, text)
	}
	if n.State != "done" {
		facts = append(facts, n.State)
	}
	if len(facts) > 0 {
		lines = append(lines, strings.Join(facts, ", "))
	}
	for _, text := range troubles(&n.Branch) {
		lines = append(lines, short(text, 80))
	}
	if n.Note != "" && len(n.Past) == 0 {
		lines = append(lines, short(plain(n.Note), 80))
	}
	return lines
}

// troubles are what became of the attempts of an activity before its last, and of that, if it failed.
func troubles(b *operate.Branch) []string {
	var list []string
	for i := range b.Past {
		a := &b.Past[i]
		switch {
		case a.Lost():
			list = append(list, fmt.Sprintf("attempt %d: its process died, its work may have been done", a.Number))
		case a.Failure != nil:
			list = append(list, plain(fmt.Sprintf("attempt %d: %s", a.Number, strings.TrimSuffix(a.Failure.Name+": "+a.Failure.Message, ": "))))
		}
	}
	if len(b.Past) > 0 && b.State == "failed" {
		list = append(list, plain(fmt.Sprintf("attempt %d: %s", b.Attempt, b.Note)))
	}
	return list
}

// name is what a part of a run is called; a branch that is known only by what it has started has its place.
func name(n *node) string {
	if text := plain(n.Name); text != "" {
		return text
	}
	return strings.TrimSpace(n.Kind + " " + n.Path)
}

func attempts(b *operate.Branch) string {
	switch {
	case b.Attempt == 0:
		return ""
	case b.Attempts > 0:
		return fmt.Sprintf("attempt %d of %d", b.Attempt, b.Attempts)
	}
	return fmt.Sprintf("attempt %d", b.Attempt)
}

func took(seconds float64) string {
	return clock(time.Duration(seconds * float64(time.Second)))
}

// plain is a text on one line without what a terminal or a browser would take for something else than text.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
}

func short(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// title is the name of a run.
func title(p *operate.Picture) string {
	name := p.ID
	if p.Number > 1 {
		name = fmt.Sprintf("%s#%d", p.ID, p.Number)
	}
	return plain(name)
}

// foldedText says what a drawing leaves out, "" if nothing.
func foldedText(root *node, all int) string {
	if shown := root.shown(); shown < all {
		return fmt.Sprintf("%s of %s parts are shown one by one; the others are folded", thousands(shown), thousands(all))
	}
	return ""
}
