/* SPDX-License-Identifier: MIT */
#include "stage_runs.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/charset/convert.h"
#include "archive/codec/codec.h"
#include "archive/http/media_type.h"
#include "archive/http/response.h"
#include "archive/pump.h"
#include "archive/warc/framer.h"
#include "bare_inflate.h"
#include "base/json.h"
#include "dana/dana.h"
#include "extract/html/tokenizer.h"

enum { CHUNK = 256 << 10, STEP = 64 << 10, UNIT = 1 << 20 };

void die(const char *what)
{
	fprintf(stderr, "stages: %s\n", what);
	exit(1);
}

static void must(int status)
{
	if (status < 0)
		die("a stage failed");
}

static void piece_end(struct pieces *p)
{
	if (p->count == p->room) {
		p->room = p->room ? p->room * 2 : 1024;
		p->ends = realloc(p->ends, p->room * sizeof(*p->ends));
		if (!p->ends)
			die("out of memory");
	}
	p->ends[p->count++] = p->bytes.len;
}

static struct slice piece(const struct pieces *p, size_t i)
{
	size_t from = i ? p->ends[i - 1] : 0;

	return slice_of(p->bytes.data + from, p->ends[i] - from);
}

static void put(struct pieces *into, struct slice bytes)
{
	if (into)
		must(buf_append(&into->bytes, bytes.data, bytes.len));
}

/* Sinks that collect, or only listen when w->into is NULL. */
struct collector {
	struct byte_sink sink;
	struct record_sink records;
	struct work *work;
};
static struct collector collector;

static int collect(struct byte_sink *self, struct slice bytes)
{
	(void)self;
	put(collector.work->into, bytes);
	return 0;
}

static int collect_finish(struct byte_sink *self)
{
	(void)self;
	return 0;
}

static const struct byte_sink_ops collect_ops = { .name = "collect", .write = collect, .finish = collect_finish };

static int record_begin(struct record_sink *self, const struct record *rec)
{
	(void)self;
	return rec->type == RECORD_RESPONSE ? RECORD_WANTED : RECORD_UNWANTED;
}

static int record_body(struct record_sink *self, struct slice bytes)
{
	(void)self;
	put(collector.work->into, bytes);
	return 0;
}

static int record_over(struct record_sink *self, const struct record_end *end)
{
	struct pieces *into = collector.work->into;

	(void)self;
	if (end->damaged)
		die("a damaged record");
	if (into && into->bytes.len > (into->count ? into->ends[into->count - 1] : 0))
		piece_end(into);
	return 0;
}

static int record_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			 const struct record_end *end)
{
	(void)self, (void)seq, (void)offset, (void)id, (void)uri, (void)end;
	die("a damaged archive");
	return 0;
}

static const struct record_sink_ops record_ops = {
	.name = "collect", .begin = record_begin, .body = record_body, .end = record_over, .damage = record_damage
};

static const struct limits limits = LIMITS_DEFAULT;

static void take_warc(void *arg, struct slice bytes)
{
	must(buf_append(arg, bytes.data, bytes.len));
}

/* In pieces as a program reads them. */
static void inflate_file(struct work *w, void (*take)(void *arg, struct slice bytes))
{
	struct bare_inflate *b = bare_inflate_new(take, &w->warc);
	struct slice rest = buf_slice(&w->file);

	for (; rest.len; rest = slice_skip(rest, CHUNK))
		if (!b || !bare_inflate_feed(b, slice_of(rest.data, rest.len < CHUNK ? rest.len : CHUNK)))
			die("not a gzip file, or damaged");
	bare_inflate_free(b);
}

void run_inflate(struct work *w)
{
	inflate_file(w, NULL);
}

void run_pump(struct work *w)
{
	const struct pump_config config = { .next = &collector.records, .limits = &limits, .source_size = UINT64_MAX };
	struct pump *p = pump_new(&config);
	struct slice rest = buf_slice(&w->file);

	for (; rest.len; rest = slice_skip(rest, CHUNK))
		must(pump_push(p, slice_of(rest.data, rest.len < CHUNK ? rest.len : CHUNK)));
	must(pump_finish(p));
	pump_free(p);
}

