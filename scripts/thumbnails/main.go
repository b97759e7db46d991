// Command thumbnails makes a thumbnail of every image of a web page. It shows a Go program that embeds flowlua: the order of
// the work, and what happens when some of it fails, is in thumbnails.lua; the work itself is the five Go functions below.
//
//	go run ./scripts/thumbnails -page scripts/thumbnails/gallery/index.html -out DIR
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"image"
	_ "image/gif" // the formats that a page may use
	"image/jpeg"
	_ "image/png"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/net/html"

	"github.com/flowlua/flowlua"
)

//go:embed thumbnails.lua
var scripts embed.FS

type job struct {
	Page    string `json:"page"`
	Out     string `json:"out"`
	Scratch string `json:"scratch"`
	Size    int    `json:"size"`
}

func main() {
	var j job
	flag.StringVar(&j.Page, "page", "", "file or http(s) address of the page")
	flag.StringVar(&j.Out, "out", "", "directory for the thumbnails")
	flag.IntVar(&j.Size, "size", 160, "longest side of a thumbnail, in pixels")
	flag.Parse()
	if j.Page == "" || j.Out == "" || j.Size < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: thumbnails -page FILE|URL -out DIR [-size PIXELS]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, j, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "thumbnails:", err)
		for err = errors.Unwrap(err); err != nil; err = errors.Unwrap(err) {
			fmt.Fprintln(os.Stderr, "  caused by", err)
		}
		os.Exit(1)
	}
}

// run executes the workflow and reports what is being done.
func run(ctx context.Context, j job, progress io.Writer) (err error) {
	if j.Scratch, err = os.MkdirTemp("", "thumbnails-"); err != nil {
		return err
	}
	engine, err := flowlua.Open(":memory:", flowlua.Config{Scripts: scripts})
	if err != nil {
		return err
	}
	defer func() {
		if closed := engine.Close(context.WithoutCancel(ctx)); err == nil {
			err = closed
		}
	}()
	say := log.New(progress, "", 0).Printf // activities run side by side
	for name, activity := range activities(say) {
		if err := engine.RegisterActivity(name, activity); err != nil {
			return err
		}
	}
	thumbnails, err := engine.Start(ctx, "thumbnails", j, flowlua.StartOptions{})
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { // Ctrl-C: the workflow is cancelled, and cleans up
		engine.Cancel(context.WithoutCancel(ctx), thumbnails.ID(), "interrupted")
	})
	defer stop()
	var written []string
	if err := thumbnails.Result(context.WithoutCancel(ctx), &written); err != nil {
		return err
	}
	say("%d thumbnails in %s", len(written), j.Out)
	return nil
}

func activities(say func(format string, args ...any)) map[string]any {
	return map[string]any{
		"list": func(ctx context.Context, page string) ([]string, error) {
			body, err := open(ctx, page)
			if err != nil {
				return nil, err
			}
			defer body.Close()
			images, err := find(page, body)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", page, err)
			}
			say("%s: %d images", page, len(images))
			return images, nil
		},
		"download": func(ctx context.Context, address, scratch string) (string, error) {
			body, err := open(ctx, address)
			if err != nil {
				return "", err
			}
			defer body.Close()
			file, err := os.CreateTemp(scratch, "*-"+path.Base(filepath.ToSlash(address)))
			if err != nil {
				return "", err
			}
			defer file.Close()
			for n := int64(1); err == nil && n > 0; {
				flowlua.Heartbeat(ctx, nil) // a slow server is not a dead activity
				n, err = io.CopyN(file, body, 1<<20)
			}
			if err != io.EOF {
				return "", fmt.Errorf("download %s: %w", address, err)
			}
			say("downloaded %s", address)
			return file.Name(), nil
		},
		"thumbnail": func(file string, size int) (string, error) {
			from, err := os.Open(file)
			if err != nil {
				return "", err
			}
			defer from.Close()
			picture, _, err := image.Decode(from)
			if err != nil {
				return "", fmt.Errorf("%s is not an image: %w", filepath.Base(file), err)
			}
			to, err := os.Create(strings.TrimSuffix(file, filepath.Ext(file)) + ".thumb.jpg")
			if err != nil {
				return "", err
			}
			defer to.Close()
			return to.Name(), jpeg.Encode(to, scale(picture, size), &jpeg.Options{Quality: 85})
		},
		"upload": func(thumb, out string, number int) (string, error) { // a real one would put it into a bucket
			_, name, _ := strings.Cut(filepath.Base(thumb), "-")
			target := filepath.Join(out, fmt.Sprintf("%02d-%s", number, name))
			data, err := os.ReadFile(thumb)
			if err == nil {
				err = os.MkdirAll(out, 0o755)
			}
			if err == nil {
				err = os.WriteFile(target, data, 0o644)
			}
			if err != nil {
				return "", err
			}
			say("wrote %s", target)
			return target, nil
		},
		"clean_up": func(scratch string) error { return os.RemoveAll(scratch) },
	}
}

// open reads a file or an http address. A missing one is a client's error (404) in both cases: no attempt is made again.
func open(ctx context.Context, address string) (io.ReadCloser, error) {
	if u, err := url.Parse(address); err != nil || u.Host == "" {
		file, err := os.Open(address)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, statusError{address, http.StatusNotFound}
		}
		return file, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, statusError{address, response.StatusCode}
	}
	return response.Body, nil
}

// statusError is an error of a service; scripts see its status, and the engine knows which are worth another attempt.
type statusError struct {
	address string
	status  int
}

func (e statusError) Error() string   { return e.address + ": " + http.StatusText(e.status) }
func (e statusError) StatusCode() int { return e.status }

// find lists the images of a page, addressed as the page is.
func find(page string, body io.Reader) (images []string, err error) {
	root, err := html.Parse(body)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(page)
	if err != nil {
		return nil, err
	}
	for node := range root.Descendants() {
		for _, a := range node.Attr {
			if node.Data != "img" || a.Key != "src" {
				continue
			}
			src, err := url.Parse(a.Val)
			switch {
			case err != nil:
				return nil, err
			case base.Host != "" || src.Host != "":
				images = append(images, base.ResolveReference(src).String())
			default:
				images = append(images, filepath.Join(filepath.Dir(page), filepath.FromSlash(src.Path)))
			}
		}
	}
	return images, nil
}

// scale makes a picture small enough that its longest side has size pixels.
func scale(picture image.Image, size int) image.Image {
	from := picture.Bounds()
	factor := min(1, float64(size)/float64(max(from.Dx(), from.Dy())))
	small := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(from.Dx())*factor)), max(1, int(float64(from.Dy())*factor))))
	draw.CatmullRom.Scale(small, small.Bounds(), picture, from, draw.Src, nil)
	return small
}
