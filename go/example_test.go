// SPDX-License-Identifier: MIT

package danatext_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"danatext"
)

const html = `<title>The old mill | River Journal</title>
<nav><a href="/">Home</a> <a href="/contact">Contact</a></nav>
<article><h1>The old mill</h1>
<p>For almost forty years the mill at the bend of the river stood silent. Its wheel had rotted away, and only the name
of the street reminded people that flour had once been ground here.</p>
<p>Two years ago a group of neighbours decided to <a href="plan">change that</a>. They asked the town for permission,
and learned from a retired carpenter how the paddles of such a wheel are cut, soaked and joined.</p></article>
<footer>Copyright River Journal. <a href="/privacy">Privacy</a></footer>`

func record(url, page string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-11-01T00:00:00Z\r\n"+
		"WARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block)
}

func ExampleExtract() {
	page, err := danatext.Extract(context.Background(), []byte(html), &danatext.Source{URL: "https://example.org/mill/"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Title)
	fmt.Println(page.Markdown[:strings.Index(page.Markdown, ". ")+1])
	// Output:
	// The old mill | River Journal
	// # The old mill
	//
	// For almost forty years the mill at the bend of the river stood silent.
}

// The options are those of dana extract.
func ExampleExtract_options() {
	page, err := danatext.Extract(context.Background(), []byte(html), nil, &danatext.Options{Text: "blocks", Exclude: "h1"})
	if err != nil {
		log.Fatal(err)
	}
	for _, block := range page.Blocks {
		fmt.Println(block.Type, *block.Probability > 0.5, block.Text[:24])
	}
	_, err = danatext.Extract(context.Background(), []byte(html), nil, &danatext.Options{Tables: "maybe"})
	var wrong *danatext.Error
	fmt.Println(errors.As(err, &wrong) && wrong.Code == danatext.BadOption)
	// Output:
	// p true For almost forty years t
	// p true Two years ago a group of
	// true
}

// The documents of an archive as it comes from a server.
func ExampleScan() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, record("http://example.org/mill", html)+record("http://example.org/again", html))
	}))
	defer server.Close()

	response, err := http.Get(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	documents, err := danatext.Scan(context.Background(), response.Body, &danatext.ScanOptions{Name: "crawl.warc"})
	if err != nil {
		log.Fatal(err)
	}
	for document, err := range documents.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(document.URL, document.HTTPStatus, document.Text[:12])
	}
	counts, _ := documents.Counts()
	fmt.Println(counts.Documents, "documents")
	// Output:
	// http://example.org/mill 200 The old mill
	// http://example.org/again 200 The old mill
	// 2 documents
}

// Without a range loop: Next as of tar.Reader, and the lines of dana filter.
func ExampleScanner_Next() {
	s, err := danatext.Scan(context.Background(), strings.NewReader(record("http://example.org/mill", html)), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for {
		document, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		line, err := s.Line()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(document.Title, strings.HasPrefix(line, `{"text":"The old mill`))
	}
	// Output:
	// The old mill | River Journal true
}
