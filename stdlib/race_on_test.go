//go:build race

package stdlib

// raceDetector makes everything take some nine times as long.
const raceDetector = true
