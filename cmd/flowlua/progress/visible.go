package progress

import "io"

// VisibleWriter writes texts in which a script may have a say, without what would tell a terminal to do something.
type VisibleWriter struct{ io.Writer }

func (w VisibleWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, Visible(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
