/* SPDX-License-Identifier: MIT */
/*
 * Writes the inline content of a block: marks, links, pictures, code, formulas and references of notes.
 *
 * A piece is cut into segments (text, marks, and what is written as a whole: pictures, formulas, references of notes,
 * code), and these are written. Text between two marks is escaped as one run, since what it is read as depends on its
 * neighbours.
 *
 * Example: "one<em> two </em>three" has the segments "one", blank, em, "two", /em, blank, "three", and is written
 * "one *two* three".
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "base/url_parts.h"
#include "base/utf8.h"
#include "extract/html/entity.h"
#include "extract/html/raised.h"
#include "extract/structure/compose.h"
#include "extract/structure/escape.h"

enum segment_kind {
	SEGMENT_TEXT, /* white space collapsed, none at its ends */
	SEGMENT_SPACE,
	SEGMENT_RAW,     /* Markdown already */
	SEGMENT_FORMULA, /* the same, and the TeX alone */
	SEGMENT_MARK,
};

struct inline_segment {
	uint32_t from, len; /* in `text` */
	uint32_t pair;      /* mark: the segment that closes or opens it */
	uint32_t mark;      /* its number on the page */
	uint8_t kind, mark_kind;
	uint8_t before, after; /* mark of emphasis: enum letter_kind around it */
	bool closes, dropped, display;
	bool apart; /* text that nothing before it may take in, as an address would */
};

/* Source text to text: references are decoded, white space collapses, control characters vanish. */

enum byte_kind { PLAIN, WHITE, CONTROL, REFERENCE, HIGH };

static const uint8_t kinds[256] = {
	[0] = CONTROL,  [1] = CONTROL,  [2] = CONTROL,  [3] = CONTROL,     [4] = CONTROL,   [5] = CONTROL,
	[6] = CONTROL,  [7] = CONTROL,  [8] = CONTROL,  [9] = WHITE,       [10] = WHITE,    [11] = WHITE,
	[12] = WHITE,   [13] = WHITE,   [14] = CONTROL, [15] = CONTROL,    [16] = CONTROL,  [17] = CONTROL,
	[18] = CONTROL, [19] = CONTROL, [20] = CONTROL, [21] = CONTROL,    [22] = CONTROL,  [23] = CONTROL,
	[24] = CONTROL, [25] = CONTROL, [26] = CONTROL, [27] = CONTROL,    [28] = CONTROL,  [29] = CONTROL,
	[30] = CONTROL, [31] = CONTROL, [32] = WHITE,   ['&'] = REFERENCE, [127] = CONTROL, [0xC2] = HIGH,
};

/* White space that collapses, the strongest last: of several kinds the last one counts. */
enum blank_kind {
	BLANK_NONE,
	BLANK_SPACE,
	BLANK_LINE, /* with an end of a line of the source, which is none between characters of scripts without blanks
		     */
	BLANK_FIRM, /* one that breaks no line */
};

struct collapse {
	struct buf *to;
	size_t from;
	uint8_t *pending, *lead;
};

/* Returns whether white space of a kind is a blank between two texts, of which the second begins. */
static bool is_blank(enum blank_kind kind, struct slice before, struct slice after)
{
	return kind == BLANK_LINE ? !utf8_lines_join(before, after) : kind != BLANK_NONE;
}

/* Like buf_clear, but a failure of the buffer is not forgotten. */
static void clear(struct inline_writer *w, struct buf *b)
{
	w->failed |= b->failed;
	buf_clear(b);
}

static int result(const struct inline_writer *w)
{
	return w->failed || w->text.failed || w->run.failed || w->scratch.failed || w->url.failed || w->plain.failed
		       ? DANA_ENOMEM
		       : DANA_OK;
}

static void put(const struct collapse *c, const uint8_t *data, size_t len)
{
	const struct slice before = slice_skip(buf_slice(c->to), c->from);
	if (!before.len)
		*c->lead = *c->pending;
	else if (is_blank((enum blank_kind) * c->pending, before, slice_of(data, len)))
		buf_append_byte(c->to, ' ');
	*c->pending = BLANK_NONE;
	buf_append(c->to, data, len);
}

/**
 * Appends source text with its white space collapsed. *pending: the white space before the next character; it is
 * written as a blank unless nothing comes after the first `from` bytes. *lead is set to it if the text began with it.
 */
static void inline_collapse(struct buf *to, size_t from, struct slice source, bool references, uint8_t *pending,
			    uint8_t *lead)
{
	const struct collapse c = { to, from, pending, lead };
	uint8_t blank;
	for (size_t i = 0; i < source.len;) {
		const size_t start = i;
		switch ((enum byte_kind)kinds[source.data[i]]) {
		case PLAIN:
			/* a blank between two plain bytes goes with them */
			i += text_scan_collapsed(slice_skip(source, i));
			while (i < source.len &&
			       (kinds[source.data[i]] == PLAIN ||
				(source.data[i] == ' ' && i + 1 < source.len && kinds[source.data[i + 1]] == PLAIN)))
				i++;
			put(&c, source.data + start, i - start);
			break;
		case WHITE:
			blank = source.data[i] == '\n' || source.data[i] == '\r' ? BLANK_LINE : BLANK_SPACE;
			*pending = blank > *pending ? blank : *pending;
			i++;
			break;
		case CONTROL:
			i++;
			break;
		default: { /* & or 0xC2 */
			const struct slice s = slice_skip(source, i);
			uint8_t text[8] = { s.data[0] };
			size_t len = 1, taken = 1;
			if (s.data[0] == 0xC2 && s.len > 1) {
				text[1] = s.data[1];
				taken = len = 2;
			} else if (s.data[0] == '&' && references) {
				taken = html_entity_decode(s, text, &len);
				if (taken == 0) {
					text[0] = '&';
					taken = len = 1;
				}
			}
			if ((len == 1 && kinds[text[0]] == WHITE) || (len == 2 && text[0] == 0xC2 && text[1] == 0xA0))
				*pending = BLANK_FIRM;
			else if (len != 1 || kinds[text[0]] != CONTROL)
				put(&c, text, len);
			i += taken;
			break;
		}
		}
	}
}

