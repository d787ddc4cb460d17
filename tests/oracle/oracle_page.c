/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_page.h"

#include "oracle/oracle_stack.h"

/* All runs and tags as they come. */
struct event {
	enum html_run_kind kind;
	bool is_tag, skipped;
	struct html_tag_event tag;
	uint8_t *bytes;
	size_t len;
	uint64_t offset;
	uint8_t space; /* of text: enum white_space */
};

struct events {
	struct event *all;
	size_t count;
	struct oracle_page *page;
};

static void *more(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	void *grown = realloc(array, (count ? count * 2 : 1) * size);
	if (!grown)
		abort();
	return grown;
}

static uint8_t *keep_bytes(struct oracle_page *page, struct slice s)
{
	uint8_t *copy = malloc(s.len + 1);
	if (!copy)
		abort();
	if (s.len)
		memcpy(copy, s.data, s.len);
	page->memory = more(page->memory, page->used, sizeof(*page->memory));
	page->memory[page->used++] = copy;
	return copy;
}

static struct event *add_event(struct events *e, struct slice bytes)
{
	e->all = more(e->all, e->count, sizeof(*e->all));
	struct event *event = &e->all[e->count++];
	*event = (struct event){ .bytes = keep_bytes(e->page, bytes), .len = bytes.len };
	return event;
}

static int on_run(void *arg, const struct html_run *run)
{
	struct events *e = arg;
	struct event *last = e->count ? &e->all[e->count - 1] : NULL;
	bool text = run->kind == HTML_TEXT && !run->skipped;
	/* Pieces of one text are joined; the tokeniser gets the page whole, but has a window of its own. */
	if (text && last && !last->is_tag && last->kind == HTML_TEXT && !last->skipped) {
		struct buf joined = { 0 };
		if (buf_append(&joined, last->bytes, last->len) < 0 ||
		    buf_append(&joined, run->bytes.data, run->bytes.len) < 0)
			abort();
		last->bytes = keep_bytes(e->page, buf_slice(&joined));
		last->len = joined.len;
		buf_free(&joined);
		return 0;
	}
	struct event *event = add_event(e, run->bytes);
	event->kind = run->kind;
	event->skipped = run->skipped;
	event->space = run->space;
	event->offset = run->offset;
	return 0;
}

static int on_tag(void *arg, const struct html_tag_event *tag)
{
	struct event *event = add_event(arg, tag->source);
	event->is_tag = true;
	event->tag = *tag;
	event->tag.source = slice_of(event->bytes, event->len);
	event->tag.name = slice_of(event->bytes + 1 + tag->closing, tag->name.len);
	return 0;
}

static bool is_dense(uint32_t c)
{
	static const uint32_t ranges[][2] = { { 0xE00, 0xEFF },    { 0x1000, 0x109F }, { 0x1780, 0x17FF },
					      { 0x3005, 0x3007 },  { 0x3040, 0x30FF }, { 0x31F0, 0x31FF },
					      { 0x3400, 0x4DBF },  { 0x4E00, 0x9FFF }, { 0xF900, 0xFAFF },
					      { 0x20000, 0x3FFFF } };
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	}
	return false;
}

static bool is_blank(uint32_t c)
{
	static const uint32_t blanks[] = { 9,  10,   11,   12,     13,     0x1C,   0x1D,   0x1E,   0x1F,
					   32, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000 };
	for (size_t i = 0; i < sizeof(blanks) / sizeof(*blanks); i++) {
		if (c == blanks[i])
			return true;
	}
	return c >= 0x2000 && c <= 0x200A;
}

/* What lies between the last item and the next one. */
struct between {
	bool breaks, space, newline, link;
	struct buf white; /* that is kept, with LF for each line end */
	bool cr;          /* the last of it was CR */
};

static struct oracle_item *add_item(struct oracle_page *page)
{
	page->items = more(page->items, page->count, sizeof(*page->items));
	page->items[page->count] = (struct oracle_item){ 0 };
	return &page->items[page->count++];
}

