/* SPDX-License-Identifier: MIT */
/* The push API of libdana: tokeniser, one method, text writer. */
#include "config.h"

#include "extract/extractor.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "dana/dana.h"
#include "extract/html/tokenizer.h"
#include "extract/method.h"
#include "extract/page_parts.h"
#include "extract/structure/page_log.h"
#include "extract/structure/structure.h"
#include "extract/text_writer.h"

/* Inner status values go through dana.h unchanged, so both lists must agree. */
_Static_assert(DANA_SUCCESS == (int)DANA_OK, "success");
_Static_assert(DANA_OUT_OF_MEMORY == (int)DANA_ENOMEM, "out of memory");
_Static_assert(DANA_LIMIT == (int)DANA_ELIMIT, "limit");
_Static_assert(DANA_BAD_OPTION == (int)DANA_ECONFIG, "bad option");
_Static_assert(DANA_WRONG_ORDER == (int)DANA_ESTATE, "wrong order");

enum { MAX_TEXT = 8 << 20, MAX_DEPTH = 512 };

struct dana_extractor {
	const struct method *method;
	void *state;
	struct html_tokenizer *tokens; /* NULL: the method has its own, and there is no structure */
	struct page_parts *parts;      /* NULL: all of the page is read */
	struct buf part_bytes;
	bool parts_begun;
	bool holds;                      /* parts are found: the page is read at its end */
	struct dana_extractor *comments; /* of their text; NULL: they are not set apart */
	struct dana_text comments_text;  /* data NULL: the page has none */
	struct text_writer text, title;
	struct buf blocks;           /* struct dana_text_block each */
	struct structure *structure; /* NULL: nobody needs it */
	struct page_log *log;        /* the structure's */
	struct buf spans;            /* struct method_span each, for the structure */
	size_t max_text;
	struct work work;         /* of the page */
	struct site_page site;    /* what is known of it */
	enum page_form form;      /* of the page */
	bool cr;                  /* of text: the last byte was CR */
	bool fed, finished, made; /* `made`: finished without an error */
	bool within;              /* a function of the caller's runs */
	bool dropped;             /* it has called dana_free */
	int failed;               /* first error of the page; it stays until reset */
};

/*
 * Returns all options: those that the caller's struct does not have yet are zero. Only members that lie completely
 * within the caller's `struct_size` are read, because nothing after it need be mapped.
 */
static struct dana_options options_read(const struct dana_options *given)
{
	struct dana_options all = { 0 };
	size_t size = given ? given->struct_size : 0;
#define HAS(member) (size >= offsetof(struct dana_options, member) + sizeof(all.member))
#define TAKE(member) all.member = HAS(member) ? given->member : all.member
	TAKE(method);
	TAKE(max_text_bytes);
	TAKE(max_depth);
	TAKE(read_arg);
	all.read_file = HAS(read_arg) ? given->read_file : NULL; /* which is called with it */
	TAKE(max_work);
	TAKE(list_blocks);
	TAKE(structure);
	TAKE(markdown);
	TAKE(exclude);
	TAKE(only);
	TAKE(rules);
	TAKE(comments);
	TAKE(tables);
	all.options = HAS(n_options) ? given->options : NULL;
	TAKE(n_options);
#undef TAKE
#undef HAS
	return all;
}

/*
 * With a structure, each event of the tokeniser goes to its log and to the method, unless this has tokenisers of its
 * own (feed). Units come where the method takes them; a method that takes stretches gets runs and tags, of which it
 * makes the same text.
 */
static int both_run(void *arg, const struct html_run *event)
{
	const struct dana_extractor *x = arg;
	int status = event->formula ? 0 : page_log_run(x->log, event); /* the recorder reads formulas by itself */
	return status < 0 || x->method->feed ? status : x->method->run(x->state, event);
}

static int both_tag(void *arg, const struct html_tag_event *event)
{
	const struct dana_extractor *x = arg;
	int status = page_log_tag(x->log, event);
	return status < 0 || x->method->feed ? status : x->method->tag(x->state, event);
}

static int both_unit(void *arg, const struct html_unit *event)
{
	const struct dana_extractor *x = arg;
	int status = page_log_unit(x->log, event);
	return status < 0 || x->method->feed ? status : x->method->unit(x->state, event);
}

