// SPDX-License-Identifier: MIT

package danatext

import (
	"compress/flate"
	"fmt"
	"io"

	"github.com/tetratelabs/wazero/api"
)

// Answers of zip_look.
const (
	zipRead, zipNeeds, zipNone, zipCannot = 0, 1, 2, 3

	zipAsk = 64 << 10 // bytes that are read at least, where the library asks for fewer
)

// seekable is what a WACZ has to be: its directory is at its end.
type seekable interface {
	io.ReaderAt
	io.Seeker
}

// zipEntry is an archive in a zip, or why it cannot be read.
type zipEntry struct {
	name, fault   string
	begin, length int64
	deflated      bool
}

// inputsOf returns the archives of a reader one after the other: itself, or those in it.
func inputsOf(i *instance, r io.Reader, name string) (func() (*input, error), error) {
	begun := false
	alone := func() (*input, error) {
		if begun {
			return nil, io.EOF
		}
		begun = true
		return &input{name: name, Reader: r}, nil
	}
	file, ok := r.(seekable)
	if !ok {
		return alone, nil
	}
	// Offsets count from where the reader is, as for other readers; what cannot be sought, as a pipe, is no zip.
	begin, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return alone, nil
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return alone, nil
	}
	if _, err := file.Seek(begin, io.SeekStart); err != nil {
		return nil, &Error{Code: CannotRead, Message: "reading failed: " + err.Error(), File: name, Err: err}
	}
	zip := io.NewSectionReader(file, begin, end-begin)
	var magic [2]byte
	if n, _ := zip.ReadAt(magic[:], 0); n < 2 || string(magic[:]) != "PK" {
		return alone, nil
	}
	entries, err := entriesOf(i, zip, name)
	if err != nil {
		return nil, err
	}
	if entries == nil {
		return alone, nil
	}
	return func() (*input, error) {
		if len(entries) == 0 {
			return nil, io.EOF
		}
		entry := entries[0]
		entries = entries[1:]
		in := &input{name: name + "/" + entry.name, Reader: io.NewSectionReader(zip, entry.begin, entry.length)}
		if entry.fault != "" {
			return nil, &Error{Code: NotAnArchive, Message: entry.fault, File: in.name}
		}
		if entry.deflated {
			in.Reader = flate.NewReader(in.Reader)
		}
		return in, nil
	}, nil
}

// entriesOf returns the archives of a zip, nil if it is none: the library reads its directory, and says which bytes it lacks.
func entriesOf(i *instance, file *io.SectionReader, name string) ([]zipEntry, error) {
	zip := uint32(i.callWide("zip_new", api.EncodeF64(float64(file.Size()))))
	if zip == 0 {
		return nil, noMemory()
	}
	defer func() {
		if !i.dead {
			i.call("zip_free", zip)
		}
	}()
	for {
		switch answer := i.call("zip_look", zip); answer {
		case zipNeeds:
			offset := int64(api.DecodeF64(i.callWide("zip_wanted", uint64(zip))))
			size := max(int64(api.DecodeF64(i.callWide("zip_wanted_len", uint64(zip)))), zipAsk)
			size = min(size, file.Size()-offset)
			if size <= 0 || size > inputMost {
				return nil, &Error{Code: NotAnArchive, Message: "the directory of the zip is damaged", File: name}
			}
			if n, err := file.ReadAt(i.room(int(size)), offset); int64(n) < size {
				return nil, &Error{Code: CannotRead, Message: fmt.Sprint("reading failed: ", err), File: name, Offset: offset, Err: err}
			}
			if int32(i.callWide("zip_give", uint64(zip), api.EncodeF64(float64(offset)), uint64(i.input), uint64(size))) < 0 {
				return nil, noMemory()
			}
		case zipNone:
			return nil, nil
		case zipRead:
			entries := make([]zipEntry, i.call("zip_count", zip))
			for n := range entries {
				of := func(which uint32) int64 {
					return int64(api.DecodeF64(i.callWide("zip_number", uint64(zip), uint64(n), uint64(which))))
				}
				entries[n] = zipEntry{i.terminated(i.call("zip_name", zip, uint32(n))), i.terminated(i.call("zip_fault", zip, uint32(n))),
					of(0), of(1), of(2) != 0}
			}
			return entries, nil
		case zipCannot:
			return nil, &Error{Code: NotAnArchive, Message: i.terminated(i.call("zip_error", zip)), File: name}
		default:
			return nil, noMemory()
		}
	}
}
