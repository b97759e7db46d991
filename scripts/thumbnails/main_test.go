package main

import (
	"bytes"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/flowlua/flowlua"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func gallery(t *testing.T, page string) (j job, progress *bytes.Buffer) {
	t.Setenv("TMPDIR", t.TempDir())
	return job{Page: page, Out: filepath.Join(t.TempDir(), "out"), Size: 64}, &bytes.Buffer{}
}

func requireNoScratch(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left, "the scratch directory is still there")
}

func requireThumbnails(t *testing.T, out string) {
	t.Helper()
	for name, size := range map[string]image.Point{
		"01-julia.thumb.jpg": {64, 48}, "02-dusk.thumb.jpg": {64, 40}, "03-cells.thumb.jpg": {64, 64}, "04-waves.thumb.jpg": {64, 40},
	} {
		file, err := os.Open(filepath.Join(out, name))
		require.NoError(t, err)
		config, format, err := image.DecodeConfig(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.Equal(t, "jpeg", format)
		require.Equal(t, size, image.Pt(config.Width, config.Height), name)
	}
}

func TestLocalPage(t *testing.T) {
	j, progress := gallery(t, "gallery/index.html")
	require.NoError(t, run(t.Context(), j, progress))
	requireThumbnails(t, j.Out)
	requireNoScratch(t)
	require.Contains(t, progress.String(), "gallery/index.html: 4 images\n")
	require.Contains(t, progress.String(), "4 thumbnails in "+j.Out)
}

func TestPageOfAServer(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("gallery")))
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	j, progress := gallery(t, server.URL+"/index.html")
	require.NoError(t, run(t.Context(), j, progress))
	requireThumbnails(t, j.Out)
	requireNoScratch(t)
}

func TestBrokenLink(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("gallery")))
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	for name, page := range map[string]string{"local": "gallery/broken.html", "served": server.URL + "/broken.html"} {
		t.Run(name, func(t *testing.T) {
			j, progress := gallery(t, page)
			err := run(t.Context(), j, progress)
			var failed *flowlua.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, "ThumbnailError", failed.Name)
			require.Equal(t, 404, failed.Cause.Status)
			require.Contains(t, failed.Cause.Message, "lost.jpg: Not Found")
			requireNoScratch(t)
		})
	}
}

func TestNotAnImage(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "page.html"), []byte(`<img src="text.jpg">`), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "text.jpg"), []byte("not a picture"), 0o644))
	j, progress := gallery(t, filepath.Join(folder, "page.html"))
	var failed *flowlua.Error
	require.ErrorAs(t, run(t.Context(), j, progress), &failed)
	require.Contains(t, failed.Cause.Message, "text.jpg is not an image")
	requireNoScratch(t)
}