static int extractor_open(struct dana_extractor *x, const struct dana_options *given, const struct page_options *page,
			  struct trace *trace)
{
	const struct dana_options options = options_read(given);
	struct page_options own = PAGE_OPTIONS_OF(&options);
	struct slice keys;
	x->method = method_find(slice_from_text(options.method ? options.method : DANA_DEFAULT_METHOD), &keys);
	if (!x->method || options.comments > DANA_PARTS_APART || options.tables > DANA_PARTS_DROP)
		return DANA_ECONFIG;
	if (!page) {
		struct error err = { 0 };
		if (page_options_set(&own, options.options, options.n_options, &err) < 0 ||
		    page_options_check(&own, x->method->name, "", &err) < 0)
			return (int)err.status;
		page = &own;
	}

	struct error err = { 0 };
	int status = page_parts_new(&x->parts, page, x->method->drops, &err);
	if (status < 0)
		return status;
	const struct method_env env = { .files = { options.read_file, options.read_arg },
					.max_text = options.max_text_bytes ? options.max_text_bytes : MAX_TEXT,
					.max_depth = options.max_depth ? options.max_depth : MAX_DEPTH,
					.work = &x->work,
					.trace = trace,
					.site = &x->site,
					.blocks = options.list_blocks ? &x->blocks : NULL,
					.spans = page->structure ? &x->spans : NULL,
					.parts = x->parts };
	x->work.rate = options.max_work ? options.max_work : WORK_RATE;
	x->max_text = env.max_text;
	x->state = calloc(1, x->method->state_size);
	if (!x->state)
		return DANA_ENOMEM;
	status = x->method->init(x->state, &env);
	if (status < 0)
		return status;
	status = method_configure(x->method, x->state, keys);
	if (status < 0)
		return status;
	status = page_options_configure(page, x->method, x->state);
	x->holds = page->comments != DANA_PARTS_KEEP || page->tables != DANA_PARTS_KEEP;
	if (status == DANA_OK && page->comments == DANA_PARTS_APART) {
		const struct dana_options plain = { .struct_size = sizeof(plain),
						    .method = "plain",
						    .max_text_bytes = env.max_text,
						    .max_depth = env.max_depth,
						    .max_work = x->work.rate };
		status = dana_new(&x->comments, &plain);
	}
	if (status < 0)
		return status;
	if (page->structure) {
		/* only a method that says which parts of the page it keeps */
		const struct structure_options how = { .max_text = env.max_text,
						       .max_depth = env.max_depth,
						       .style = slice_from_text(page->markdown ? page->markdown : ""),
						       .markdown = page->structure & DANA_MARKDOWN,
						       .blocks = page->structure & DANA_BLOCKS,
						       .dropped = page->structure & DANA_DROPPED,
						       .parts = x->parts };
		if (!x->method->lists_spans || page->structure & ~(DANA_MARKDOWN | DANA_BLOCKS | DANA_DROPPED))
			return DANA_ECONFIG;
		status = structure_new(&x->structure, &how);
		if (status < 0)
			return status;
		x->log = structure_log(x->structure);
	}
	if (x->method->feed && !x->structure)
		return DANA_OK;
	const bool units = x->method->unit || x->method->feed;
	struct html_handler handler = { .run = x->method->run,
					.tag = x->method->tag,
					.arg = x->state,
					.unit = x->method->unit,
					.stretch = x->method->stretch,
					.voids_unread = x->method->voids_unread &&
							!(x->method->reads_voids && x->method->reads_voids(x->state)),
					.white_space = !units,
					.formulas = !units };
	if (x->structure) {
		handler.run = both_run;
		handler.tag = both_tag;
		handler.arg = x;
		handler.unit = units ? both_unit : NULL;
		handler.stretch = NULL;
	}
	x->tokens = html_tokenizer_new(&handler);
	return x->tokens ? DANA_OK : DANA_ENOMEM;
}

int extractor_new(struct dana_extractor **out, const struct dana_options *options, const struct page_options *page,
		  struct trace *trace)
{
	*out = NULL;
	struct dana_extractor *x = calloc(1, sizeof(*x));
	if (!x)
		return DANA_ENOMEM;
	int status = extractor_open(x, options, page, trace);
	if (status < 0) {
		dana_free(x);
		return status;
	}
	*out = x;
	return DANA_OK;
}

