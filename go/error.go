// SPDX-License-Identifier: MIT

package danatext

import "strconv"

// Code is the kind of an Error: the words are those of the other languages of danatext.
type Code string

const (
	BadOption    Code = "bad_option"
	CannotRead   Code = "cannot_read"    // the reader has failed: its error is in Err
	Failed       Code = "failed"         // nothing below
	Limit        Code = "limit"          // too large
	NoLibrary    Code = "no_library"     // the module has no such part
	NotAnArchive Code = "not_an_archive" // no record is in the input
	OutOfMemory  Code = "out_of_memory"
	PluginFailed Code = "plugin_failed"
	Trap         Code = "trap" // the module has ended with an error; the next call works
	WrongOrder   Code = "wrong_order"

	notAPage Code = "not_a_page" // is in Page.Reason
)

// Error is what went wrong. What a page holds, and damage in an archive, is no error.
type Error struct {
	Code    Code
	Message string
	File    string // the archive, as ScanOptions.Name has it; "" if it is about none
	Offset  int64  // bytes of the archive; 0 if it is about none
	Err     error  // the error behind it, or nil
}

func (e *Error) Error() string {
	text := "danatext: " + e.Message
	if e.File != "" {
		text += " (" + e.File
		if e.Offset > 0 {
			text += " at " + strconv.FormatInt(e.Offset, 10)
		}
		text += ")"
	}
	return text
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// codeOf returns the code of a status of the library.
func codeOf(status int32) Code {
	switch status {
	case -1:
		return OutOfMemory
	case -2:
		return CannotRead
	case -3:
		return notAPage
	case -4:
		return Limit
	case -5:
		return BadOption
	case -6:
		return PluginFailed
	case -7:
		return WrongOrder
	case -9:
		return NoLibrary
	}
	return Failed
}
