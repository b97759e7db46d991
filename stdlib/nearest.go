package stdlib

// Suggest names the known word nearest to what was written, as the end of an error message: " (did you mean 'charge'?)",
// or nothing when none is near.
func Suggest(written string, known []string) string { return suggest(written, known) }