int inline_decode(struct buf *to, struct slice value)
{
	while (value.len) {
		uint8_t text[8];
		size_t len = slice_until(value, "&"), decoded;
		buf_append(to, value.data, len);
		value = slice_skip(value, len);
		if (value.len == 0)
			break;
		/* most are parameters ("&copy=1"), and a search for a name that is not one costs much */
		size_t name = 1;
		while (name < value.len && (ascii_is_alpha(value.data[name]) || ascii_is_digit(value.data[name])))
			name++;
		const bool parameter = name < value.len && value.data[name] == '=';
		size_t taken = parameter ? 0 : html_entity_decode(value, text, &decoded);
		if (taken && value.data[taken - 1] != ';' && taken < value.len &&
		    (value.data[taken] == '=' || ascii_is_alpha(value.data[taken]) ||
		     ascii_is_digit(value.data[taken])))
			taken = 0;
		buf_append(to, taken ? text : value.data, taken ? decoded : 1);
		value = slice_skip(value, taken ? taken : 1);
	}
	return buf_status(to);
}

/* What is written into a text as a whole: pictures, formulas, references of notes, inline code, and addresses. */

/* What bytes of an address ask for. */
enum address_byte {
	ADDRESS_ODD = 1,       /* is written in another way, or may be */
	ADDRESS_REFERENCE = 2, /* may begin a character reference */
	ADDRESS_BLANK = 4,     /* or a control: is dropped at an end, and some everywhere */
	ADDRESS_SEMICOLON = 8, /* ends a reference */
};

static unsigned address_byte(uint8_t c)
{
	static const uint8_t others[256] = {
		['&'] = ADDRESS_REFERENCE, [';'] = ADDRESS_SEMICOLON, ['`'] = ADDRESS_ODD,
		['('] = ADDRESS_ODD,       [')'] = ADDRESS_ODD,       ['<'] = ADDRESS_ODD,
		['>'] = ADDRESS_ODD,       ['\\'] = ADDRESS_ODD,      [0x7F] = ADDRESS_ODD
	};
	return c <= ' ' ? ADDRESS_BLANK | ADDRESS_ODD : others[c];
}

static unsigned address_bytes(struct slice address)
{
	unsigned all = 0;
	for (size_t i = 0; i < address.len; i++)
		all |= address_byte(address.data[i]);
	return all;
}

static bool are_odd(unsigned bytes)
{
	const unsigned both = ADDRESS_REFERENCE | ADDRESS_SEMICOLON;
	return bytes & ADDRESS_ODD || (bytes & both) == both;
}

bool inline_url_is_odd(struct slice url)
{
	return are_odd(address_bytes(url));
}

int inline_url(const struct inline_writer *w, struct buf *to)
{
	enum { DEPTH_MOST = 30 };
	struct slice url = buf_slice(&w->url);
	int depth = 0;
	if (!w->url_is_odd)
		return buf_append(to, url.data, url.len);
	/* each parenthesis has its other one, as CommonMark wants it in an address, and few are in others */
	for (size_t i = 0; i < url.len && depth >= 0 && depth <= DEPTH_MOST; i++)
		depth += (url.data[i] == '(') - (url.data[i] == ')');
	while (url.len) {
		size_t len = 0;
		while (len < url.len && !(address_byte(url.data[len]) & (ADDRESS_ODD | ADDRESS_REFERENCE)))
			len++;
		buf_append(to, url.data, len);
		if (len == url.len)
			break;
		const uint8_t c = url.data[len];
		if (c == '&')
			buf_append_text(to, escape_is_reference(slice_skip(url, len)) ? "&amp;" : "&");
		else if (c != '(' && c != ')')
			buf_printf(to, "%%%02X", c);
		else
			buf_printf(to, depth == 0 ? "%c" : "\\%c", c);
		url = slice_skip(url, len + 1);
	}
	return buf_status(to);
}

/* Cleans a reference as it is in the source, in w->scratch if it has to be changed; *bytes: what is in it then. */
static struct slice clean(struct inline_writer *w, struct slice value, unsigned *bytes)
{
	*bytes = address_bytes(value);
	if (!(*bytes & (ADDRESS_REFERENCE | ADDRESS_BLANK)))
		return value;
	clear(w, &w->scratch);
	inline_decode(&w->scratch, value);
	value = url_clean(&w->scratch);
	*bytes = address_bytes(value);
	return value;
}

static void absolute(struct inline_writer *w, struct slice value, unsigned bytes)
{
	w->url_is_odd = w->base_is_odd || are_odd(bytes);
	clear(w, &w->url);
	url_append(&w->url, &w->base, value);
}

int inline_picture(struct inline_writer *w, const struct mark *mark)
{
	const struct slice both = page_argument(w->page, mark->argument, mark->len);
	size_t len = 0;
	uint8_t pending = BLANK_NONE, lead;
	unsigned bytes;
	while (len < both.len && both.data[len])
		len++;
	clear(w, &w->plain);
	clear(w, &w->url);
	const struct slice value = clean(w, slice_first(both, len), &bytes);
	if (url_leads_elsewhere(&w->base, value))
		absolute(w, value, bytes);
	inline_collapse(&w->plain, 0, slice_skip(both, len + 1), true, &pending, &lead);
	return result(w);
}

