// SPDX-License-Identifier: MIT

package danatext

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/tetratelabs/wazero/api"
)

const sentence = "Tea is made of the leaves of a bush that grows on hills, where the nights are cool and the rain is warm. "

var page = "<title>Tea</title><nav><a href=/>Home</a></nav><h1>Tea</h1><p>" + strings.Repeat(sentence, 4) + "<p>" + strings.Repeat(sentence, 3)

// archive returns a WARC with so many pages.
func archive(pages int) []byte {
	var out bytes.Buffer
	for n := range pages {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
		fmt.Fprintf(&out, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n"+
			"WARC-Target-URI: http://example.org/%d\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			n, n, len(block), block)
	}
	return out.Bytes()
}

func codeIs(t *testing.T, err error, code Code) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code || e.Message == "" {
		t.Fatalf("the error is %v; expected the code %s", err, code)
	}
	return e
}

func TestExtract(t *testing.T) {
	p, err := Extract(context.Background(), []byte(page), &Source{URL: "https://example.org/a"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.Markdown, "# Tea\n\nTea is made") || p.Title != "Tea" || p.Text == "" || p.PageKind == "" || p.Charset == "" || p.Method != "learned" {
		t.Errorf("the page is %+v", p)
	}
	if p, err = Extract(context.Background(), nil, nil, nil); err != nil || p.Text != "" {
		t.Errorf("an empty page: %+v, %v", p, err)
	}
	if p, err = Extract(context.Background(), []byte("%PDF-1.4\n\x00"), nil, nil); err != nil || p.Reason == "" || p.Text != "" {
		t.Errorf("a PDF: %+v, %v", p, err)
	}
}

func TestOptionsAreThoseOfTheLibrary(t *testing.T) {
	i, err := borrow()
	if err != nil {
		t.Fatal(err)
	}
	defer i.bring()
	var list []struct{ Name string }
	if err := json.Unmarshal([]byte(i.terminated(i.call("option_list"))), &list); err != nil {
		t.Fatal(err)
	}
	ours := map[string]bool{}
	for n := range reflect.TypeFor[Options]().NumField() {
		ours[optionName(reflect.TypeFor[Options]().Field(n).Name)] = true
	}
	delete(ours, "more_methods") // the list has `method` for both
	for _, option := range list {
		if !ours[option.Name] {
			t.Errorf("Options has no %s", option.Name)
		}
		delete(ours, option.Name)
	}
	if len(list) < 10 || len(ours) > 0 {
		t.Errorf("the library does not have %v", ours)
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	for _, options := range []Options{{Tables: "apart"}, {Method: "learned:nothing=1"}, {Text: "loud"}, {Exclude: "p["},
		{Kind: "a\x00b"}, {MoreMethods: []string{""}}, {Plugins: make([]string, 70)}} {
		_, err := Extract(ctx, []byte(page), nil, &options)
		var e *Error
		if !errors.As(err, &e) || e.Message == "" || e.Code != BadOption && e.Code != PluginFailed {
			t.Errorf("%+v: %v", options, err)
		}
		if _, err := Scan(ctx, bytes.NewReader(archive(1)), &ScanOptions{Options: options}); !errors.As(err, &e) {
			t.Errorf("%+v: %v", options, err)
		}
	}
	_, err := Extract(ctx, []byte(page), nil, &Options{Plugins: []string{"nothing"}})
	codeIs(t, err, BadOption)
	_, err = Extract(ctx, []byte(page), nil, &Options{Plugins: []string{"/nothing.so"}})
	codeIs(t, err, PluginFailed)
	_, err = Scan(ctx, bytes.NewReader(nil), &ScanOptions{CheckDigests: "maybe"})
	codeIs(t, err, BadOption)

	s, err := Scan(ctx, strings.NewReader(strings.Repeat("no archive\n", 1000)), &ScanOptions{Name: "a.warc"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Next()
	if e := codeIs(t, err, NotAnArchive); e.File != "a.warc" || !strings.Contains(e.Error(), "a.warc") {
		t.Errorf("the error is %#v", e)
	}

	broken := errors.New("the line is cut")
	content := archive(3)
	s, err = Scan(ctx, io.MultiReader(bytes.NewReader(content), iotest.ErrReader(broken)), &ScanOptions{Name: "b.warc"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for {
		if _, err = s.Next(); err != nil {
			break
		}
		n++
	}
	if e := codeIs(t, err, CannotRead); n != 2 || !errors.Is(err, broken) || e.File != "b.warc" || e.Offset != int64(len(content)) {
		t.Errorf("%d documents, the error is %#v", n, e)
	}
	if _, again := s.Next(); again != err {
		t.Errorf("after an error: %v", again)
	}
	stuck := readerFunc(func([]byte) (int, error) { return 0, nil })
	if s, err = Scan(ctx, stuck, nil); err != nil {
		t.Fatal(err)
	}
	_, err = s.Next()
	if codeIs(t, err, CannotRead); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(to []byte) (int, error) { return f(to) }

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	content, read := archive(400), 0
	s, err := Scan(ctx, readerFunc(func(to []byte) (int, error) {
		if read += 1000; read > 100_000 {
			cancel()
		}
		return copy(to, content[read-1000:read]), nil
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err = range s.All() {
		n++
	}
	if !errors.Is(err, context.Canceled) || n < 10 || read > 110_000 {
		t.Errorf("%d documents, %d bytes, %v", n, read, err)
	}
	if _, err := Extract(ctx, []byte(page), nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Scan(ctx, bytes.NewReader(content), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNothingIsReadAhead(t *testing.T) {
	content, read := archive(100), 0
	s, err := Scan(context.Background(), readerFunc(func(to []byte) (int, error) {
		n := copy(to[:min(len(to), 1)], content[read:])
		if read += n; n == 0 {
			return 0, io.EOF
		}
		return n, nil
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	each := len(content) / 100
	for n := 1; n <= 3; n++ {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
		if read > each*(n+1) {
			t.Errorf("%d bytes are read for %d documents of %d each", read, n, each)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(); err == nil || err == io.EOF {
		t.Errorf("after the end: %v", err)
	}
	codeIs(t, s.err, WrongOrder)
	counts, err := s.Counts()
	if err != nil || counts.Documents != 3 || s.Close() != nil {
		t.Errorf("%+v, %v", counts, err)
	}
}

func TestCountsAndRejects(t *testing.T) {
	content := bytes.Replace(archive(5), []byte("HTTP/1.1 200 OK"), []byte("HTTP/1.1 404 No"), 2)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(content); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	s, err := Scan(context.Background(), &packed, &ScanOptions{Rejects: true, Name: "c.warc.gz"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for document, err := range s.All() {
		if err != nil || document.File != "c.warc.gz" || document.HTTPStatus != 200 || document.ID == "" {
			t.Fatalf("%+v, %v", document, err)
		}
		n++
	}
	counts, err := s.Counts()
	if err != nil || n != 3 || counts.Documents != 3 || counts.Records != 5 || counts.Skipped["status"] != 2 {
		t.Errorf("%d documents, %+v, %v", n, counts, err)
	}
	rejects := s.TakeRejects()
	if len(rejects) < 2 || rejects[0].Reason != "status" || rejects[0].URL != "http://example.org/0" || rejects[0].File != "c.warc.gz" || s.TakeRejects() != nil {
		t.Errorf("%+v", rejects)
	}
}

// trapping is a function of the module that traps.
type trapping struct{ api.Function }

func (trapping) Call(context.Context, ...uint64) ([]uint64, error) {
	return nil, errors.New("wasm error: unreachable\nwasm stack trace: ...")
}

func TestATrapIsAnError(t *testing.T) {
	wanted, err := Extract(context.Background(), []byte(page), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	spoil := func(name string) {
		i, err := borrow()
		if err != nil {
			t.Fatal(err)
		}
		i.calls[name] = trapping{}
		i.bring()
	}
	for len(compiledForTests(t).idle) > 1 {
		(<-compiledForTests(t).idle).dead = true
	}
	spoil("page_read")
	_, err = Extract(context.Background(), []byte(page), nil, nil)
	codeIs(t, err, Trap)
	got, err := Extract(context.Background(), []byte(page), nil, nil)
	if err != nil || !reflect.DeepEqual(got, wanted) {
		t.Errorf("after a trap: %+v, %v", got, err)
	}
	spoil("archive_next")
	s, err := Scan(context.Background(), bytes.NewReader(archive(2)), &ScanOptions{Name: "d.warc"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Next()
	if e := codeIs(t, err, Trap); e.File != "d.warc" {
		t.Errorf("%#v", e)
	}
	if lines := linesOf(t, bytes.NewReader(archive(2)), nil); strings.Count(lines, "\n") != 2 {
		t.Errorf("after a trap: %s", lines)
	}
}

func TestAScannerThatNobodyCloses(t *testing.T) {
	for len(compiledForTests(t).idle) > 0 {
		_ = (<-compiledForTests(t).idle).module.Close(context.Background())
	}
	s, err := Scan(context.Background(), bytes.NewReader(archive(2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(); err != nil {
		t.Fatal(err)
	}
	s = nil
	for n := 0; len(compiledForTests(t).idle) == 0; n++ {
		if n == 200 {
			t.Fatal("its instance is not given back")
		}
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
}

func compiledForTests(t *testing.T) *engine {
	t.Helper()
	e, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Memory of the module stays as it is, however many pages and archives there are, with many options.
func TestMemoryIsFlat(t *testing.T) {
	pages := 3000
	if testing.Short() {
		pages = 300
	}
	size := func() uint32 {
		i, err := borrow()
		if err != nil {
			t.Fatal(err)
		}
		defer i.bring()
		return i.module.Memory().Size()
	}
	random := rand.New(rand.NewPCG(1, 2))
	work := func() {
		for n := range pages {
			recall := random.IntN(100)
			if _, err := Extract(context.Background(), []byte(page), nil, &Options{Recall: &recall}); err != nil {
				t.Fatal(err)
			}
			if n%100 == 0 {
				s, err := Scan(context.Background(), bytes.NewReader(archive(30)), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Next(); err != nil || s.Close() != nil {
					t.Fatal(err)
				}
			}
		}
	}
	work()
	before := size()
	work()
	// An instance may find its memory in pieces; a leak of 200 bytes a page is more.
	if after := size(); after > before+512<<10 {
		t.Errorf("an instance has grown from %d to %d bytes", before, after)
	}
}

// A hostile page ends nothing.
func TestHostilePages(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"<table>", "<div>", "</p>", "<!--", "<script>", "&#x110000;", "<a href=\"", "\x00", "\xff\xfe", "<pre>", "<svg><title>", "<select><option>"}
	for range 300 {
		content := []byte(page)
		at := random.IntN(len(content))
		content = append(append(append([]byte{}, content[:at]...), strings.Repeat(words[random.IntN(len(words))], random.IntN(40))...), content[at:]...)
		for range random.IntN(30) {
			content[random.IntN(len(content))] = byte(random.IntN(256))
		}
		if _, err := Extract(context.Background(), content, nil, &Options{Text: "plain,markdown,blocks", Comments: "apart", Dropped: true}); err != nil {
			t.Fatalf("%v: %q", err, content)
		}
	}
	for _, deep := range []string{"<div>", "<ul><li>", "<blockquote>", "<table><tr><td>", "<b><i>", "<span class=\"", "<!--"} {
		if _, err := Extract(context.Background(), []byte(strings.Repeat(deep, 50_000)), nil, nil); err != nil {
			t.Fatalf("%s: %v", deep, err)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	content := []byte(page)
	if _, err := Extract(context.Background(), content, nil, nil); err != nil { // compiles the module
		b.Fatal(err)
	}
	b.SetBytes(int64(len(content)))
	b.ResetTimer()
	b.RunParallel(func(each *testing.PB) {
		for each.Next() {
			if _, err := Extract(context.Background(), content, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	content := archive(100)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		s, err := Scan(context.Background(), bytes.NewReader(content), nil)
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range s.All() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
