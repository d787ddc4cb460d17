// SPDX-License-Identifier: MIT

package danatext

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
)

// ScanOptions are those of dana filter by the same names. The zero value is the default.
type ScanOptions struct {
	Options
	// Name is Document.File; "-" by default.
	Name string
	// Type, Status and Mime choose records: "response", "200", "html" are in the defaults.
	Type, Status, Mime string
	// MinChars skips documents with fewer characters: 0 is 1, and -1 takes those without text.
	MinChars int
	// RequireDigest counts records as damaged whose block does not match their digest.
	RequireDigest bool
	// CheckDigests is "auto", "always" or "never".
	CheckDigests string
	// HTML: documents have their page.
	HTML bool
	// Rejects keeps what was skipped or damaged for TakeRejects.
	Rejects bool
	// Schema of Line: "dana", "datatrove" or "dolma".
	Schema string
}

// Counts are those of dana filter --stats.
type Counts struct {
	Records   int64            `json:"records"`
	Documents int64            `json:"documents"`
	Skipped   map[string]int64 `json:"skipped"`
	Damaged   map[string]int64 `json:"damaged"`
	Problems  map[string]int64 `json:"problems"`
}

// Reject is a record that was skipped or is damaged.
type Reject struct {
	ID     string `json:"id"`
	URL    string `json:"url"`
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// Answers of archive_next, and flags of dana/archive.h.
const (
	hungry, gotDocument, over, paused = 0, 1, 3, 4

	wantHTML, requireDigest, takeEmpty, checkDigests, noDigest, keepRejects = 1, 4, 16, 32, 64, 128

	pieceSize = 256 << 10 // bytes that are read at once
)

// Scanner reads the documents of a web archive. Nothing is read ahead: the reader is asked for more when all documents of the
// bytes before were taken. Damage is no error: it is counted and skipped.
type Scanner struct {
	ctx     context.Context
	options ScanOptions
	inputs  func() (*input, error) // the next archive; io.EOF: there is none
	now     *input
	*open
	cleanup runtime.Cleanup
	counts  Counts
	rejects []Reject
	wrong   error // an archive of a WACZ that is none: those after it are still read
	err     error
}

// input is an archive: the file, or one in a WACZ.
type input struct {
	name string
	io.Reader
	read  int64
	ended bool
}

// open is what has to be freed.
type open struct {
	instance *instance
	archive  uint32
	name     uint32
}

// Scan reads a WARC or ARC, uncompressed, in gzip or zstd, which is recognised; and a WACZ, if r is also an io.ReaderAt and an
// io.Seeker, as *os.File is. The context is looked at between pieces of the input; options may be nil. The reader is not closed.
func Scan(ctx context.Context, r io.Reader, options *ScanOptions) (*Scanner, error) {
	s := &Scanner{ctx: ctx, open: &open{}}
	if options != nil {
		s.options = *options
	}
	if s.options.Name == "" {
		s.options.Name = "-"
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	i, err := borrow()
	if err != nil {
		return nil, err
	}
	s.instance = i
	s.cleanup = runtime.AddCleanup(s, (*open).free, s.open)
	err = guarded(func() error {
		s.inputs, err = inputsOf(i, r, s.options.Name)
		if err == nil {
			err = s.begin() // what is wrong with the options is known now
		}
		return err
	})
	if err != nil && err != io.EOF {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// begin begins the next archive. It returns io.EOF if there is none.
func (s *Scanner) begin() (err error) {
	if s.now, err = s.inputs(); err != nil {
		return err
	}
	o := &s.options
	digests, ok := map[string]uint32{"": 0, "auto": 0, "always": checkDigests, "never": noDigest}[o.CheckDigests]
	if !ok {
		return &Error{Code: BadOption, Message: fmt.Sprintf("CheckDigests is %q; expected auto, always or never", o.CheckDigests)}
	}
	if o.MinChars < -1 {
		return &Error{Code: BadOption, Message: fmt.Sprintf("MinChars is %d; expected -1 or more", o.MinChars)}
	}
	flags := digests
	for flag, on := range map[uint32]bool{wantHTML: o.HTML, requireDigest: o.RequireDigest, takeEmpty: o.MinChars < 0, keepRejects: o.Rejects} {
		if on {
			flags |= flag
		}
	}
	request, err := o.request()
	if err != nil {
		return err
	}
	i := s.instance
	s.open.name = i.take(len(s.now.name) + 1)
	to := i.bytes(s.open.name, uint32(len(s.now.name)+1))
	to[copy(to, s.now.name)] = 0
	request = append(request, s.open.name)
	for _, text := range []*string{&o.Type, &o.Status, &o.Mime, &o.Schema} {
		if *text == "" {
			text = nil
		}
		request = append(request, text)
	}
	const pieces = 4 // of 64 KiB, after which the context is looked at
	request = append(request, uint32(max(o.MinChars, 0)), flags, uint32(pieces))
	if s.archive = i.with(request, func(at uint32) uint32 { return i.call("archive_new", at) }); s.archive == 0 {
		return i.refusal(o.Method)
	}
	return nil
}

// end frees the archive, whose counters are added.
func (s *Scanner) end() error {
	if err := s.keepRejects(); err != nil {
		return err
	}
	counts, err := s.archiveCounts()
	if err != nil {
		return err
	}
	s.counts.add(counts)
	i := s.instance
	i.call("archive_free", s.archive)
	i.give(s.open.name)
	s.archive, s.open.name = 0, 0
	if counts.Damaged["not_an_archive"] > 0 && s.wrong == nil {
		s.wrong = &Error{Code: NotAnArchive, File: s.now.name,
			Message: "no web archive: there is no record of WARC or ARC in it; Extract reads a single page"}
	}
	return nil
}

// Next returns the next document; the error is io.EOF after the last, that of ctx, or an *Error. After an error Next returns it
// again.
func (s *Scanner) Next() (document *Document, err error) {
	if s.err != nil {
		return nil, s.err
	}
	err = guarded(func() error {
		for s.archive != 0 {
			if found, err := s.step(); err != nil {
				return err
			} else if found {
				document, err = s.instance.document()
				return err
			}
		}
		if s.wrong != nil {
			return s.wrong
		}
		return io.EOF
	})
	if err != nil {
		if e, ok := err.(*Error); ok && e.File == "" && s.now != nil {
			e.File = s.now.name
		}
		_ = s.Close()
		s.err = err
		return nil, err
	}
	return document, nil
}

// step works up to the next document, or as long as one piece takes.
func (s *Scanner) step() (found bool, err error) {
	i := s.instance
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	switch answer := int32(i.call("archive_next", s.archive)); answer {
	case gotDocument:
		return true, nil
	case paused:
		return false, nil
	case over:
		if err := s.end(); err != nil {
			return false, err
		}
		if err := s.begin(); err != io.EOF {
			return false, err
		}
		return false, nil
	case hungry:
		if s.now.ended {
			return false, &Error{Code: Failed, Message: "the archive asks for more after its end"}
		}
		return false, s.push()
	default:
		if answer >= 0 {
			return false, &Error{Code: Failed, Message: fmt.Sprintf("the archive gave the answer %d", answer)}
		}
		return false, s.failure(answer)
	}
}

// push reads the next piece.
func (s *Scanner) push() error {
	if err := s.keepRejects(); err != nil {
		return err
	}
	i := s.instance
	piece := i.room(pieceSize)
	var n int
	var err error
	for tries := 0; n == 0 && err == nil; tries++ {
		if tries == 100 {
			err = io.ErrNoProgress
			break
		}
		n, err = s.now.Read(piece)
		if n < 0 || n > len(piece) {
			n, err = 0, fmt.Errorf("the reader has read %d bytes of %d", n, len(piece))
		}
	}
	s.now.read += int64(n)
	status := int32(0)
	if n > 0 {
		status = int32(i.call("archive_push", s.archive, i.input, uint32(n)))
	}
	switch {
	case status < 0:
		return s.failure(status)
	case err == io.EOF && n > 0, err == nil: // an io.EOF comes again
		return nil
	case err == io.EOF:
		s.now.ended = true
		if status = int32(i.call("archive_end", s.archive)); status < 0 {
			return s.failure(status)
		}
		return nil
	}
	if ended := s.ctx.Err(); ended != nil {
		return ended // a reader of the same context fails with it
	}
	return &Error{Code: CannotRead, Message: "reading failed: " + err.Error(), Offset: s.now.read, Err: err}
}

func (s *Scanner) failure(status int32) error {
	if codeOf(status) == OutOfMemory {
		s.instance.dead = true
		return noMemory()
	}
	return &Error{Code: codeOf(status), Message: s.instance.terminated(s.instance.call("archive_error", s.archive)), Offset: s.now.read}
}

// Line returns the line of JSON of the document that Next returned last, with its end, as dana filter writes it.
func (s *Scanner) Line() (line string, err error) {
	if s.archive == 0 {
		return "", &Error{Code: WrongOrder, Message: "there is no document"}
	}
	err = guarded(func() error {
		line = s.instance.viewed("archive_line", s.archive)
		return nil
	})
	return line, err
}

// All returns the documents for a range loop, which ends after an error and closes s.
func (s *Scanner) All() iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		defer s.Close()
		for {
			document, err := s.Next()
			if err == io.EOF || !yield(document, err) || err != nil {
				return
			}
		}
	}
}

// Counts returns the counters so far.
func (s *Scanner) Counts() (counts Counts, err error) {
	counts.add(s.counts)
	if s.archive == 0 {
		return counts, nil
	}
	err = guarded(func() error {
		now, err := s.archiveCounts()
		counts.add(now)
		return err
	})
	return counts, err
}

func (s *Scanner) archiveCounts() (counts Counts, err error) {
	if err := json.Unmarshal([]byte(s.instance.viewed("archive_counts", s.archive)), &counts); err != nil {
		return counts, &Error{Code: Failed, Message: "the counters are no JSON: " + err.Error(), Err: err}
	}
	return counts, nil
}

func (c *Counts) add(more Counts) {
	c.Records += more.Records
	c.Documents += more.Documents
	for _, pair := range []struct {
		to   *map[string]int64
		from map[string]int64
	}{{&c.Skipped, more.Skipped}, {&c.Damaged, more.Damaged}, {&c.Problems, more.Problems}} {
		if *pair.to == nil {
			*pair.to = map[string]int64{}
		}
		for name, n := range pair.from {
			(*pair.to)[name] += n
		}
	}
}

// TakeRejects returns what was skipped or damaged since the last call, with ScanOptions.Rejects. They come with the pieces of the
// input: all of them are there after Next has returned io.EOF.
func (s *Scanner) TakeRejects() []Reject {
	taken := s.rejects
	s.rejects = nil
	return taken
}

func (s *Scanner) keepRejects() error {
	if !s.options.Rejects {
		return nil
	}
	for line := range strings.Lines(s.instance.viewed("archive_rejects", s.archive)) {
		var reject Reject
		if err := json.Unmarshal([]byte(line), &reject); err != nil {
			return &Error{Code: Failed, Message: "a reject is no JSON: " + err.Error(), Err: err}
		}
		s.rejects = append(s.rejects, reject)
	}
	return nil
}

// Close frees the memory of s, if Next has not reached the end. It may be called more than once, and returns nil.
func (s *Scanner) Close() error {
	if s.instance == nil {
		return nil
	}
	if s.err == nil {
		s.err = &Error{Code: WrongOrder, Message: "the scanner is closed"}
	}
	if s.archive != 0 { // an end before the last document
		_ = guarded(func() error {
			counts, err := s.archiveCounts()
			s.counts.add(counts)
			return err
		})
	}
	s.cleanup.Stop()
	s.free()
	return nil
}

// free gives the instance back. It is called by Close, or when nobody refers to the scanner any more.
func (o *open) free() {
	i := o.instance
	if i == nil {
		return
	}
	defer i.bring()
	archive, name := o.archive, o.name
	o.instance, o.archive, o.name = nil, 0, 0
	_ = guarded(func() error { // an instance that ends here is not kept
		if archive != 0 && !i.dead {
			i.call("archive_free", archive)
		}
		i.give(name)
		return nil
	})
}
