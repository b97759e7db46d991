//go:build !race

package stdlib

const raceDetector = false