/** Appends a picture, formula, or reference of a note as Markdown, and returns what it is. */
static enum segment_kind inline_atom(struct inline_writer *w, const struct mark *mark, struct buf *to)
{
	const struct slice argument = page_argument(w->page, mark->argument, mark->len);
	const bool plain = w->style->plain;
	if (mark->kind == MARK_IMAGE && w->style->images && !plain) {
		/* without an address it is the text for it */
		size_t open = 0;
		const struct escape_rules rules = { .tildes = true,
						    .in_link = true,
						    .brackets = BRACKETS_ALL,
						    .open = &open };
		(void)inline_picture(w, mark);
		const bool refused = w->style->markup && !url_is_of_web(buf_slice(&w->url));
		if (w->url.len == 0 || refused) {
			buf_append(to, w->plain.data, w->plain.len);
			return SEGMENT_TEXT;
		}
		if (w->style->markup) {
			markup_begin(to, w->style->markup, MARKUP_PICTURE, buf_slice(&w->url), buf_slice(&w->plain));
			return SEGMENT_RAW;
		}
		buf_append_text(to, "![");
		buf_append(to, "\\", w->plain.len && w->plain.data[0] == '^');
		escape_text(to, buf_slice(&w->plain), &rules, false);
		buf_append_text(to, "](");
		inline_url(w, to);
		buf_append_byte(to, ')');
		return SEGMENT_RAW;
	}
	if (mark->kind == MARK_FORMULA && w->style->formulas) {
		const char *delimiter = plain ? "" : mark->display ? "$$" : "$";
		uint8_t pending = BLANK_NONE, lead;
		buf_append_text(to, delimiter);
		inline_collapse(to, to->len, argument, true, &pending, &lead);
		buf_append_text(to, delimiter);
		return SEGMENT_FORMULA;
	}
	return SEGMENT_RAW;
}

/*
 * A piece as a list of segments. A mark that opens is held until something is in it, so that empty ones vanish, and
 * a blank is held until something follows it, so that it comes before marks that open and after those that close.
 *
 * Example: "one<em> two </em>three" has the segments "one", blank, em, "two", /em, blank, "three".
 */

struct segment_collector {
	struct inline_writer *w;
	uint32_t held[MARK_NESTING_KINDS], open[MARK_NESTING_KINDS]; /* marks; segments */
	unsigned n_held, n_open;
	bool started;
	uint8_t pending;  /* enum blank_kind */
	struct buf *code; /* text of inline code goes here; NULL outside of it */
	uint8_t code_pending;
	size_t raised; /* in it: where raised or lowered text begins */
};

static void add(struct inline_writer *w, struct inline_segment segment)
{
	struct inline_segment *more = grow_items(w->segment, w->n_segments, &w->cap, sizeof(*more));
	if (!more) {
		w->failed = true;
		return;
	}
	w->segment = more;
	more[w->n_segments++] = segment;
}

/* Returns the text that is before this place, but for marks; empty where something else is. */
static struct slice last_text(const struct inline_writer *w)
{
	size_t i = w->n_segments;
	while (i > 0 && w->segment[i - 1].kind == SEGMENT_MARK)
		i--;
	const struct inline_segment *s = i ? &w->segment[i - 1] : NULL;
	return s && s->kind == SEGMENT_TEXT ? slice_of(w->text.data + s->from, s->len) : slice_of(NULL, 0);
}

/* Adds what is not a mark, with all that was held; a mark continues one of its kind that just closed. */
static void content(struct segment_collector *c, struct inline_segment segment)
{
	struct inline_writer *w = c->w;
	const struct slice first =
		slice_of(w->text.data + segment.from, segment.kind == SEGMENT_TEXT ? segment.len : 0);
	if (c->started && is_blank((enum blank_kind)c->pending, last_text(w), first))
		add(w, (struct inline_segment){ .kind = SEGMENT_SPACE });
	c->pending = BLANK_NONE;
	c->started = true;
	for (unsigned i = 0; i < c->n_held; i++) {
		const uint8_t kind = w->page->mark[c->held[i]].kind;
		const struct inline_segment *last = w->n_segments ? &w->segment[w->n_segments - 1] : NULL;
		if (last && last->kind == SEGMENT_MARK && last->closes && last->mark_kind == kind && kind < MARK_LINK) {
			c->open[c->n_open++] = last->pair;
			w->n_segments--;
			continue;
		}
		c->open[c->n_open++] = (uint32_t)w->n_segments;
		add(w, (struct inline_segment){ .kind = SEGMENT_MARK, .mark_kind = kind, .mark = c->held[i] });
	}
	c->n_held = 0;
	add(w, segment);
}

static void close_last(struct segment_collector *c)
{
	struct inline_writer *w = c->w;
	const uint32_t opened = c->open[--c->n_open];
	w->segment[opened].pair = (uint32_t)w->n_segments;
	add(w, (struct inline_segment){ .kind = SEGMENT_MARK,
					.mark_kind = w->segment[opened].mark_kind,
					.mark = w->segment[opened].mark,
					.pair = opened,
					.closes = true });
}