/* As the methods write it: FF for a blank that is kept, CR for each line end after the first. */
static struct slice kept_white(struct oracle_page *page, struct buf *white)
{
	size_t tail = white->len, n = 0;
	while (tail > 0 && white->data[tail - 1] != '\n')
		tail--;
	for (size_t i = 0; i < white->len; i++) {
		uint8_t c = white->data[i];
		if (i < tail ? c != '\n' || n == 256 : c == ' ' ? n != 0 : n == 512)
			continue;
		white->data[n] = n && c == '\n' ? '\r' : c;
		n++;
	}
	struct slice all = slice_of(keep_bytes(page, slice_of(white->data, n)), n);
	buf_clear(white);
	return all;
}

static void keep_white(struct between *b, uint32_t c, enum white_space space)
{
	bool line = c == '\n' || c == '\r', ended = c == '\n' && b->cr;
	b->cr = space != WHITE_SPACE_COLLAPSES && c == '\r';
	if (space == WHITE_SPACE_COLLAPSES || ended)
		return;
	if (buf_append_byte(&b->white, line ? '\n' : space == WHITE_SPACE_LINES ? ' ' : c == '\t' ? '\t' : '\f') < 0)
		abort();
}

static void add_word(struct oracle_page *page, struct slice text, size_t chars, const struct event *e,
		     struct between *b)
{
	struct oracle_item *item = add_item(page);
	item->text = text;
	item->white = kept_white(page, &b->white);
	b->cr = false;
	item->chars = chars;
	item->breaks = b->breaks;
	item->space = b->space && !b->breaks;
	item->newline = b->newline;
	item->link = b->link;
	item->start = e->offset;
	item->end = e->offset + e->len;
	b->breaks = b->space = b->newline = false;
}

static void add_words(struct oracle_page *page, const struct event *e, struct between *b)
{
	struct buf decoded = { 0 };
	if (html_entity_append(&decoded, slice_of(e->bytes, e->len)) < 0)
		abort();
	/* Well-formed UTF-8 first. */
	struct buf good = { 0 };
	for (size_t i = 0; i < decoded.len;) {
		uint32_t c;
		uint8_t bytes[4];
		i += utf8_decode(slice_of(decoded.data + i, decoded.len - i), &c);
		if (buf_append(&good, bytes, utf8_put(c, bytes)) < 0)
			abort();
	}
	struct slice text = slice_of(keep_bytes(page, buf_slice(&good)), good.len);
	buf_free(&good);
	buf_free(&decoded);
	size_t from = 0, chars = 0;
	for (size_t i = 0; i < text.len;) {
		uint32_t c;
		size_t n = utf8_decode(slice_of(text.data + i, text.len - i), &c);
		bool alone = is_dense(c), blank = is_blank(c);
		if ((alone || blank) && i > from) {
			add_word(page, slice_of(text.data + from, i - from), chars, e, b);
			chars = 0;
		}
		if (blank) {
			b->space = true;
			b->newline |= c == '\n' || c == '\r';
			keep_white(b, c, e->space);
		} else if (alone) {
			add_word(page, slice_of(text.data + i, n), 1, e, b);
		} else {
			chars++;
		}
		if (alone || blank)
			from = i + n;
		i += n;
	}
	if (text.len > from)
		add_word(page, slice_of(text.data + from, text.len - from), chars, e, b);
}

static void add_tag(struct oracle_page *page, const struct event *e, struct between *b)
{
	enum html_tag tag = (enum html_tag)e->tag.tag;
	if (e->tag.skipped || tag == HTML_TAG_SCRIPT || tag == HTML_TAG_STYLE)
		return;
	if (!html_tag_is(tag, TAG_INLINE)) {
		b->breaks = true;
		buf_clear(&b->white);
		b->cr = false;
	}
	if (tag == HTML_TAG_A)
		b->link = !e->tag.closing;
	if (tag == HTML_TAG_BODY && e->tag.closing)
		b->link = false;
	struct oracle_item *item = add_item(page);
	item->is_tag = true;
	item->newline = b->newline;
	item->start = e->tag.start;
	item->end = e->tag.end;
	item->tag = tag;
	item->closing = e->tag.closing;
	item->source = e->tag.source;
	item->name = e->tag.name;
	item->source_chars = utf8_count(item->source);
	b->newline = false;
}

