/*
 * bench/stages FILE [ROUNDS [METHOD...]]: CPU time of each stage by itself, over the pages of a .warc.gz, everything in
 * memory. In each round every stage runs once, so that what disturbs the machine disturbs all alike; medians are printed:
 * nanoseconds for each byte that the stage takes, and the share of the bare inflate loop of the same file.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bare_inflate.h"
#include "base/buf.h"
#include "charset/convert.h"
#include "codec/codec.h"
#include "extract/dana.h"
#include "html/tokenizer.h"
#include "http/response.h"
#include "pipeline/pump.h"
#include "sink/json_escape.h"
#include "warc/framer.h"

enum { CHUNK = 256 << 10, STEP = 64 << 10, MAX_ROUNDS = 99, MAX_STAGES = 64, UNIT = 1 << 20 };

/* Pieces of one kind, one behind the other: blocks of records, bodies, pages in UTF-8, texts. */
struct pieces {
	struct buf bytes;
	size_t *ends;
	size_t count, room;
};

struct work {
	struct buf file, warc;
	struct pieces blocks, bodies, labels, pages, texts, json;
	struct pieces *into;          /* where sinks put what they hear; NULL: nowhere */
	const char *method;
};

struct stage {
	char name[40];
	void (*run)(struct work *w);
	const char *method;
	const struct buf *input;
	double seconds[MAX_ROUNDS];
};

static void die(const char *what)
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

static void run_inflate(struct work *w)
{
	inflate_file(w, NULL);
}

static void run_pump(struct work *w)
{
	struct pump *p = pump_new(&(struct pump_config){ .next = &collector.records, .limits = &limits, .source_size = UINT64_MAX });
	struct slice rest = buf_slice(&w->file);

	for (; rest.len; rest = slice_skip(rest, CHUNK))
		must(pump_push(p, slice_of(rest.data, rest.len < CHUNK ? rest.len : CHUNK)));
	must(pump_finish(p));
	pump_free(p);
}

static void run_framer(struct work *w)
{
	struct warc_framer *f = warc_framer_new(&collector.records, &limits, false);
	struct slice rest = buf_slice(&w->warc);

	must(warc_framer_plain(f, 0, UINT64_MAX));
	for (; rest.len; rest = slice_skip(rest, STEP))
		must(warc_framer_write(f, slice_of(rest.data, rest.len < STEP ? rest.len : STEP)));
	must(warc_framer_finish(f));
	warc_framer_free(f);
}

static void run_http(struct work *w)
{
	struct http_response *r = http_response_new(&limits, &collector.sink);

	for (size_t i = 0; i < w->blocks.count; i++) {
		http_response_reset(r, false);
		must(http_response_write(r, piece(&w->blocks, i)));
		must(http_response_finish(r));
		if (w->into) {
			piece_end(w->into);
			put(&w->labels, charset_of_content_type(http_response_head(r)->content_type));
			piece_end(&w->labels);
		}
	}
	http_response_free(r);
}

static void run_charset(struct work *w)
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

static void run_tokenizer(struct work *w)
{
	const struct html_handler handler = { .run = hear_run, .tag = hear_tag, .unit = hear_unit };
	struct html_tokenizer *t = html_tokenizer_new(&handler, NULL);

	for (size_t i = 0; i < w->pages.count; i++) {
		html_tokenizer_reset(t);
		must(html_tokenizer_feed(t, piece(&w->pages, i)));
		must(html_tokenizer_finish(t));
	}
	html_tokenizer_free(t);
}

static void run_method(struct work *w)
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

static void run_escape(struct work *w)
{
	struct buf line = { 0 };

	for (size_t i = 0; i < w->texts.count; i++) {
		buf_clear(&line);
		must(json_put_string(&line, piece(&w->texts, i)));
		put(w->into, buf_slice(&line));
	}
	buf_free(&line);
}

static void run_zstd(struct work *w)
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

static double cpu_seconds(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) + 1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(struct stage *s, unsigned rounds)
{
	qsort(s->seconds, rounds, sizeof(s->seconds[0]), compare);
	return s->seconds[rounds / 2];
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

/* What each stage takes is what the one before gives, made once. */
static void prepare(struct work *w)
{
	inflate_file(w, take_warc);
	w->into = &w->blocks, run_framer(w);
	w->into = &w->bodies, run_http(w);
	w->into = &w->pages, run_charset(w);
	w->into = &w->texts, run_method(w);
	w->into = &w->json, run_escape(w);
	w->into = NULL;
}

int main(int argc, char **argv)
{
	static struct work w;
	static struct stage stages[MAX_STAGES] = {
		{ "inflate", run_inflate, NULL, &w.warc, { 0 } }, { "pump (codec, framer)", run_pump, NULL, &w.warc, { 0 } },
		{ "framer", run_framer, NULL, &w.warc, { 0 } }, { "http", run_http, NULL, &w.blocks.bytes, { 0 } },
		{ "charset", run_charset, NULL, &w.bodies.bytes, { 0 } }, { "tokeniser", run_tokenizer, NULL, &w.pages.bytes, { 0 } },
		{ "json escape", run_escape, NULL, &w.texts.bytes, { 0 } }, { "zstd:1", run_zstd, NULL, &w.json.bytes, { 0 } },
	};
	unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 5;
	size_t n = 8, methods = argc > 3 ? (size_t)argc - 3 : dana_method_count();

	if (argc < 2 || rounds == 0 || rounds > MAX_ROUNDS || methods > MAX_STAGES - n)
		die("usage: stages FILE.warc.gz [ROUNDS [METHOD...]]");
	for (size_t i = 0; i < methods; i++, n++) {
		stages[n] = (struct stage){ .run = run_method, .input = &w.pages.bytes };
		stages[n].method = argc > 3 ? argv[i + 3] : dana_method_name(i);
		snprintf(stages[n].name, sizeof(stages[n].name), "-m %s", stages[n].method);
	}
	collector = (struct collector){ { &collect_ops }, { &record_ops }, &w };
	load(&w, argv[1]);
	prepare(&w);
	for (unsigned round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			double from = cpu_seconds();

			w.method = stages[i].method;
			stages[i].run(&w);
			stages[i].seconds[round] = cpu_seconds() - from;
		}
	double inflate = median(&stages[0], rounds);

	printf("%zu pages; medians of %u rounds, CPU time\n%-22s %9s %9s %13s\n", w.pages.count, rounds, "stage", "MB in", "ns/byte",
	       "x inflate");
	for (size_t i = 0; i < n; i++) {
		double seconds = median(&stages[i], rounds);
		double bytes = (double)stages[i].input->len;

		printf("%-22s %9.1f %9.3f %13.3f\n", stages[i].name, bytes / 1e6, bytes > 0 ? seconds * 1e9 / bytes : 0, seconds / inflate);
	}
	return 0;
}