void run_framer(struct work *w)
{
	struct warc_framer *f = warc_framer_new(&collector.records, &limits, false);
	struct slice rest = buf_slice(&w->warc);

	must(warc_framer_plain(f, 0, UINT64_MAX));
	for (; rest.len; rest = slice_skip(rest, STEP))
		must(warc_framer_write(f, slice_of(rest.data, rest.len < STEP ? rest.len : STEP)));
	must(warc_framer_finish(f));
	warc_framer_free(f);
}

void run_http(struct work *w)
{
	struct http_response *r = http_response_new(&limits, &collector.sink);

	for (size_t i = 0; i < w->blocks.count; i++) {
		http_response_reset(r, BLOCK_MESSAGE, slice_of(NULL, 0));
		must(http_response_write(r, piece(&w->blocks, i)));
		must(http_response_finish(r));
		if (w->into) {
			piece_end(w->into);
			put(&w->labels, media_type_charset(http_response_head(r)->content_type));
			piece_end(&w->labels);
		}
	}
	http_response_free(r);
}

void run_charset(struct work *w)
{
	struct charset_convert *c = charset_convert_new(&collector.sink);

	for (size_t i = 0; i < w->bodies.count; i++) {
		charset_convert_reset(c, piece(&w->labels, i));
		must(charset_convert_write(c, piece(&w->bodies, i)));
		must(charset_convert_finish(c));
		if (w->into)
			piece_end(w->into);
	}
	charset_convert_free(c);
}

static int hear_run(void *arg, const struct html_run *run)
{
	(void)arg, (void)run;
	return 0;
}

static int hear_tag(void *arg, const struct html_tag_event *event)
{
	(void)arg, (void)event;
	return 0;
}

static int hear_unit(void *arg, const struct html_unit *unit)
{
	(void)arg, (void)unit;
	return 0;
}

void run_tokenizer(struct work *w)
{
	const struct html_handler handler = { .run = hear_run, .tag = hear_tag, .unit = hear_unit };
	struct html_tokenizer *t = html_tokenizer_new(&handler);

	for (size_t i = 0; i < w->pages.count; i++) {
		html_tokenizer_reset(t);
		must(html_tokenizer_feed(t, piece(&w->pages, i)));
		must(html_tokenizer_finish(t));
	}
	html_tokenizer_free(t);
}

void run_method(struct work *w)
{
	struct dana_options options = { .struct_size = sizeof(options), .method = w->method };
	struct dana_extractor *x;
	struct dana_text text;

	must(dana_new(&x, &options));
	for (size_t i = 0; i < w->pages.count; i++) {
		struct slice page = piece(&w->pages, i);

		dana_reset(x);
		must(dana_feed(x, page.data, page.len));
		must(dana_finish(x, &text));
		if (w->into) {
			put(w->into, slice_of(text.data, text.len));
			piece_end(w->into);
		}
	}
	dana_free(x);
}

void run_escape(struct work *w)
{
	struct buf line = { 0 };

	for (size_t i = 0; i < w->texts.count; i++) {
		buf_clear(&line);
		must(json_put_string(&line, piece(&w->texts, i)));
		put(w->into, buf_slice(&line));
	}
	buf_free(&line);
}

void run_zstd(struct work *w)
{
	const struct encoder_ops *ops = encoder_find(slice_from_text("zstd"));
	struct encoder_codec *e = ops->open(1);
	struct slice rest = buf_slice(&w->json.bytes);
	struct buf out = { 0 };

	for (; rest.len; rest = slice_skip(rest, UNIT)) {
		buf_clear(&out);
		must(ops->unit(e, slice_of(rest.data, rest.len < UNIT ? rest.len : UNIT), &out));
	}
	buf_free(&out);
	ops->close(e);
}

static void load(struct work *w, const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t n;

	if (!file)
		die("cannot open the file");
	do {
		must(buf_reserve(&w->file, CHUNK));
		n = fread(w->file.data + w->file.len, 1, CHUNK, file);
		w->file.len += n;
	} while (n);
	fclose(file);
}

void work_prepare(struct work *w, const char *path)
{
	collector = (struct collector){ { &collect_ops }, { &record_ops }, w };
	load(w, path);
	inflate_file(w, take_warc);
	w->into = &w->blocks, run_framer(w);
	w->into = &w->bodies, run_http(w);
	w->into = &w->pages, run_charset(w);
	w->into = &w->texts, run_method(w);
	w->into = &w->json, run_escape(w);
	w->into = NULL;
}