int dana_new(struct dana_extractor **out, const struct dana_options *options)
{
	return out ? extractor_new(out, options, NULL, NULL) : DANA_ESTATE;
}

/* A call that must not come now. Within a function of the caller's it fails the call that runs, too. */
static int misused(struct dana_extractor *x)
{
	if (x->within)
		x->failed = DANA_ESTATE;
	return DANA_ESTATE;
}

int dana_page_url(struct dana_extractor *x, const char *url, size_t len)
{
	if (!x || (!url && len))
		return DANA_ESTATE;
	if (x->within || x->fed || x->finished)
		return misused(x);
	int status = x->structure ? structure_url(x->structure, slice_of(url, len)) : DANA_OK;
	if (x->parts)
		page_parts_begin(x->parts, slice_of(url, len));
	x->parts_begun = true;
	if (status == DANA_OK && x->site.source)
		status = x->site.source->page(x->site.source->arg, slice_of(url, len), &x->site.others);
	if (status < 0 || !x->method->url)
		return status;
	x->within = true;
	status = x->method->url(x->state, slice_of(url, len));
	x->within = false;
	if (x->dropped) {
		dana_free(x);
		return DANA_ESTATE;
	}
	return x->failed < 0 ? x->failed : status;
}

void dana_site_source(struct dana_extractor *x, const struct site_source *source)
{
	x->site.source = source;
}

void dana_page_stays(struct dana_extractor *x, struct slice memory)
{
	if (x->structure && !x->parts)
		x->log->stays = memory;
}

void dana_page_form(struct dana_extractor *x, enum page_form form)
{
	x->form = form;
	x->cr = false;
	text_writer_reset(&x->text, x->max_text);
}

/* Appends text as it stands, but for line ends, which are LF in every result. */
static int feed_text(struct dana_extractor *x, struct slice bytes)
{
	struct text_writer *w = &x->text;
	int status = DANA_OK;
	while (bytes.len && status == DANA_OK) {
		if (x->cr && bytes.data[0] == '\n')
			bytes = slice_skip(bytes, 1);
		x->cr = false;
		const struct slice line = slice_first(bytes, slice_until(bytes, "\r"));
		const size_t room = w->max - w->out.len;
		w->truncated |= line.len > room;
		status = buf_append(&w->out, line.data, line.len < room ? line.len : room);
		bytes = slice_skip(bytes, line.len);
		if (bytes.len == 0 || status < 0)
			break;
		x->cr = true;
		bytes = slice_skip(bytes, 1);
		if (w->out.len == w->max)
			w->truncated = true;
		else
			status = buf_append_byte(&w->out, '\n');
	}
	return status;
}

/* Ends text as it stands: white space at its end is left out, as it is of every text. */
static int finish_text(struct dana_extractor *x, struct dana_text *text)
{
	struct buf *out = &x->text.out;
	if (x->text.truncated)
		out->len = utf8_without_cut(buf_slice(out));
	while (out->len && ascii_is_space(out->data[out->len - 1]))
		out->len--;
	buf_clear(&x->blocks);
	const int status =
		x->structure ? structure_text(x->structure, buf_slice(out), x->form == FORM_MARKDOWN) : DANA_OK;
	if (status < 0)
		return status;
	x->made = true;
	text->data = (const char *)out->data;
	text->len = out->len;
	text->flags = (x->text.truncated ? DANA_TEXT_TRUNCATED : 0) | (x->method->media ? DANA_LISTS_MEDIA : 0) |
		      (x->structure && structure_cut(x->structure) ? DANA_LACKS_STRUCTURE : 0);
	return DANA_OK;
}

/* Takes what is read of the page. */
static int take_bytes(struct dana_extractor *x, struct slice bytes)
{
	if (bytes.len == 0)
		return DANA_OK;
	int status = x->structure ? structure_bytes(x->structure, bytes) : DANA_OK;
	if (status >= 0 && x->method->feed)
		status = x->method->feed(x->state, bytes);
	if (status >= 0 && x->tokens)
		status = html_tokenizer_feed(x->tokens, bytes);
	return status;
}