struct oracle_page *oracle_page_new(struct slice html)
{
	struct oracle_page *page = calloc(1, sizeof(*page));
	struct events events = { .page = page };
	const struct html_handler handler = { .run = on_run,
					      .tag = on_tag,
					      .arg = &events,
					      .white_space = true,
					      .formulas = true };
	struct html_tokenizer *t = html_tokenizer_new(&handler);
	if (!page || !t)
		abort();
	html_tokenizer_reset(t);
	if (html_tokenizer_feed(t, html) < 0 || html_tokenizer_finish(t) < 0)
		abort();
	html_tokenizer_free(t);
	page->bytes = html.len;
	struct between between = { .breaks = true };
	for (size_t i = 0; i < events.count; i++) {
		const struct event *e = &events.all[i];
		if (e->is_tag)
			add_tag(page, e, &between);
		else if (e->kind == HTML_TEXT && !e->skipped)
			add_words(page, e, &between);
	}
	buf_free(&between.white);
	free(events.all);
	return page;
}

void oracle_page_free(struct oracle_page *page)
{
	for (size_t i = 0; i < page->used; i++)
		free(page->memory[i]);
	free(page->memory);
	free(page->items);
	free(page);
}

void oracle_keep(const struct oracle_page *page, const enum oracle_fate *fate, struct buf *out)
{
	bool breaks = false, space = false;
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		if (item->is_tag)
			continue;
		breaks |= item->breaks;
		bool line = item->white.len && item->white.data[0] == '\n';
		space |= item->space || fate[i] == WORD_DROPPED;
		breaks |= fate[i] == WORD_DROPPED && line;
		if (fate[i] == WORD_DROPPED)
			continue;
		breaks |= fate[i] == WORD_BEGINS_BLOCK;
		if (out->len && (breaks || line || (space && !item->white.len)) &&
		    buf_append_byte(out, breaks || line ? '\n' : ' ') < 0)
			abort();
		for (size_t k = line; k < item->white.len; k++) {
			uint8_t c = item->white.data[k];
			if (c == '\r' && (breaks || out->len == 0))
				continue; /* no text of the block is before it */
			if (c == ' ' && (out->len == 0 || out->data[out->len - 1] == '\n'))
				continue; /* it collapses */
			if (buf_append_byte(out, c == '\f' ? ' ' : c == '\r' ? '\n' : c) < 0)
				abort();
		}
		if (buf_append(out, item->text.data, item->text.len) < 0)
			abort();
		breaks = space = false;
	}
}

struct oracle_tree *oracle_tree_new(const struct oracle_page *page)
{
	struct oracle_tree *tree = calloc(1, sizeof(*tree));
	struct oracle_stack *open = calloc(1, sizeof(*open));
	size_t at = 0;
	if (!tree || !open)
		abort();
	open->max = ORACLE_STACK_MOST;
	tree->elements = calloc(page->count + 1, sizeof(*tree->elements));
	tree->of = calloc(page->count + 1, sizeof(*tree->of));
	if (!tree->elements || !tree->of)
		abort();
	tree->count = 1;
	tree->elements[0].last = page->count;
	for (size_t i = 0; i < page->count; i++) {
		const struct oracle_item *item = &page->items[i];
		if (item->is_tag) {
			bool known = item->tag != HTML_TAG_OTHER;
			struct oracle_change change = item->closing ? oracle_stack_end(open, item->name, known)
								    : oracle_stack_start(open, item->name, known);
			for (size_t k = 0; k < change.closes; k++) {
				tree->elements[at].last = i;
				at = tree->elements[at].parent;
			}
			if (change.opens) {
				tree->elements[tree->count] = (struct oracle_element){ .parent = at,
										       .first = i,
										       .last = page->count,
										       .tag = item->tag,
										       .source = item->source };
				at = tree->count++;
			}
		}
		tree->of[i] = at;
	}
	free(open);
	return tree;
}

void oracle_tree_free(struct oracle_tree *tree)
{
	free(tree->elements);
	free(tree->of);
	free(tree);
}