static void code_end(struct segment_collector *c)
{
	struct inline_writer *w = c->w;
	struct inline_segment segment = { .kind = SEGMENT_RAW, .from = (uint32_t)w->text.len };
	/* the fence is longer than each run of backticks inside; a blank parts it from one at an end */
	const struct slice code = buf_slice(c->code);
	struct buf *to = &w->text;
	size_t longest = 0, run = 0;
	for (size_t i = 0; i < code.len; i++) {
		run = code.data[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	const struct markup *markup = w->style->markup;
	const bool fenced = !w->style->plain && code.len && !markup;
	const bool blank = fenced && (code.data[0] == '`' || code.data[code.len - 1] == '`');
	for (size_t i = 0; i <= longest && fenced; i++)
		buf_append_byte(to, '`');
	buf_append(to, " ", blank);
	if (markup && code.len) {
		markup_begin(to, markup, MARKUP_CODE_WORD, slice_of(NULL, 0), slice_of(NULL, 0));
		markup_text(to, code);
		markup_end(to, markup, MARKUP_CODE_WORD, slice_of(NULL, 0));
	} else {
		buf_append(to, code.data, code.len);
	}
	buf_append(to, " ", blank);
	for (size_t i = 0; i <= longest && fenced; i++)
		buf_append_byte(to, '`');
	segment.len = (uint32_t)(w->text.len - segment.from);
	c->code = NULL;
	if (segment.len)
		content(c, segment);
}

static void take_mark(struct segment_collector *c, uint32_t number)
{
	struct inline_writer *w = c->w;
	const struct mark *mark = &w->page->mark[number];
	if (c->code && (mark->kind == MARK_RAISED || mark->kind == MARK_LOWERED)) {
		/* tags have no meaning in code: characters have */
		const struct slice text = slice_skip(buf_slice(c->code), c->raised);
		if (mark->closes) {
			clear(w, &w->scratch);
			if (raised_form(&w->scratch, text, text, mark->kind == MARK_LOWERED, false) > 0) {
				c->code->len = c->raised;
				buf_append(c->code, w->scratch.data, w->scratch.len);
			}
		}
		c->raised = c->code->len;
	} else if (mark->kind >= MARK_NESTING_KINDS) {
		struct inline_segment segment = { .from = (uint32_t)w->text.len, .display = mark->display };
		if (!c->code)
			segment.kind = (uint8_t)inline_atom(w, mark, &w->text);
		segment.len = (uint32_t)(w->text.len - segment.from);
		if (segment.len)
			content(c, segment);
	} else if (mark->closes && mark->kind == MARK_CODE) {
		if (c->code)
			code_end(c);
	} else if (mark->closes && c->n_held) {
		c->n_held -= w->page->mark[c->held[c->n_held - 1]].kind == mark->kind;
	} else if (mark->closes) {
		/* at the limit of marks some have no beginning */
		if (c->n_open && w->segment[c->open[c->n_open - 1]].mark_kind == mark->kind)
			close_last(c);
	} else if (mark->kind == MARK_CODE) {
		c->code = &w->run;
		c->code_pending = BLANK_NONE;
		c->raised = 0;
		clear(w, c->code);
	} else if (!c->code && c->n_held + c->n_open < MARK_NESTING_KINDS) {
		c->held[c->n_held++] = number;
	}
}

static void take_text(struct segment_collector *c, struct slice source, bool references)
{
	struct inline_writer *w = c->w;
	struct inline_segment segment = { .kind = SEGMENT_TEXT, .from = (uint32_t)w->text.len };
	uint8_t pending = BLANK_NONE, lead = BLANK_NONE;
	if (c->code) {
		inline_collapse(c->code, 0, source, references, &c->code_pending, &lead);
		return;
	}
	inline_collapse(&w->text, w->text.len, source, references, &pending, &lead);
	segment.len = (uint32_t)(w->text.len - segment.from);
	if (segment.len == 0) {
		c->pending = pending > c->pending ? pending : c->pending;
		return;
	}
	c->pending = lead > c->pending ? lead : c->pending;
	content(c, segment);
	c->pending = pending;
}

/*
 * Emphasis begins and ends only at certain places (CommonMark, section 6.2): its inner side must not be white space,
 * nor punctuation unless the outer side is white space or punctuation. HTML knows no such rule; where it is broken, the
 * text is written without the mark.
 *
 * Example: "a<b>(b)</b>c" is "a(b)c", since readers would show the asterisks of "a**(b)**c".
 */

static struct slice segment_text(const struct inline_writer *w, const struct inline_segment *s)
{
	return s->kind == SEGMENT_SPACE ? slice_of(" ", 1) : slice_of(w->text.data + s->from, s->len);
}

static bool is_emphasis(const struct inline_segment *s)
{
	return s->kind == SEGMENT_MARK && s->mark_kind < MARK_CODE;
}

/* The kind of character at the left (`first`) or right end of a segment that is not emphasis; other marks are brackets.
 */
static enum letter_kind end_of(const struct inline_writer *w, const struct inline_segment *s, bool first)
{
	if (s->kind == SEGMENT_SPACE)
		return LETTER_WHITE;
	if (s->kind == SEGMENT_MARK)
		return LETTER_PUNCTUATION;
	return first ? letter_kind_first(segment_text(w, s)) : letter_kind_last(segment_text(w, s));
}

static bool allowed(enum letter_kind inside, enum letter_kind outside)
{
	return inside == LETTER_LETTER ||
	       (inside != LETTER_WHITE && (outside == LETTER_WHITE || outside == LETTER_PUNCTUATION));
}

/* Returns whether text is one letter of up to two bytes, as those of scripts with large first letters are. */
static bool is_one_letter(struct slice text)
{
	return text.len && letter_kind_first(text) == LETTER_LETTER && text.data[0] < 0xE0 &&
	       text.len == 1U + (text.data[0] >= 0x80);
}

/* Leaves out the emphasis of a large first letter: <b>T</b>he is one word. */
static void drop_initial(struct inline_writer *w)
{
	struct inline_segment *s = w->segment;
	const size_t n = w->n_segments;
	size_t text = 0;
	while (text < n && is_emphasis(&s[text]) && !s[text].closes)
		text++;
	if (text == 0 || 2 * text + 1 >= n || s[text].kind != SEGMENT_TEXT || !is_one_letter(segment_text(w, &s[text])))
		return;
	const struct inline_segment *after = &s[2 * text + 1];
	if (s[0].pair != 2 * text || after->kind != SEGMENT_TEXT ||
	    letter_kind_first(segment_text(w, after)) != LETTER_LETTER)
		return;
	for (size_t i = 0; i < text; i++)
		s[i].dropped = s[s[i].pair].dropped = true;
}

/** Leaves out emphasis that CommonMark would not take for it. */
static void inline_emphasis(struct inline_writer *w)
{
	enum letter_kind near = LETTER_WHITE;
	for (size_t i = 0; i < w->n_segments; i++) {
		struct inline_segment *s = &w->segment[i];
		if (is_emphasis(s))
			s->before = (uint8_t)near;
		else if (!s->dropped)
			near = end_of(w, s, false);
	}
	near = LETTER_WHITE;
	for (size_t i = w->n_segments; i-- > 0;) {
		struct inline_segment *s = &w->segment[i];
		if (is_emphasis(s))
			s->after = (uint8_t)near;
		else if (!s->dropped)
			near = end_of(w, s, true);
	}
	for (size_t i = 0; i < w->n_segments; i++) {
		struct inline_segment *s = &w->segment[i], *end = &w->segment[s->pair];
		if (!is_emphasis(s) || s->closes)
			continue;
		bool fits = allowed((enum letter_kind)s->after, (enum letter_kind)s->before) &&
			    allowed((enum letter_kind)end->before, (enum letter_kind)end->after);
		s->dropped = end->dropped = !fits;
	}
	drop_initial(w);
}

struct line_writer {
	struct inline_writer *w;
	struct buf *out;
	size_t start; /* of the piece in `out` */
	struct escape_rules rules;
};

int inline_begin(struct inline_writer *w, const struct structure_page *page, const struct style *style,
		 struct slice url)
{
	w->page = page;
	w->style = style;
	w->failed = false;
	buf_clear(&w->text);
	buf_clear(&w->run);
	buf_clear(&w->scratch);
	buf_clear(&w->url);
	buf_clear(&w->plain);
	if (page->has_base) {
		if (inline_decode(&w->scratch, buf_slice(&page->base_url)) < 0 || link_base_set(&w->base, url) < 0 ||
		    url_append(&w->url, &w->base, url_clean(&w->scratch)) < 0)
			return DANA_ENOMEM;
		if (url_may_be_base(buf_slice(&w->url)))
			url = buf_slice(&w->url);
	}
	if (!url_is_whole(url))
		url = slice_of(NULL, 0);
	w->base_is_odd = inline_url_is_odd(url);
	return link_base_set(&w->base, url);
}

void inline_free(struct inline_writer *w)
{
	link_base_free(&w->base);
	buf_free(&w->text);
	buf_free(&w->run);
	buf_free(&w->scratch);
	buf_free(&w->url);
	buf_free(&w->plain);
	free(w->segment);
	*w = (struct inline_writer){ 0 };
}

static bool is_escaped(const struct line_writer *l)
{
	return l->w->style->escape && !l->w->style->plain;
}

static uint8_t last_byte(const struct line_writer *l)
{
	return l->out->len > l->start ? l->out->data[l->out->len - 1] : 0;
}

/* Escapes and appends the run; `followed`: a mark comes after it. */
static void flush(struct line_writer *l, bool followed)
{
	const struct slice run = buf_slice(&l->w->run);
	if (run.len && is_escaped(l)) {
		/* a reference of a note would become a link or the note itself, the beginning of a link a note */
		const uint8_t bracket = last_byte(l), first = run.data[0];
		if (bracket == ']' ? first == '(' || first == ':' : bracket == '[' && first == '^')
			buf_append_byte(l->out, '\\');
		escape_text(l->out, run, &l->rules, followed);
	} else if (l->w->style->markup) {
		markup_text(l->out, run);
	} else {
		buf_append(l->out, run.data, run.len);
	}
	clear(l->w, &l->w->run);
}

/* Appends Markdown. After '!' a bracket would begin a picture, and after code a backtick would be a part of its fence.
 */
static void inline_put(struct line_writer *l, struct slice raw)
{
	const bool direct = !l->w->run.len;
	flush(l, true);
	if (raw.len && is_escaped(l) && raw.data[0] == '[' && last_byte(l) == '!') {
		l->out->len--;
		buf_append_text(l->out, "\\!");
	}
	if (raw.len && direct && !l->w->style->plain && raw.data[0] == '`' && last_byte(l) == '`')
		buf_append_byte(l->out, ' ');
	buf_append(l->out, raw.data, raw.len);
}

/* Returns the text of the segments between two, without marks; it lies in w->plain if there are several. */
static struct slice text_between(struct inline_writer *w, size_t from, size_t to)
{
	clear(w, &w->plain);
	if (to == from + 1 && w->segment[from].kind != SEGMENT_MARK && !w->segment[from].dropped)
		return segment_text(w, &w->segment[from]);
	for (size_t i = from; i < to; i++) {
		const struct slice t = segment_text(w, &w->segment[i]);
		if (w->segment[i].kind != SEGMENT_MARK && !w->segment[i].dropped)
			buf_append(&w->plain, t.data, t.len);
	}
	return buf_slice(&w->plain);
}

/*
 * Decides about the brackets of a link's text, between two segments: either all of them match, and none would begin or
 * end anything by what is beside it, or all are escaped.
 */
static enum escape_brackets brackets_of_link(const struct line_writer *l, size_t from, size_t to, struct slice text)
{
	const struct inline_writer *w = l->w;
	int depth = 0;
	if (slice_until(text, "[") == text.len && slice_until(text, "]") == text.len)
		return BRACKETS_NONE;
	bool match = !l->rules.formulas;
	for (size_t i = from; i < to && match; i++)
		match = w->segment[i].kind != SEGMENT_RAW && w->segment[i].kind != SEGMENT_FORMULA;
	for (size_t i = 0; i < text.len && match; i++) {
		const uint8_t c = text.data[i], next = i + 1 < text.len ? text.data[i + 1] : 0;
		depth += (c == '[') - (c == ']');
		match = depth >= 0 && !(c == '[' && next == '^') && !(c == ']' && next && strchr("([:", next));
	}
	return match && depth == 0 ? BRACKETS_NONE : BRACKETS_ALL;
}

/* Returns whether a link's text is its address, so that it can be written <address>. */
static bool is_address(struct slice text, struct slice url)
{
	static const char mail[] = "mailto:";
	const size_t len = sizeof(mail) - 1;
	const bool slash = url.len == text.len + 1 && url.data[text.len] == '/';
	if (url.len == text.len + len && slice_is(slice_first(url, len), mail))
		return slice_equal(slice_skip(url, len), text) && url_is_mailbox(text);
	bool same = slice_equal(slice_first(url, url.len - slash), text) && url_scheme(text).len;
	for (size_t i = 0; i < text.len && same; i++)
		same = !strchr(" <>`|\\", text.data[i]) &&
		       !(text.data[i] == '&' && escape_is_reference(slice_skip(text, i)));
	return same;
}

/* Writes the beginning of a link; *next becomes its end if it is written as its address. */
static void open_link(struct line_writer *l, size_t *next)
{
	struct inline_writer *w = l->w;
	const struct inline_segment *s = &w->segment[*next];
	const struct mark *mark = &w->page->mark[s->mark];
	unsigned bytes;
	flush(l, true);
	const struct slice value = clean(w, page_argument(w->page, mark->argument, mark->len), &bytes);
	absolute(w, value, bytes);
	const struct slice text = text_between(w, *next + 1, s->pair);
	if (is_address(text, buf_slice(&w->url))) {
		*next = s->pair;
		buf_printf(l->out, "<%.*s>", (int)text.len, (const char *)text.data);
		return;
	}
	l->rules.brackets = brackets_of_link(l, *next + 1, s->pair, text);
	l->rules.in_link = true;
	/* code in it would end the label of a definition, were the link the first of a block */
	bool defines = false;
	for (size_t i = *next + 1; i < s->pair && !defines; i++)
		defines = w->segment[i].kind == SEGMENT_RAW && slice_has(segment_text(w, &w->segment[i]), "]:");
	if (l->rules.brackets == BRACKETS_ALL && l->out->len == l->start && defines)
		buf_append_text(l->out, "&#32;");
	inline_put(l, slice_of("[", 1));
}

/* Writes a mark as the beginning or the end of an element. */
static void write_mark(struct line_writer *l, struct inline_segment *s)
{
	static const enum markup_element elements[MARK_NESTING_KINDS] = {
		[MARK_EMPHASIS] = MARKUP_EMPHASIS, [MARK_STRONG] = MARKUP_STRONG, [MARK_DELETED] = MARKUP_DELETED,
		[MARK_LINK] = MARKUP_LINK,         [MARK_RAISED] = MARKUP_RAISED, [MARK_LOWERED] = MARKUP_LOWERED,
	};
	struct inline_writer *w = l->w;
	const struct mark *mark = &w->page->mark[s->mark];
	const bool link = s->mark_kind == MARK_LINK;
	flush(l, true);
	if (s->mark_kind < MARK_CODE && !w->style->emphasis)
		return;
	if (link && !s->closes) {
		unsigned bytes;
		const struct slice value = clean(w, page_argument(w->page, mark->argument, mark->len), &bytes);
		absolute(w, value, bytes);
		if (l->rules.in_link || !url_is_of_web(buf_slice(&w->url))) {
			w->segment[s->pair].dropped = true;
			return;
		}
	}
	if (link)
		l->rules.in_link = !s->closes;
	if (s->closes)
		markup_end(l->out, w->style->markup, elements[s->mark_kind], slice_of(NULL, 0));
	else
		markup_begin(l->out, w->style->markup, elements[s->mark_kind], buf_slice(&w->url), slice_of(NULL, 0));
}

static void write_segment(struct line_writer *l, size_t *next)
{
	static const char *const
		marks[MARK_NESTING_KINDS] = { [MARK_EMPHASIS] = "*", [MARK_STRONG] = "**", [MARK_DELETED] = "~~" };
	static const char
		*const tags[MARK_NESTING_KINDS]
			   [2] = { [MARK_RAISED] = { "<sup>", "</sup>" }, [MARK_LOWERED] = { "<sub>", "</sub>" } };
	const struct inline_segment *s = &l->w->segment[*next];
	const struct slice text = segment_text(l->w, s);
	if (s->dropped)
		return;
	if (s->kind == SEGMENT_SPACE && !l->w->run.len &&
	    (l->out->len == l->start || l->out->data[l->out->len - 1] == ' '))
		return; /* what was before it is left out */
	if (s->kind == SEGMENT_TEXT || s->kind == SEGMENT_SPACE) {
		if (s->apart)
			flush(l, true);
		buf_append(&l->w->run, text.data, text.len);
		if (s->apart)
			flush(l, false);
	} else if (s->kind == SEGMENT_FORMULA) {
		flush(l, true);
		if (is_escaped(l))
			escape_tex(l->out, text, &l->rules);
		else if (l->w->style->markup)
			markup_text(l->out, text);
		else
			buf_append(l->out, text.data, text.len);
	} else if (s->kind != SEGMENT_MARK) {
		inline_put(l, text);
	} else if (l->w->style->markup) {
		write_mark(l, &l->w->segment[*next]);
	} else if (s->mark_kind > MARK_LINK) {
		inline_put(l, slice_from_text(tags[s->mark_kind][s->closes]));
	} else if (s->mark_kind != MARK_LINK) {
		if (l->w->style->emphasis && !l->w->style->plain)
			inline_put(l, slice_from_text(marks[s->mark_kind]));
	} else if (s->closes) {
		inline_put(l, slice_of("](", 2));
		l->rules.brackets = BRACKETS_THAT_LINK;
		l->rules.in_link = false;
		inline_url(l->w, l->out);
		buf_append_byte(l->out, ')');
	} else {
		open_link(l, next);
	}
}

static bool many_tildes(struct slice text)
{
	const uint8_t *first = text.len ? memchr(text.data, '~', text.len) : NULL;
	return first && memchr(first + 1, '~', text.len - (size_t)(first + 1 - text.data));
}

/* Returns whether the piece is one formula that is written on lines of its own, and appends its TeX. */
static bool lone_formula(struct inline_writer *w, struct buf *out)
{
	const struct escape_rules rules = { .open = &w->open_brackets };
	const bool plain = w->style->plain;
	struct slice tex = w->n_segments ? segment_text(w, w->segment) : slice_of(NULL, 0);
	bool parts = !w->page->formulas || !w->style->formulas || !w->n_segments;
	if (w->n_segments == 1 && w->segment->kind == SEGMENT_FORMULA && (plain || w->segment->display)) {
		tex = plain ? tex : slice_of(tex.data + 2, tex.len - 4);
	} else {
		/* a formula in the text, beside no link and nothing that is written as a whole */
		for (size_t i = 0; i < w->n_segments && !parts; i++) {
			const struct inline_segment *s = &w->segment[i];
			parts = s->kind == SEGMENT_RAW || (s->kind == SEGMENT_MARK && s->mark_kind >= MARK_LINK);
		}
		if (parts || !formula_is_all(text_between(w, 0, w->n_segments), &tex))
			return false;
	}
	if (w->style->markup)
		markup_text(out, tex);
	else if (plain || !w->style->escape)
		buf_append(out, tex.data, tex.len);
	else
		escape_tex(out, tex, &rules);
	return true;
}

/*
 * Raised and lowered text, and references of notes: in Markdown tags and "[^1]", elsewhere characters of Unicode and
 * "[1]" (html/raised.h), which parts the number of a note from the word before it where the note is not written, too.
 *
 * Example: 10<sup>6</sup> and tower<sup><a href="#n4">4</a></sup> are "10<sup>6</sup>" and "tower[^4]", or "10⁶" and
 * "tower[4]".
 */

/* Writes text in place of the segments of a mark. */
static void replace(struct inline_writer *w, size_t at, struct slice text, enum segment_kind kind)
{
	struct inline_segment *s = &w->segment[at];
	for (size_t i = at + 1; i <= s->pair; i++)
		w->segment[i].dropped = true;
	s->kind = (uint8_t)kind;
	s->from = (uint32_t)w->text.len;
	s->len = (uint32_t)text.len;
	s->dropped = !text.len;
	s->apart = true;
	buf_append(&w->text, text.data, text.len);
}

/* Writes the reference of a note in place of the segments of a mark. */
static void put_reference(struct inline_writer *w, size_t at)
{
	const struct mark *mark = &w->page->mark[w->segment[at].mark];
	const struct slice name = page_argument(w->page, mark->argument, mark->len);
	clear(w, &w->scratch);
	if (w->style->markup)
		markup_begin(&w->scratch, w->style->markup, MARKUP_REFERENCE, name, name);
	else
		buf_printf(&w->scratch, "[^%.*s]", (int)name.len, (const char *)name.data);
	replace(w, at, buf_slice(&w->scratch), SEGMENT_RAW);
}

static bool is_open(const struct inline_segment *s, enum mark_kind kind)
{
	return s->kind == SEGMENT_MARK && s->mark_kind == kind && !s->closes;
}

/*
 * Returns whether a text may be written apart from what is around it: with none of the characters that a reader of
 * Markdown could join with what comes after it, to an address or a tag.
 */
static bool is_simple(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] && strchr(":@./<>&[]()`\\~!$|#\"'", text.data[i]))
			return false;
	}
	return true;
}