/* Takes bytes of the page, or its end, through the filter of its parts. */
static int take_parts(struct dana_extractor *x, struct slice bytes, bool ends)
{
	if (!x->parts_begun)
		page_parts_begin(x->parts, slice_of(NULL, 0));
	x->parts_begun = true;
	buf_clear(&x->part_bytes);
	int status =
		ends ? page_parts_finish(x->parts, &x->part_bytes) : page_parts_take(x->parts, bytes, &x->part_bytes);
	if (status == DANA_OK && !x->holds)
		status = take_bytes(x, buf_slice(&x->part_bytes));
	return status;
}

/* Reads the page that was held, without the parts that are left out, and the comments. */
static int take_held(struct dana_extractor *x)
{
	struct slice bytes;
	size_t at = 0;
	int status;
	while ((status = page_parts_next(x->parts, PARTS_TEXT, &at, &bytes)) > 0) {
		status = take_bytes(x, bytes);
		if (status < 0)
			return status;
	}
	if (status < 0 || !x->comments)
		return status;
	dana_reset(x->comments);
	for (at = 0; page_parts_next(x->parts, PARTS_COMMENTS, &at, &bytes) > 0;) {
		status = dana_feed(x->comments, bytes.data, bytes.len);
		if (status < 0)
			return status;
	}
	status = dana_finish(x->comments, &x->comments_text);
	if (x->comments_text.len == 0)
		x->comments_text.data = NULL;
	return status;
}

int dana_feed(struct dana_extractor *x, const void *data, size_t len)
{
	if (!x || (!data && len))
		return DANA_ESTATE;
	if (x->within || x->finished)
		return misused(x);
	if (x->failed < 0)
		return x->failed;
	x->fed = true;
	x->work.bytes += len;
	const struct slice bytes = slice_of(data, len);
	if (x->form != FORM_HTML)
		x->failed = feed_text(x, bytes);
	else
		x->failed = x->parts ? take_parts(x, bytes, false) : take_bytes(x, bytes);
	return x->failed;
}

int dana_finish(struct dana_extractor *x, struct dana_text *text)
{
	if (!x || !text)
		return DANA_ESTATE;
	*text = (struct dana_text){ 0 };
	if (x->within || x->finished)
		return misused(x);
	x->finished = true;
	if (x->form != FORM_HTML)
		return x->failed < 0 ? x->failed : finish_text(x, text);
	if (x->failed >= 0 && x->parts)
		x->failed = take_parts(x, slice_of(NULL, 0), true);
	if (x->failed >= 0 && x->holds)
		x->failed = take_held(x);
	if (x->failed >= 0 && x->method->end)
		x->failed = x->method->end(x->state);
	if (x->failed >= 0 && x->tokens)
		x->failed = html_tokenizer_finish(x->tokens);
	if (x->failed < 0)
		return x->failed;
	text_writer_reset(&x->text, x->max_text);
	buf_clear(&x->blocks);
	buf_clear(&x->spans);
	int found = x->method->finish(x->state, &x->text);
	if (found < 0)
		return found;
	bool title_seen = false;
	const struct slice title =
		html_tokenizer_title(x->method->tokens ? x->method->tokens(x->state) : x->tokens, &title_seen);
	text_writer_reset(&x->title, 0);
	int status = text_writer_finish(&x->text);
	if (status >= 0)
		status = text_writer_wrapped(&x->title, title);
	if (status >= 0)
		status = text_writer_finish(&x->title);
	if (status >= 0 && x->structure)
		status = structure_finish(x->structure, buf_slice(&x->spans), buf_slice(&x->text.out),
					  buf_slice(&x->title.out));
	if (status < 0)
		return status;
	x->made = true;
	text->data = (const char *)x->text.out.data;
	text->len = x->text.out.len;
	text->title = (const char *)x->title.out.data;
	text->title_len = x->title.out.len;
	text->method = x->method->chosen ? x->method->chosen(x->state) : x->method->name;
	text->flags = (x->text.truncated ? DANA_TEXT_TRUNCATED : 0) | (found == METHOD_NO_REGION ? DANA_NO_REGION : 0) |
		      (title_seen ? DANA_HAS_TITLE : 0) | (x->method->media ? DANA_LISTS_MEDIA : 0) |
		      (x->structure && structure_cut(x->structure) ? DANA_LACKS_STRUCTURE : 0);
	if (x->method->media)
		text->media = x->method->media(x->state, &text->n_media);
	return DANA_OK;
}

