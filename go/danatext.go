// SPDX-License-Identifier: MIT

// Package danatext finds the main text of web pages, as text and as Markdown, without menus, banners and footers, and reads all
// pages of a web archive (WARC, ARC, WACZ) as a stream. It is the library of dana as WebAssembly, run by wazero without cgo: its
// results are the bytes of the program.
//
// The module is compiled at the first use. Each goroutine that works at the same time has an instance of its own, of 10 MiB or
// more, at most 512 MiB; up to GOMAXPROCS idle ones are kept for later calls. All functions may be called by any number of
// goroutines; a Scanner belongs to one at a time. An instance that runs out of memory, or ends with an error, costs its own page
// or archive alone.
package danatext

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// Options are those of dana extract and dana filter by the same names. The zero value is the default.
type Options struct {
	// Method is "learned" by default; with keys "danag:gap=40".
	Method string
	// MoreMethods extract, too: Page.Texts has their texts.
	MoreMethods []string
	// Plugins are "NAME" or "NAME:KEY=VALUE,..." of quality, metadata and pii. Extract always has metadata.
	Plugins []string

	// Text names the texts to make: some of plain, markdown, blocks. Extract's default is "plain,markdown", Scan's "plain".
	Text string
	// Markdown sets how Markdown is written: "links=0,images=1".
	Markdown string
	// TextField is what Page.Text holds: "plain" (default) or "markdown".
	TextField string
	// Dropped has the blocks that the method drops, too, in Page.Blocks.
	Dropped bool
	// Exclude has selectors of parts of pages that are left out, Only of those that alone are read: "nav, .ad".
	Exclude, Only string
	// Rules has the same by site: lines of a host, a tab, exclude, only or drop, a tab, and selectors.
	Rules string
	// Comments of readers are kept ("keep"), dropped ("drop"), or in Page.Comments ("apart").
	Comments string
	// Tables of data are kept ("keep") or dropped ("drop").
	Tables string
	// Recall is how much the method learned keeps, 0 to 100; nil is its own measure.
	Recall *int
	// Kind is the kind of all pages, as "article".
	Kind string
}

// Source is what is known of a page.
type Source struct {
	// URL makes links in Markdown absolute, and chooses rules by site.
	URL string
	// Charset is not doubted. Without it charset and damage are found as a browser finds them.
	Charset string
	// ContentType is as the server sent it.
	ContentType string
}

// Extract returns the main text of a page: its bytes in any charset. Both source and options may be nil. Bytes that are no page,
// as a PDF, are no error: Page.Reason has why. The errors are those of ctx, which is looked at before the page, and *Error.
func Extract(ctx context.Context, html []byte, source *Source, options *Options) (page *Page, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(html) > inputMost {
		return nil, &Error{Code: Limit, Message: fmt.Sprintf("%d bytes are too many at once; at most %d are read", len(html), inputMost)}
	}
	o := Options{}
	if options != nil {
		o = *options
	}
	if o.Text == "" {
		o.Text = "plain,markdown"
	}
	if !hasPlugin(o.Plugins, "metadata") {
		o.Plugins = append(o.Plugins[:len(o.Plugins):len(o.Plugins)], "metadata")
	}
	request, err := o.request()
	if err != nil {
		return nil, err
	}
	i, err := borrow()
	if err != nil {
		return nil, err
	}
	defer i.bring()
	err = guarded(func() error {
		page, err = i.page(html, source, i.reader(request, o.Method))
		return err
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// Version returns the version of the library.
func Version() (string, error) {
	i, err := borrow()
	if err != nil {
		return "", err
	}
	defer i.bring()
	version := ""
	err = guarded(func() error {
		version = i.terminated(i.call("version"))
		return nil
	})
	return version, err
}

func hasPlugin(plugins []string, name string) bool {
	for _, each := range plugins {
		if each == name || strings.HasPrefix(each, name+":") {
			return true
		}
	}
	return false
}

// named returns the options of a page by the names of the library: "text_field=markdown".
func (o *Options) named() []string {
	var all []string
	value := reflect.ValueOf(*o)
	for n := range value.NumField() {
		name, word := optionName(value.Type().Field(n).Name), ""
		switch field := value.Field(n).Interface().(type) {
		case string:
			word = field
		case bool:
			if field {
				word = "1"
			}
		case *int:
			if field != nil {
				word = strconv.Itoa(*field)
			}
		}
		if word != "" && name != "method" {
			all = append(all, name+"="+word)
		}
	}
	return all
}

// optionName returns the library's name of a field: "text_field" of TextField.
func optionName(field string) string {
	var name strings.Builder
	for n, letter := range field {
		if unicode.IsUpper(letter) && n > 0 {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(letter))
	}
	return name.String()
}

// request returns the members of a record that describe a reader of pages.
func (o *Options) request() (record, error) {
	var method *string
	if o.Method != "" {
		method = &o.Method
	}
	r := record{method}
	for _, list := range [][]string{{o.Method}, o.MoreMethods, o.Plugins, o.named()} {
		if len(list) > listed {
			return nil, &Error{Code: BadOption, Message: fmt.Sprintf("a list has %d texts; at most %d are taken", len(list), listed)}
		}
		for _, each := range list {
			if strings.Contains(each, "\x00") {
				return nil, &Error{Code: BadOption, Message: fmt.Sprintf("%q cannot be a value", each)}
			}
		}
	}
	for _, each := range append(o.MoreMethods[:len(o.MoreMethods):len(o.MoreMethods)], o.Plugins...) {
		if each == "" {
			return nil, &Error{Code: BadOption, Message: "a method or plugin has no name"}
		}
	}
	return append(r, o.MoreMethods, o.Plugins, o.named()), nil
}

// reader returns a reader for the options of a request; the one that was used longest ago goes for it.
func (i *instance) reader(request record, method string) uint32 {
	var key strings.Builder
	fmt.Fprintf(&key, "%q", method)
	for _, list := range request[1:] {
		fmt.Fprintf(&key, " %q", list)
	}
	for n, each := range i.readers {
		if each.key == key.String() {
			i.readers = append(append(i.readers[:n:n], i.readers[n+1:]...), each)
			return each.at
		}
	}
	at := i.with(request, func(at uint32) uint32 { return i.call("page_reader_new", at) })
	if at == 0 {
		panic(i.refusal(method))
	}
	if len(i.readers) >= readersMax {
		i.call("page_reader_free", i.readers[0].at)
		i.readers = i.readers[1:]
	}
	i.readers = append(i.readers, reader{key.String(), at})
	return at
}

// page reads a page.
func (i *instance) page(html []byte, source *Source, reader uint32) (*Page, error) {
	copy(i.room(len(html)), html)
	s := Source{}
	if source != nil {
		s = *source
	}
	r := record{}
	for _, text := range []string{s.URL, s.Charset, s.ContentType} {
		member := &text
		if text == "" {
			member = nil
		}
		r = append(r, member, uint32(len(text)))
	}
	status := int32(i.with(r, func(at uint32) uint32 { return i.call("page_read", reader, at, i.input, uint32(len(html))) }))
	if status == 0 {
		document, err := i.document()
		return &document.Page, err
	}
	message := i.terminated(i.call("page_error", reader))
	// A page that is none, that a plugin drops, or that costs too much, is a result: empty, with a reason.
	if code := codeOf(status); status < 0 && code != notAPage && code != Limit {
		i.dead = i.dead || code == OutOfMemory
		return nil, &Error{Code: code, Message: message}
	}
	document, err := i.document()
	document.Text, document.Reason = "", message
	return &document.Page, err
}
