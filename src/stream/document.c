/* SPDX-License-Identifier: MIT */
#include "stream/document.h"

const char *problem_word(unsigned bit)
{
	static const char *const words[PROBLEM_WORDS] = {
		"truncated_source", "truncated_limit", "truncated_text", "bad_http", "bad_chunked",
		"bad_coding",       "bad_charset",     "bad_date",       "head_cut", "body_length",
	};
	return bit < PROBLEM_WORDS ? words[bit] : "unknown";
}

const char *skip_word(enum skip_reason reason)
{
	static const char *const words[SKIP_REASONS] = { "none",  "type",   "status",    "mime",
							 "short", "no_uri", "work_limit" };
	return reason < SKIP_REASONS ? words[reason] : "unknown";
}
