// SPDX-License-Identifier: MIT

package danatext

import (
	"encoding/binary"
	"encoding/json"
	"math"
)

// Page is the main text of a page, and what is known of it. What is not known is the zero value.
type Page struct {
	// Text is the main text, a block a line.
	Text string
	// Markdown is the same as Markdown, with Options.Text.
	Markdown string
	// Blocks are the blocks of the page, with Options.Text.
	Blocks []Block
	// Comments are those of readers, with Options.Comments "apart".
	Comments string
	// Texts are those of Options.MoreMethods, by name.
	Texts map[string]string

	URL   string
	Title string
	// PageKind is article, list, forum, product, documentation, service or other.
	PageKind string
	Charset  string
	// Method is the one that made Text.
	Method string
	// HTMLBytes is the size of the page, TextChars the number of characters of Text.
	HTMLBytes, TextChars int64
	// Truncated: the page or its text is incomplete.
	Truncated bool
	// Problems are words for what is missing or wrong.
	Problems []string
	// Metadata is what the page says of itself, as author, published, site, description, language: of the plugin metadata.
	Metadata map[string]any
	// Added has what all plugins add, in JSON, by the name of the plugin.
	Added map[string]json.RawMessage
	// Other has fields of JSON that are no member here, as media of the method wlr-media.
	Other map[string]any
	// Reason is why the bytes are no page, or why a plugin has dropped it: Text is empty.
	Reason string
}

// Document is a page of an archive.
type Document struct {
	Page
	// ID is the WARC-Record-ID, Date the WARC-Date, as written there.
	ID, Date    string
	HTTPStatus  int64
	ContentType string
	// File is ScanOptions.Name, in a WACZ with the name of the archive in it; Offset and Length say where the record's member
	// lies in it, in bytes. Length is 0 if the member holds more than this record.
	File           string
	Offset, Length int64
	// HTML is the page as UTF-8, with ScanOptions.HTML.
	HTML string
}

// Block is a block of a page.
type Block struct {
	// Type is h, p, li, code, table, quote, math, img, dt, dd, hr or note.
	Type string `json:"t"`
	// Number is the level of a heading, or the number of an item.
	Number int `json:"n,omitempty"`
	// Depth is the number of lists or quotes around it.
	Depth int    `json:"d,omitempty"`
	Text  string `json:"text,omitempty"`
	// Probability of being main text, 0 to 1; nil where the method has none.
	Probability *float64 `json:"p,omitempty"`
	// Start is where the block begins, in bytes of the page as UTF-8.
	Start int64 `json:"start"`
	// Kept is false, with Options.Dropped, for blocks that are not main text; else nil or true.
	Kept *bool      `json:"kept,omitempty"`
	ID   string     `json:"id,omitempty"`
	Lang string     `json:"lang,omitempty"`
	Rows [][]string `json:"rows,omitempty"`
	URL  string     `json:"url,omitempty"`
	Alt  string     `json:"alt,omitempty"`
}

// member returns where a field of the library goes, nil: to Other.
func (d *Document) member(name string) any {
	switch name {
	case "text":
		return &d.Text
	case "markdown":
		return &d.Markdown
	case "blocks":
		return &d.Blocks
	case "comments":
		return &d.Comments
	case "url":
		return &d.URL
	case "title":
		return &d.Title
	case "page_kind":
		return &d.PageKind
	case "charset":
		return &d.Charset
	case "method":
		return &d.Method
	case "html_bytes":
		return &d.HTMLBytes
	case "text_chars":
		return &d.TextChars
	case "truncated":
		return &d.Truncated
	case "id":
		return &d.ID
	case "date":
		return &d.Date
	case "http_status":
		return &d.HTTPStatus
	case "content_type":
		return &d.ContentType
	case "file":
		return &d.File
	case "offset":
		return &d.Offset
	case "length":
		return &d.Length
	case "html":
		return &d.HTML
	}
	return nil
}

// What a field holds, as dana/dana.h numbers it, and the bytes of its record: what it is, address and length of a text, and a
// number.
const (
	fieldNull, fieldText, fieldCount, fieldReal, fieldBoolean, fieldJSON, fieldMember = 1, 2, 3, 4, 5, 6, 7

	fieldSize = 24
)

// document returns the document that was read last.
func (i *instance) document() (*Document, error) {
	d := &Document{}
	i.call("fields", i.fields, uint32(len(i.names)))
	values := append([]byte(nil), i.bytes(i.fields, uint32(fieldSize*len(i.names)))...)
	for n, name := range i.names {
		value := values[fieldSize*n:]
		is := binary.LittleEndian.Uint32(value)
		text := func() string {
			return i.text(binary.LittleEndian.Uint32(value[4:]), binary.LittleEndian.Uint32(value[8:]))
		}
		number := math.Float64frombits(binary.LittleEndian.Uint64(value[16:]))
		var found any
		switch {
		case is == fieldText && name == "additions":
			if err := d.add(text()); err != nil {
				return d, err
			}
			continue
		case is == fieldMember && name == "problems":
			for bit, word := range i.problems {
				if uint32(number)&(1<<bit) != 0 {
					d.Problems = append(d.Problems, word)
				}
			}
			continue
		case is == fieldMember && name == "texts":
			d.Texts = i.texts()
			continue
		case is == fieldText:
			found = text()
		case is == fieldCount:
			found = int64(number)
		case is == fieldReal:
			found = number
		case is == fieldBoolean:
			found = number == 1
		case is == fieldJSON:
			into := d.member(name)
			if into == nil {
				into = &found
			}
			if err := json.Unmarshal([]byte(text()), into); err != nil {
				return d, &Error{Code: Failed, Message: "the field " + name + " is no JSON: " + err.Error(), Err: err}
			}
			if found == nil {
				continue
			}
		default:
			continue
		}
		switch member := d.member(name).(type) {
		case *string:
			*member, _ = found.(string)
		case *int64:
			*member, _ = found.(int64)
		case *bool:
			*member, _ = found.(bool)
		default:
			if d.Other == nil {
				d.Other = map[string]any{}
			}
			d.Other[name] = found
		}
	}
	return d, nil
}

// add takes what plugins add: `,"metadata":{...},"quality":{...}`.
func (d *Document) add(members string) error {
	if members == "" {
		return nil
	}
	err := json.Unmarshal([]byte("{"+members[1:]+"}"), &d.Added)
	if metadata := d.Added["metadata"]; err == nil && metadata != nil {
		err = json.Unmarshal(metadata, &d.Metadata)
	}
	if err != nil {
		return &Error{Code: Failed, Message: "what plugins add is no JSON: " + err.Error(), Err: err}
	}
	return nil
}

// texts returns those of the methods after the first.
func (i *instance) texts() map[string]string {
	texts := map[string]string{}
	for n := uint32(0); ; n++ {
		if i.call("method_text", n, i.view) == 0 {
			return texts
		}
		view := i.words(i.view, 3)
		texts[i.terminated(view[0])] = i.text(view[1], view[2])
	}
}