/* Decides about a mark of raised or lowered text; `in_place`: it is in a link to a place of the page. */
static void decide_raised(struct inline_writer *w, size_t at, bool in_place)
{
	struct inline_segment *s = &w->segment[at], *end = &w->segment[s->pair];
	const bool lowered = s->mark_kind == MARK_LOWERED;
	bool note = in_place, whole = true, named = false, label = false;
	for (size_t i = at + 1; i < s->pair; i++) {
		const struct inline_segment *inner = &w->segment[i];
		note |= is_open(inner, MARK_PLACE);
		named |= is_open(inner, MARK_PLACE) && w->page->mark[inner->mark].role >= PLACE_NOTE;
		label |= is_open(inner, MARK_PLACE) && w->page->mark[inner->mark].role == PLACE_LABEL;
		whole &= w->style->plain ||
			 !(inner->kind == SEGMENT_RAW || inner->kind == SEGMENT_FORMULA || is_open(inner, MARK_LINK));
	}
	const struct mark *mark = &w->page->mark[s->mark];
	if (mark->role == PLACE_NOTE && !w->style->plain) {
		put_reference(w, at);
		return;
	}
	const struct slice text = text_between(w, at + 1, s->pair);
	clear(w, &w->scratch);
	const int made = raised_form(&w->scratch, text, text, lowered, note);
	w->failed |= made < 0;
	const bool tags = !w->style->plain && !w->style->forms && !(note && !lowered);
	const bool apart = w->style->plain || tags || is_simple(text);
	s->dropped = end->dropped = made <= 0 || !apart || (named && !w->style->plain) || (!whole && !tags);
	if (label)
		replace(w, at, slice_of(NULL, 0), SEGMENT_TEXT);
	else if (!s->dropped && !tags)
		replace(w, at, buf_slice(&w->scratch), SEGMENT_TEXT);
}