static int view_of(const struct dana_extractor *x, struct slice (*part)(const struct structure *),
		   struct dana_view *view)
{
	const bool made = view && x && x->made && x->structure;
	const struct slice s = made ? part(x->structure) : slice_of(NULL, 0);
	if (view)
		*view = (struct dana_view){ (const char *)s.data, s.len };
	return made ? DANA_OK : DANA_ESTATE;
}

int dana_markdown(const struct dana_extractor *x, struct dana_view *markdown)
{
	return view_of(x, structure_markdown, markdown);
}

void dana_page_alone(struct dana_extractor *x)
{
	if (x->structure)
		structure_alone(x->structure);
}

bool dana_has_facts(const struct dana_extractor *x)
{
	return x->made && x->structure && structure_has_facts(x->structure);
}

int dana_set_facts(struct dana_extractor *x, const struct head_facts *facts)
{
	return structure_facts(x->structure, facts);
}

int dana_structure_json(const struct dana_extractor *x, struct dana_view *blocks)
{
	return view_of(x, structure_blocks, blocks);
}

const struct dana_structure_block *dana_structure(const struct dana_extractor *x, size_t *count)
{
	const struct dana_structure_block *blocks = NULL;
	if (!count)
		return NULL;
	*count = 0;
	if (x && x->made && x->structure)
		(void)structure_list(x->structure, &blocks, count);
	return blocks;
}

int dana_comments(const struct dana_extractor *x, struct dana_view *comments)
{
	const bool made = comments && x && x->made && x->comments;
	if (comments)
		*comments = (struct dana_view){ made ? x->comments_text.data : NULL, made ? x->comments_text.len : 0 };
	return made ? DANA_OK : DANA_ESTATE;
}

const char *dana_page_kind(const struct dana_extractor *x)
{
	return x && x->made && x->form == FORM_HTML && x->method->page_kind ? x->method->page_kind(x->state) : NULL;
}

struct page_decision dana_page_decision(const struct dana_extractor *x)
{
	struct page_decision d = { 0 };
	if (x->made && x->form == FORM_HTML && x->method->decision)
		x->method->decision(x->state, &d);
	return d;
}

/* The text may have been cut after its blocks were listed; if it was repaired, their places are unknown. */
const struct dana_text_block *dana_blocks(const struct dana_extractor *x, size_t *count)
{
	struct dana_text_block block;
	if (!count)
		return NULL;
	*count = !x || !x->made || x->text.repaired ? 0 : x->blocks.len / sizeof(block);
	for (; *count; (*count)--) {
		memcpy(&block, x->blocks.data + (*count - 1) * sizeof(block), sizeof(block));
		if (block.start + block.len <= x->text.out.len)
			break;
	}
	return *count ? (const struct dana_text_block *)(const void *)x->blocks.data : NULL;
}

void dana_reset(struct dana_extractor *x)
{
	if (!x)
		return;
	if (x->within) {
		(void)misused(x);
		return;
	}
	if (x->tokens)
		html_tokenizer_reset(x->tokens);
	x->method->reset(x->state);
	if (x->structure)
		structure_reset(x->structure);
	x->fed = x->finished = x->made = x->parts_begun = false;
	x->form = FORM_HTML;
	x->comments_text = (struct dana_text){ 0 };
	x->failed = DANA_OK;
	x->work.steps = x->work.bytes = 0;
	x->site.others = 0;
}

void dana_free(struct dana_extractor *x)
{
	if (!x)
		return;
	if (x->within) {
		x->dropped = true; /* by dana_page_url, which runs */
		return;
	}
	if (x->state)
		x->method->destroy(x->state);
	free(x->state);
	html_tokenizer_free(x->tokens);
	text_writer_free(&x->text);
	text_writer_free(&x->title);
	buf_free(&x->blocks);
	buf_free(&x->spans);
	structure_free(x->structure);
	page_parts_free(x->parts);
	dana_free(x->comments);
	buf_free(&x->part_bytes);
	free(x);
}

const char *dana_status_text(int status)
{
	return status_text(status);
}

size_t dana_method_count(void)
{
	size_t n = 0;
	while (method_at(n))
		n++;
	return n;
}

const char *dana_method_name(size_t index)
{
	const struct method *m = method_at(index);
	return m ? m->name : NULL;
}

const char *dana_version(void)
{
	return PACKAGE_VERSION;
}
