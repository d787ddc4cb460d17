/* SPDX-License-Identifier: MIT */
/*
 * Decides what a '<' begins, from the bytes that follow it (HTML, section 13.2.5.6 and following): a letter begins a
 * tag, "/" and a letter an end tag, "!--" a comment, another "!", a "?" or "/" a declaration; anything else is text,
 * such as in "a < b".
 *
 * If the input ends too early the result is OPENS_UNKNOWN, and the tokeniser holds the bytes back until more arrive.
 * Example: "<di" at the end of a chunk may become "<div>" or "<dialog>".
 */
#ifndef DANA_HTML_TOKENIZER_OPENING_H
#define DANA_HTML_TOKENIZER_OPENING_H

#include "base/ascii.h"
#include "extract/html/tag.h"

/** Bytes that suffice in every case: "</", a name of HTML_TAG_NAME_MOST bytes, and the byte after it. */
enum { OPENING_MOST = HTML_TAG_NAME_MOST + 4 };

enum opening_kind {
	OPENS_UNKNOWN, /* more bytes are needed */
	OPENS_NOTHING, /* '<' is text */
	OPENS_TAG,
	OPENS_DECLARATION,
	OPENS_COMMENT,
};

struct opening {
	enum opening_kind kind;
	bool closing;
	size_t len; /* bytes of the opening: the caller continues after them */
	struct html_tag_name name;
};

static inline struct opening opening_tag(struct slice b, size_t name_at)
{
	struct html_tag_name name = { 0 };
	if (b.len == OPENING_MOST) {
		name = html_tag_read(b.data + name_at);
	} else {
		/* the window ends here */
		size_t rest = b.len - name_at, most = rest < HTML_TAG_NAME_MOST ? rest : HTML_TAG_NAME_MOST;
		while (name.len < most && !html_ends_name(b.data[name_at + name.len]))
			name.len++;
		if (name.len == rest && rest < HTML_TAG_NAME_MOST)
			return (struct opening){ .kind = OPENS_UNKNOWN };
		name.tag = html_tag_find(slice_of(b.data + name_at, name.len));
	}
	return (struct opening){ OPENS_TAG, name_at == 2, name_at + name.len, name };
}

/*
 * `b` begins with '<'. Unless more bytes are needed, the result does not depend on the length of `b`, so every split
 * gives the same.
 */
static inline struct opening opening_of(struct slice b)
{
	const struct opening unknown = { .kind = OPENS_UNKNOWN };
	const struct opening declaration = { .kind = OPENS_DECLARATION, .len = 2 };
	if (b.len < 2)
		return unknown;

	uint8_t c = b.data[1];
	if (ascii_is_alpha(c))
		return opening_tag(b, 1);
	if (c == '/') {
		if (b.len < 3)
			return unknown;
		return ascii_is_alpha(b.data[2]) ? opening_tag(b, 2) : declaration; /* "</ " is a bogus comment */
	}
	if (c == '?')
		return declaration;
	if (c != '!')
		return (struct opening){ .kind = OPENS_NOTHING, .len = 1 };

	for (size_t i = 2; i < 4; i++) {
		if (i == b.len)
			return unknown;
		if (b.data[i] != '-')
			return declaration;
	}
	return (struct opening){ .kind = OPENS_COMMENT, .len = 4 };
}

/* The same inside raw content, where '<' is text unless it begins the end tag of the element itself. */
static inline struct opening opening_of_raw(struct slice b, enum html_tag raw)
{
	const char *name = html_tag_name(raw);
	size_t len = strlen(name);
	for (size_t i = 1; i < len + 3; i++) {
		if (i == b.len)
			return (struct opening){ .kind = OPENS_UNKNOWN };
		uint8_t c = b.data[i];
		bool fits;
		if (i == 1)
			fits = c == '/';
		else if (i < len + 2)
			fits = ascii_lower(c) == (uint8_t)name[i - 2];
		else
			fits = ascii_is_space(c) || c == '/' || c == '>';
		if (!fits)
			return (struct opening){ .kind = OPENS_NOTHING, .len = 1 };
	}
	return (struct opening){ OPENS_TAG, true, len + 2, { len, raw } };
}

#endif