/* Decides about a link to a place of the page. */
static void decide_place(struct inline_writer *w, size_t at)
{
	struct inline_segment *s = &w->segment[at];
	const struct mark *mark = &w->page->mark[s->mark];
	s->dropped = w->segment[s->pair].dropped = true;
	if (mark->role < PLACE_NOTE)
		return;
	if (mark->role == PLACE_LABEL) {
		replace(w, at, slice_of(NULL, 0), SEGMENT_TEXT);
	} else if (!w->style->plain) {
		put_reference(w, at);
	} else {
		const struct slice text = text_between(w, at + 1, s->pair);
		clear(w, &w->scratch);
		if (raised_form(&w->scratch, text, text, false, true) > 0)
			replace(w, at, buf_slice(&w->scratch), SEGMENT_TEXT);
	}
}

int inline_append(struct inline_writer *w, const struct piece *piece, struct buf *out, enum inline_kind *kind)
{
	struct line_writer l = { .w = w, .out = out, .start = out->len, .rules.open = &w->open_brackets };
	l.rules.formulas = w->page->formulas && w->style->formulas;
	w->ends_in_text = true;
	if (piece->mark == piece->marks_end && !l.rules.formulas) {
		/* a piece of text without marks: most are */
		uint8_t pending = BLANK_NONE, lead;
		clear(w, &w->run);
		inline_collapse(&w->run, 0, slice_of(w->page->text.data + piece->text, piece->len), !piece->raw,
				&pending, &lead);
		l.rules.tildes = many_tildes(buf_slice(&w->run));
		flush(&l, false);
		*kind = out->len > l.start ? INLINE_TEXT : INLINE_EMPTY;
		return result(w);
	}
	/* segments: no empty marks, blanks outside of marks */
	struct segment_collector c = { .w = w };
	const struct structure_page *page = w->page;
	uint32_t at = piece->text, end = piece->text + piece->len;
	w->n_segments = 0;
	clear(w, &w->text);
	for (uint32_t i = piece->mark; i <= piece->marks_end && !w->failed; i++) {
		uint32_t to = i < piece->marks_end && page->mark[i].at < end ? page->mark[i].at : end;
		if (to > at)
			take_text(&c, slice_of(page->text.data + at, to - at), !piece->raw);
		at = to > at ? to : at; /* marks may be before the text that is written */
		if (i < piece->marks_end && !w->failed)
			take_mark(&c, i);
	}
	if (c.code)
		code_end(&c);
	while (c.n_open && !w->failed)
		close_last(&c);
	*kind = INLINE_FORMULA;
	if (w->failed || lone_formula(w, out))
		return result(w);
	l.rules.tildes = many_tildes(buf_slice(&w->text));
	clear(w, &w->run);
	/* which links are written is decided before emphasis looks at what is beside it */
	const bool heading = w->page->container[piece->container].flags & CONTAINER_IN_HEADING;
	const bool written = w->style->links && !w->style->plain;
	size_t place_end = 0; /* of the link to a place of the page that is open */
	for (size_t i = 0; i < w->n_segments; i++) {
		struct inline_segment *s = &w->segment[i];
		if (s->kind != SEGMENT_MARK || s->mark_kind < MARK_LINK || s->closes || s->dropped)
			continue;
		if (s->mark_kind == MARK_PLACE) {
			place_end = s->pair;
			if (heading && !letter_kind_any(text_between(w, i + 1, s->pair)))
				replace(w, i, slice_of(NULL, 0), SEGMENT_TEXT);
			else
				decide_place(w, i);
		} else if (s->mark_kind > MARK_PLACE) {
			decide_raised(w, i, i < place_end);
		}
		if (s->mark_kind != MARK_LINK)
			continue;
		const struct mark *mark = &w->page->mark[s->mark];
		const struct slice value = page_argument(w->page, mark->argument, mark->len);
		unsigned bytes;
		const bool leads = url_leads_elsewhere(&w->base, clean(w, value, &bytes));
		const bool sign = heading && !letter_kind_any(text_between(w, i + 1, s->pair));
		if (sign || !leads || !written)
			s->dropped = w->segment[s->pair].dropped = true;
		for (size_t k = i; k < s->pair && sign; k++)
			w->segment[k].dropped = true;
	}
	if (!w->style->markup)
		inline_emphasis(w);
	for (size_t i = 0; i < w->n_segments; i++)
		write_segment(&l, &i);
	w->ends_in_text = w->run.len != 0;
	flush(&l, false);
	while (out->len > l.start && out->data[out->len - 1] == ' ')
		out->len--;
	*kind = out->len > l.start ? INLINE_TEXT : INLINE_EMPTY;
	return result(w);
}
