/* SPDX-License-Identifier: MIT */
/* dana/archive.h: the same documents however bytes come, its errors, its outcomes, one page. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "dana/archive.h"
#include "support/unit.h"

#define PAGE(n) \
	"<html><head><title>Title " n "</title></head><body><ul><li><a href=/>Home</a><li><a href=/a>About</a></ul>" \
	"<p>Paragraph " n " says something at some length, so that its text outweighs the markup around it by far, " \
	"as it does on pages that people read.<p>So does the second one, which is about as long as the first and " \
	"has no links in it either, only words and a full stop.</body></html>"

enum { RECORDS = 9 };

static struct buf archive;

static void record(const char *n, const char *type, const char *status, const char *body)
{
	AUTO_BUF block = { 0 };
	assert_ok(buf_printf(&block, "HTTP/1.1 %s\r\nContent-Type: text/html\r\n\r\n%s", status, body));
	assert_ok(buf_printf(&archive,
			     "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%s>\r\n"
			     "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: http://example.org/%s\r\n"
			     "Content-Type: application/http\r\nContent-Length: %zu\r\n\r\n%.*s\r\n\r\n",
			     type, n, n, block.len, (int)block.len, (const char *)block.data));
}

static int make_archive(void **state)
{
	(void)state;
	for (int i = 0; i < RECORDS / 3; i++) {
		record("a", "response", "200 OK", PAGE("a"));
		record("b", "response", "404 Not Found", PAGE("b"));
		record("c", "request", "200 OK", "");
	}
	return 0;
}

static int free_archive(void **state)
{
	(void)state;
	buf_free(&archive);
	return 0;
}

/* ---- runs ---- */

static void note(void *arg, const struct dana_outcome *o)
{
	assert_ok(buf_printf(arg, "%d %s %llu %.*s\n", o->kind, o->reason ? o->reason : "-",
			     (unsigned long long)o->offset, (int)o->detail.len, o->detail.len ? o->detail.data : ""));
}

static void take(struct dana_archive *a, struct buf *lines)
{
	struct dana_view line;
	assert_ok(dana_archive_line(a, &line));
	assert_ok(buf_append(lines, line.data, line.len));
}

/* Pushes the archive in pieces, and appends its documents. Returns the counters' JSON, appended too. */
static void run(const struct dana_archive_options *given, size_t piece, struct buf *lines)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	struct dana_view counts;
	size_t at = 0;
	int answer = DANA_ARCHIVE_HUNGRY;
	assert_ok(dana_archive_new(&a, given));
	while (answer == DANA_ARCHIVE_HUNGRY || answer == DANA_ARCHIVE_SEEK) {
		if (answer == DANA_ARCHIVE_SEEK)
			at = (size_t)dana_archive_seek_to(a);
		const size_t n = archive.len - at < piece ? archive.len - at : piece;
		assert_int_equal(n ? dana_archive_push(a, archive.data + at, n) : dana_archive_end(a), DANA_SUCCESS);
		at += n;
		while ((answer = dana_archive_next(a, &doc)) == DANA_ARCHIVE_DOCUMENT)
			take(a, lines);
	}
	assert_int_equal(answer, DANA_ARCHIVE_OVER);
	assert_ok(dana_archive_counts(a, &counts));
	if (!given->begin && !given->end)
		assert_ok(buf_append(lines, counts.data, counts.len));
	dana_archive_free(a);
}

/* In pieces of any size, too. Whole, the lines end with a zero. */
static void run_in_pieces(const struct dana_archive_options *options, struct buf *whole)
{
	run(options, archive.len, whole);
	for (size_t piece = 1; piece < 700; piece += 1 + piece * 2) {
		AUTO_BUF cut = { 0 };
		run(options, piece, &cut);
		assert_int_equal(cut.len, whole->len);
		assert_memory_equal(cut.data, whole->data, cut.len);
	}
	assert_ok(buf_append_byte(whole, 0));
}

TEST(bytes_in_any_pieces_give_the_same)
{
	AUTO_BUF whole = { 0 }, outcomes = { 0 };
	const struct dana_archive_options options = { .struct_size = sizeof(options),
						      .outcome = note,
						      .outcome_arg = &outcomes };
	run(&options, archive.len, &whole);
	const size_t noted = outcomes.len;
	buf_clear(&whole);
	run_in_pieces(&options, &whole);
	for (size_t at = noted; at < outcomes.len; at += noted)
		assert_memory_equal(outcomes.data, outcomes.data + at, noted);
	assert_int_equal(outcomes.len % noted, 0);
	assert_non_null(strstr((const char *)whole.data, "Paragraph a says"));
	assert_null(strstr((const char *)whole.data, "Paragraph b says"));
	assert_non_null(strstr((const char *)whole.data, "\"skipped\":{\"type\":3,\"status\":3}"));
}

TEST(ranges_join_to_the_whole)
{
	struct dana_archive_options options = { .struct_size = sizeof(options), .size = archive.len };
	AUTO_BUF whole = { 0 };
	options.end = archive.len;
	run(&options, 100, &whole);
	for (size_t cut = 1; cut < archive.len; cut += 97) {
		AUTO_BUF parts = { 0 };
		options.begin = 0;
		options.end = cut;
		run(&options, 100, &parts);
		options.begin = cut;
		options.end = archive.len;
		run(&options, 100, &parts);
		assert_int_equal(parts.len, whole.len);
		assert_memory_equal(parts.data, whole.data, parts.len);
	}
}

/* ---- readers ---- */

struct input {
	size_t at, fails_at;
	bool closed;
};

static int64_t input_read(void *arg, void *bytes, size_t size)
{
	struct input *in = arg;
	const size_t left = archive.len - in->at, n = left < 10 ? left : size < 10 ? size : 10;
	if (in->at >= in->fails_at)
		return -1;
	memcpy(bytes, archive.data + in->at, n);
	in->at += n;
	return (int64_t)n;
}

static void input_close(void *arg)
{
	((struct input *)arg)->closed = true;
}

TEST(a_reader_is_read_and_closed)
{
	struct input input = { .fails_at = SIZE_MAX };
	const struct dana_reader reader = { .arg = &input, .read = input_read, .close = input_close };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	int n = 0;
	assert_ok(dana_archive_open(&a, &reader, NULL));
	while (dana_archive_read(a, &doc) == DANA_ARCHIVE_DOCUMENT) {
		assert_int_equal(doc.http_status, 200);
		assert_true(doc.length != UINT64_MAX && doc.language_score < 0);
		assert_memory_equal(doc.title.data, "Title a", doc.title.len);
		n++;
	}
	assert_int_equal(n, RECORDS / 3);
	dana_archive_free(a);
	assert_true(input.closed);
	input = (struct input){ .fails_at = 50 };
	assert_ok(dana_archive_open(&a, &reader, NULL));
	assert_int_equal(dana_archive_read(a, &doc), DANA_CANNOT_READ);
	assert_true(strlen(dana_archive_error(a)) > 0);
	dana_archive_free(a);
	assert_int_equal(dana_archive_open_path(&a, "/does/not/exist", NULL), DANA_CANNOT_READ);
}

/* A zip is not looked into; the outcome names what does. */
TEST(a_zip_is_an_outcome)
{
	static const char zip[] = "PK\3\4 and so on, archive/a.warc";
	char name[] = "test_library.XXXXXX";
	AUTO_BUF outcomes = { 0 };
	const struct dana_archive_options options = { .struct_size = sizeof(options),
						      .outcome = note,
						      .outcome_arg = &outcomes };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	const int fd = mkstemp(name);
	assert_true(fd >= 0 && write(fd, zip, sizeof(zip)) == (ssize_t)sizeof(zip));
	assert_ok(close(fd));
	assert_ok(dana_archive_open_path(&a, name, &options));
	assert_int_equal(dana_archive_read(a, &doc), DANA_ARCHIVE_OVER);
	assert_non_null(strstr(text_of(&outcomes), "not_an_archive"));
	assert_non_null(strstr(text_of(&outcomes), "a WACZ is, as a file or a URL of dana filter"));
	dana_archive_free(a);
	assert_ok(unlink(name));
}

/* ---- archives in a zip ---- */

struct zip_bytes {
	struct buf bytes, names;
	bool fails, refuses;
};

static int64_t read_zip_bytes(void *arg, uint64_t offset, void *bytes, size_t len)
{
	const struct zip_bytes *z = arg;
	const struct slice rest = slice_first(
		slice_skip(buf_slice(&z->bytes), offset < z->bytes.len ? (size_t)offset : z->bytes.len), len);
	memcpy(bytes, rest.data, rest.len);
	return z->fails ? -1 : (int64_t)rest.len;
}

static int take_zip_entry(void *arg, const struct dana_zip_entry *e)
{
	struct zip_bytes *z = arg;
	assert_ok(buf_printf(&z->names, "%s %s%d %llu%s%s|", e->name, e->zip ? e->zip->name : "", e->deflated,
			     (unsigned long long)e->size, e->fault ? " " : "", e->fault ? e->fault : ""));
	return z->refuses;
}

static int list_zip(struct zip_bytes *z, char *why, size_t size)
{
	const struct dana_zip zip = { .struct_size = sizeof(zip),
				      .read = read_zip_bytes,
				      .entry = take_zip_entry,
				      .arg = z,
				      .size = z->bytes.len,
				      .error = why,
				      .error_size = size };
	buf_clear(&z->names);
	return dana_zip_read(&zip);
}

/* `name`: a seed of the fuzz target, whose first byte is not the zip's. */
static void load_zip(struct zip_bytes *z, const char *name)
{
	char path[512];
	uint8_t bytes[4096];
	(void)snprintf(path, sizeof(path), "tests/fuzz/zip.in/%s", name); /* in the build folder (seeds.sh) */
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	const size_t n = fread(bytes, 1, sizeof(bytes), file);
	assert_true(n > 1 && n < sizeof(bytes));
	buf_clear(&z->bytes);
	assert_ok(buf_append(&z->bytes, bytes + 1, n - 1));
	assert_int_equal(fclose(file), 0);
}

TEST(the_archives_of_a_zip_are_listed)
{
	struct zip_bytes z = { 0 };
	char why[256] = "";
	load_zip(&z, "multi_deflated");
	assert_int_equal(list_zip(&z, why, sizeof(why)), DANA_ZIP_READ);
	assert_string_equal(text_of(&z.names), "x.wacz/archive/a.warc x.wacz0 33|x.wacz/archive/b.warc.gz x.wacz1 99|"
					       "y.wacz/archive/a.warc y.wacz0 33|y.wacz/archive/b.warc.gz y.wacz1 99|");
	assert_string_equal(why, "");
	z.refuses = true;
	assert_int_equal(list_zip(&z, why, sizeof(why)), DANA_CANNOT_READ);
	assert_string_equal(text_of(&z.names), "x.wacz/archive/a.warc x.wacz0 33|");
	z.refuses = false;
	z.fails = true;
	assert_int_equal(list_zip(&z, why, sizeof(why)), DANA_CANNOT_READ);
	z.fails = false;
	z.bytes.len--;
	assert_int_equal(list_zip(&z, why, sizeof(why)), DANA_ZIP_DAMAGED);
	assert_string_equal(why, "zip: it is damaged or cut off: it has no end of a directory");
	z.bytes.data[0] = 'Q';
	assert_int_equal(list_zip(&z, NULL, 0), DANA_ZIP_DAMAGED); /* its first byte is not asked for */
	z.bytes.data[1] = 'Q';
	assert_int_equal(list_zip(&z, NULL, 0), DANA_ZIP_NONE);
	assert_int_equal(dana_zip_read(NULL), DANA_WRONG_ORDER);
	assert_int_equal(dana_zip_read(&(struct dana_zip){ .struct_size = sizeof(struct dana_zip) }), DANA_WRONG_ORDER);
	buf_free(&z.bytes);
	buf_free(&z.names);
}

TEST(an_input_that_is_not_what_its_container_says_ends_damaged)
{
	AUTO_BUF outcomes = { 0 };
	struct dana_archive_options options = { .struct_size = sizeof(options),
						.outcome = note,
						.outcome_arg = &outcomes };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive *a;
	unsigned documents = 0;
	assert_ok(dana_archive_new(&a, &options));
	assert_ok(dana_archive_push(a, archive.data, archive.len));
	while (dana_archive_next(a, &doc) == DANA_ARCHIVE_DOCUMENT)
		documents++;
	char why[] = "zip: its checksum is wrong";
	assert_ok(dana_archive_damaged(a, why));
	memset(why, 'x', sizeof(why) - 1); /* it is copied */
	while (dana_archive_next(a, &doc) == DANA_ARCHIVE_DOCUMENT)
		documents++;
	assert_int_equal(documents, RECORDS / 3);
	assert_non_null(strstr(text_of(&outcomes), "2 bad_member 0 zip: its checksum is wrong\n"));
	assert_int_equal(dana_archive_damaged(a, NULL), DANA_WRONG_ORDER);
	assert_int_equal(dana_archive_damaged(NULL, why), DANA_WRONG_ORDER);
	dana_archive_free(a);
}

/* ---- errors ---- */

static void refused(struct dana_archive_options options, const char *words)
{
	char why[256] = "";
	struct dana_archive *a;
	options.struct_size = sizeof(options);
	options.error = why;
	options.error_size = sizeof(why);
	assert_int_equal(dana_archive_new(&a, &options), DANA_BAD_OPTION);
	assert_null(a);
	assert_non_null(strstr(why, words));
}

#define REFUSED(words, ...) refused((struct dana_archive_options){ __VA_ARGS__ }, words)

TEST(bad_options_are_named)
{
	REFUSED("method nothing", .method = "nothing");
	REFUSED("schema 'nothing'", .schema = "nothing");
	REFUSED("--status", .statuses = "2x");
	REFUSED("range", .begin = 5, .end = 5);
	REFUSED("DANA_NO_DIGEST", .flags = DANA_NO_DIGEST | DANA_REQUIRE_DIGEST);
	const char *unknown = "no-such-plugin", *bad = "pii:nothing=1";
	REFUSED("no-such-plugin", .plugins = &unknown, .n_plugins = 1, .plugin_folder = "/nowhere");
	REFUSED("nothing", .plugins = &bad, .n_plugins = 1);
	const char *same = DANA_DEFAULT_METHOD;
	REFUSED("given twice", .more_methods = &same, .n_more_methods = 1);
	REFUSED("no-such-plugin", .more_methods = &unknown, .n_more_methods = 1);
}

/* ---- misuse ---- */

enum call { PUSH, END, NEXT, READ, BATCH, EXPORT, FREE, CALLS };

/* Where a callback misuses what calls it. */
enum place { IN_OUTCOME, IN_READ, IN_SEEK, IN_CLOSE, IN_READ_FILE };

enum { FAR = 3 << 20 }; /* a range from there on is sought for */

struct misuse {
	struct dana_archive *a;
	enum place place;
	enum call call;
	unsigned after, came; /* on the first visit after so many, it happens */
	int status;
	size_t at;
};

static int call_now(struct dana_archive *a, enum call call)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct ArrowArrayStream stream;
	struct ArrowArray batch;
	switch (call) {
	case PUSH:
		return dana_archive_push(a, archive.data, archive.len);
	case END:
		return dana_archive_end(a);
	case NEXT:
		return dana_archive_next(a, &doc);
	case READ:
		return dana_archive_read(a, &doc);
	case BATCH:
		return dana_archive_batch(a, &batch);
	case EXPORT:
		return dana_archive_export(a, &stream);
	default:
		dana_archive_free(a);
		return DANA_WRONG_ORDER;
	}
}

/* What may be called anywhere and at any time. */
static void ask(struct dana_archive *a)
{
	struct dana_view view;
	char place[DANA_PLACE_SIZE];
	struct ArrowSchema schema;
	assert_ok(dana_archive_counts(a, &view));
	assert_ok(dana_archive_rejects(a, &view));
	assert_ok(dana_archive_line(a, &view));
	assert_ok(dana_archive_place(a, place, sizeof(place)));
	assert_ok(dana_archive_schema(a, &schema));
	schema.release(&schema);
	(void)dana_archive_seek_to(a);
	assert_non_null(dana_archive_error(a));
}

static void visit(struct misuse *m, enum place place)
{
	if (m->a && place == m->place && m->came++ == m->after) {
		ask(m->a);
		m->status = call_now(m->a, m->call);
	}
}

static void misuse_outcome(void *arg, const struct dana_outcome *outcome)
{
	(void)outcome;
	visit(arg, IN_OUTCOME);
}

static int64_t misuse_read(void *arg, void *bytes, size_t size)
{
	struct misuse *m = arg;
	const size_t left = archive.len > m->at ? archive.len - m->at : 0, n = left < size ? left : size;
	visit(m, IN_READ);
	memcpy(bytes, archive.data + m->at, n);
	m->at += n;
	return (int64_t)n;
}

static int misuse_seek(void *arg, uint64_t offset)
{
	struct misuse *m = arg;
	visit(m, IN_SEEK);
	m->at = (size_t)offset;
	return 0;
}

static void misuse_close(void *arg)
{
	visit(arg, IN_CLOSE);
}

static int misuse_read_file(void *arg, const char *name, char **data, size_t *len)
{
	(void)name;
	(void)data;
	(void)len;
	visit(arg, IN_READ_FILE);
	return 1;
}

/* Takes all documents by pushing (0), by reading (1), or as a stream (2). Returns the last answer. */
static int use(struct misuse *m, int way)
{
	const struct dana_archive_options options = { .struct_size = sizeof(options),
						      .method = "mountain:site-models=sites",
						      .begin = m->place == IN_SEEK ? FAR : 0,
						      .outcome = misuse_outcome,
						      .outcome_arg = m,
						      .read_file = misuse_read_file,
						      .read_arg = m };
	const struct dana_reader reader = { m, misuse_read, misuse_seek, misuse_close, 2 * FAR };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct ArrowArrayStream stream;
	struct ArrowArray batch = { 0 };
	int answer = way ? dana_archive_open(&m->a, &reader, &options) : dana_archive_new(&m->a, &options);
	assert_int_equal(answer, DANA_SUCCESS);
	if (way == 0) {
		answer = dana_archive_push(m->a, archive.data, archive.len);
		while (answer == DANA_SUCCESS && (answer = dana_archive_next(m->a, &doc)) == DANA_ARCHIVE_DOCUMENT)
			answer = DANA_SUCCESS;
		if (answer == DANA_ARCHIVE_HUNGRY)
			answer = dana_archive_end(m->a);
		while (answer >= 0 && answer != DANA_ARCHIVE_OVER)
			answer = dana_archive_next(m->a, &doc);
		return answer;
	}
	if (way == 1) {
		while ((answer = dana_archive_read(m->a, &doc)) == DANA_ARCHIVE_DOCUMENT)
			;
		return answer;
	}
	assert_ok(dana_archive_export(m->a, &stream));
	answer = stream.get_next(&stream, &batch);
	if (batch.release)
		batch.release(&batch);
	if (m->call == FREE && m->place != IN_CLOSE) /* a stream owns the archive */
		assert_int_equal(answer, 0);
	else if (m->place != IN_CLOSE)
		assert_non_null(stream.get_last_error(&stream));
	stream.release(&stream);
	return answer ? DANA_WRONG_ORDER : DANA_ARCHIVE_OVER;
}

TEST(an_archive_is_not_moved_on_by_what_it_calls)
{
	static const enum place places[] = { IN_OUTCOME, IN_READ, IN_SEEK, IN_READ_FILE };
	for (size_t i = 0; i < 4 * 3 * CALLS * 3; i++) {
		struct misuse m = { .place = places[i % 4],
				    .call = (enum call)(i / 4 % CALLS),
				    .after = (unsigned)(i / 4 / CALLS % 3) };
		const int way = (int)(i / 4 / CALLS / 3);
		if ((way == 0 && (m.place == IN_READ || m.place == IN_SEEK)) ||
		    ((m.place == IN_SEEK || m.place == IN_READ_FILE) && m.after) || (m.place == IN_READ && m.after > 1))
			continue;
		const int answer = use(&m, way);
		if (m.came <= m.after)
			fail_msg("place %d, call %d, after %u, way %d: it did not come", m.place, m.call, m.after, way);
		assert_int_equal(m.status, DANA_WRONG_ORDER);
		if (m.call == FREE && way == 2)
			continue;
		assert_int_equal(answer, DANA_WRONG_ORDER);
		if (way == 2 || m.call == FREE)
			continue;
		assert_non_null(strstr(dana_archive_error(m.a), "a callback"));
		for (int call = PUSH; call < FREE; call++)
			assert_int_equal(call_now(m.a, (enum call)call), DANA_WRONG_ORDER);
		ask(m.a);
		dana_archive_free(m.a);
	}
}

TEST(an_archive_that_is_closed_can_still_be_asked)
{
	for (int call = PUSH; call < CALLS; call++) {
		for (int way = 1; way <= 2; way++) {
			struct misuse m = { .place = IN_CLOSE, .call = (enum call)call };
			assert_int_equal(use(&m, way), DANA_ARCHIVE_OVER);
			if (way == 1)
				dana_archive_free(m.a);
			assert_int_equal(m.came, 1);
			assert_int_equal(m.status, DANA_WRONG_ORDER);
		}
	}
}

/* Each call on an archive of each kind, at the wrong time; afterwards each call fails, and nothing is lost. */
TEST(calls_at_the_wrong_time_are_refused)
{
	static const struct {
		bool reads; /* made by dana_archive_open */
		bool over;  /* all documents were taken */
		enum call first, wrong;
	} cases[] = {
		{ false, false, CALLS, READ }, { false, false, CALLS, EXPORT }, { false, true, CALLS, PUSH },
		{ false, true, CALLS, END },   { false, true, CALLS, READ },    { false, false, PUSH, PUSH },
		{ false, false, PUSH, END },   { false, false, END, END },      { false, false, END, PUSH },
		{ true, false, CALLS, PUSH },  { true, false, CALLS, END },     { true, false, READ, PUSH },
		{ true, true, CALLS, PUSH },   { true, true, CALLS, END },      { true, false, READ, END },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct misuse m = { .place = IN_OUTCOME, .after = 1000 };
		if (cases[i].over) {
			assert_int_equal(use(&m, cases[i].reads), DANA_ARCHIVE_OVER);
		} else {
			const struct dana_reader reader = { .arg = &m, .read = misuse_read };
			assert_int_equal(cases[i].reads ? dana_archive_open(&m.a, &reader, NULL)
							: dana_archive_new(&m.a, NULL),
					 DANA_SUCCESS);
		}
		if (cases[i].first != CALLS)
			assert_true(call_now(m.a, cases[i].first) >= 0);
		assert_int_equal(call_now(m.a, cases[i].wrong), DANA_WRONG_ORDER);
		assert_true(strlen(dana_archive_error(m.a)) > 0);
		for (int call = PUSH; call < FREE; call++)
			assert_int_equal(call_now(m.a, (enum call)call), DANA_WRONG_ORDER);
		ask(m.a);
		dana_archive_free(m.a);
	}
}

TEST(an_archive_becomes_one_stream)
{
	struct misuse m = { .place = IN_OUTCOME, .after = 1000 };
	const struct dana_reader reader = { m.a, misuse_read, NULL, NULL, 0 };
	struct ArrowArrayStream stream, second;
	struct dana_reader with_arg = reader;
	with_arg.arg = &m;
	assert_ok(dana_archive_open(&m.a, &with_arg, NULL));
	assert_ok(dana_archive_export(m.a, &stream));
	assert_int_equal(dana_archive_export(m.a, &second), DANA_WRONG_ORDER);
	dana_archive_free(m.a); /* the stream's */
	ask(m.a);
	stream.release(&stream);
}

/* All of these calls answer that. */
static void all_refused(const int *answers, size_t n)
{
	while (n--)
		assert_int_equal(answers[n], DANA_WRONG_ORDER);
}

#define REFUSES(...) \
	do { \
		const int answers[] = { __VA_ARGS__ }; \
		all_refused(answers, sizeof(answers) / sizeof(*answers)); \
	} while (0)

TEST(null_is_refused)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	const struct dana_reader none = { .close = input_close, .arg = &(struct input){ 0 } };
	char why[64] = "?", place[DANA_PLACE_SIZE];
	const char *const null[] = { "pii", NULL };
	struct dana_archive_options options = { .struct_size = sizeof(options),
						.error = why,
						.error_size = sizeof(why) };
	struct dana_archive *a;
	struct dana_view view;
	struct ArrowSchema schema;
	REFUSES(dana_archive_new(NULL, &options));
	assert_non_null(strstr(why, "NULL"));
	REFUSES(dana_archive_open(&a, NULL, &options));
	assert_non_null(strstr(why, "read"));
	assert_null(a);
	REFUSES(dana_archive_open(&a, &none, NULL));
	assert_true(((struct input *)none.arg)->closed);
	REFUSES(dana_archive_open_path(&a, NULL, &options), dana_archive_open_path(NULL, "/dev/null", NULL));
	REFUSED("NULL", .plugins = null, .n_plugins = 2);
	REFUSED("NULL", .plugins = NULL, .n_plugins = 1);
	REFUSED("NULL", .more_methods = null + 1, .n_more_methods = 1);
	for (int call = PUSH; call < CALLS; call++)
		REFUSES(call_now(NULL, (enum call)call), dana_archive_counts(NULL, &view),
			dana_archive_rejects(NULL, &view), dana_archive_line(NULL, &view),
			dana_archive_place(NULL, place, sizeof(place)), dana_archive_schema(NULL, &schema));
	assert_int_equal(dana_archive_seek_to(NULL), 0);
	assert_string_equal(dana_archive_error(NULL), "");
	for (int i = 0; i < 4; i++) {
		assert_ok(dana_archive_new(&a, NULL));
		assert_ok(dana_archive_push(a, NULL, 0));
		REFUSES(dana_archive_counts(a, NULL), dana_archive_rejects(a, NULL), dana_archive_line(a, NULL),
			dana_archive_place(a, NULL, sizeof(place)), dana_archive_schema(a, NULL));
		assert_string_equal(dana_archive_error(a), ""); /* what only asks ends nothing */
		REFUSES(i == 0   ? dana_archive_push(a, NULL, 1)
			: i == 1 ? dana_archive_next(a, NULL)
			: i == 2 ? dana_archive_batch(a, NULL)
				 : dana_archive_export(a, NULL));
		assert_non_null(strstr(dana_archive_error(a), "NULL"));
		REFUSES(dana_archive_next(a, &doc));
		dana_archive_free(a);
	}
}

struct page_misuse {
	struct dana_page_reader *p;
	int call, status;
};

static int page_read_file(void *arg, const char *name, char **data, size_t *len)
{
	struct page_misuse *m = arg;
	struct dana_document doc = { .struct_size = sizeof(doc) };
	const struct ArrowSchema schema = { .format = "z" };
	const struct ArrowArray pages = { 0 };
	struct ArrowArray out;
	(void)name;
	(void)data;
	(void)len;
	m->status = DANA_WRONG_ORDER;
	if (m->call == 0)
		m->status = dana_page_read(m->p, NULL, "<p>x", 4, &doc);
	else if (m->call == 1)
		m->status = dana_page_column(m->p, NULL, &schema, &pages, &out);
	else if (m->call == 2)
		dana_page_reader_free(m->p);
	return 1;
}

static int read_of_site(struct page_misuse *m, bool column)
{
	static const int32_t ends[] = { 0, 4, 8 };
	const void *buffers[] = { NULL, ends, "<p>x<p>y" };
	const struct dana_page_source source = { .url = { "http://h.example/", 17 } };
	const struct ArrowSchema schema = { .format = "z" };
	const struct ArrowArray pages = { .length = 2, .n_buffers = 3, .buffers = buffers };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct ArrowArray out;
	if (!column)
		return dana_page_read(m->p, &source, "<p>x", 4, &doc);
	const int status = dana_page_column(m->p, &source, &schema, &pages, &out);
	if (status == DANA_SUCCESS)
		out.release(&out);
	return status;
}

TEST(a_page_reader_is_not_used_by_what_it_calls)
{
	struct page_misuse m;
	const struct dana_page_options options = { .struct_size = sizeof(options),
						   .method = "mountain:site-models=sites",
						   .read_file = page_read_file,
						   .read_arg = &m };
	for (int i = 0; i < 8; i++) {
		m = (struct page_misuse){ .call = i / 2 };
		assert_ok(dana_page_reader_new(&m.p, &options));
		const int status = read_of_site(&m, i % 2);
		REFUSES(m.status);
		assert_int_equal(status, m.call < 3 ? DANA_WRONG_ORDER : DANA_SUCCESS);
		if (m.call == 2)
			continue;
		assert_true(m.call == 3 || strstr(dana_page_error(m.p), "a callback"));
		m.call = 3; /* the next page can be read */
		assert_ok(read_of_site(&m, i % 2));
		dana_page_reader_free(m.p);
	}
}

/* Plugins of pages: what they add, a page that one drops, and plugins that cannot be. */
TEST(pages_take_plugins)
{
	static const char page[] = "<title>T</title><meta name=author content='A. B.'><p>Words for a@example.com here.";
	const char *const good[] = { "pii", "metadata" }, *const drops[] = { "url:substring=example" };
	const char *const bad[][1] = { { "nix" }, { "pii:x=1" }, { "dedup-near:signatures=/nowhere" }, { NULL } };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	const struct dana_page_source source = { .url = { "http://example.org/", 19 } };
	struct dana_page_options options = { .struct_size = sizeof(options), .plugins = good, .n_plugins = 2 };
	struct dana_page_reader *p;
	char why[200] = "";
	assert_ok(dana_page_reader_new(&p, &options));
	for (int i = 0; i < 3; i++) {
		assert_ok(dana_page_read(p, &source, page, sizeof(page) - 1, &doc));
		assert_non_null(memmem(doc.text.data, doc.text.len, "email@", 6));
		assert_non_null(memmem(doc.additions.data, doc.additions.len, ",\"pii\":{\"emails\":1", 18));
		assert_non_null(memmem(doc.additions.data, doc.additions.len, "\"author\":\"A. B.\"", 16));
	}
	dana_page_reader_free(p);
	options.plugins = drops, options.n_plugins = 1;
	assert_ok(dana_page_reader_new(&p, &options));
	for (int i = 0; i < 3; i++) {
		assert_int_equal(dana_page_read(p, &source, page, sizeof(page) - 1, &doc), DANA_PAGE_DROPPED);
		assert_string_equal(dana_page_error(p), "plugin:url: substring");
		assert_ok(dana_page_read(p, NULL, page, sizeof(page) - 1, &doc));
	}
	dana_page_reader_free(p);
	options.error = why, options.error_size = sizeof(why);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		options.plugins = bad[i];
		why[0] = 0;
		assert_int_equal(dana_page_reader_new(&p, &options), DANA_BAD_OPTION);
		assert_null(p);
		assert_true(*why);
	}
}

TEST(pages_that_are_null_are_refused)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	const char *const null[] = { NULL };
	const struct dana_page_options bad = { .struct_size = sizeof(bad), .more_methods = null, .n_more_methods = 1 };
	const struct ArrowSchema released = { 0 }, schema = { .format = "z" };
	const struct ArrowArray pages = { 0 };
	struct ArrowSchema columns;
	struct ArrowArray out;
	struct dana_page_reader *p;
	REFUSES(dana_page_reader_new(NULL, NULL));
	assert_int_equal(dana_page_reader_new(&p, &bad), DANA_BAD_OPTION);
	REFUSES(dana_page_read(NULL, NULL, "x", 1, &doc), dana_page_column(NULL, NULL, &schema, &pages, &out),
		dana_page_column_schema(NULL, &columns));
	assert_string_equal(dana_page_error(NULL), "");
	assert_ok(dana_page_reader_new(&p, NULL));
	REFUSES(dana_page_read(p, NULL, NULL, 1, &doc), dana_page_read(p, NULL, "x", 1, NULL));
	assert_non_null(strstr(dana_page_error(p), "NULL"));
	REFUSES(dana_page_column(p, NULL, NULL, &pages, &out), dana_page_column(p, NULL, &released, &pages, &out),
		dana_page_column(p, NULL, &schema, NULL, &out), dana_page_column(p, NULL, &schema, &pages, NULL),
		dana_page_column_schema(p, NULL));
	assert_ok(dana_page_read(p, NULL, NULL, 0, &doc));
	assert_ok(dana_page_column(p, NULL, &schema, &pages, &out));
	out.release(&out);
	dana_page_reader_free(p);
}

/* A caller that was built with a shorter struct gets what it knows. */
TEST(an_older_struct_is_filled_as_far_as_it_goes)
{
	struct {
		struct dana_document doc;
		char after[8];
	} d = { .doc = { .struct_size = offsetof(struct dana_document, title) }, .after = "after" };
	struct input input = { .fails_at = SIZE_MAX };
	const struct dana_reader reader = { .arg = &input, .read = input_read };
	struct dana_archive *a;
	d.doc.title.data = "mine";
	assert_ok(dana_archive_open(&a, &reader, NULL));
	assert_int_equal(dana_archive_read(a, &d.doc), DANA_ARCHIVE_DOCUMENT);
	assert_true(d.doc.text.len > 0);
	assert_string_equal(d.doc.title.data, "mine");
	assert_string_equal(d.after, "after");
	dana_archive_free(a);
}

/* ---- several methods ---- */

/* A page has the texts that its methods give alone; those of an archive are the same in every split. */
TEST(texts_of_several_methods)
{
	static const char page[] = PAGE("a");
	char names[2][16] = { "plain", "danag:gap=30" };
	const char *const more[] = { names[0], names[1] };
	const struct dana_page_options options = { .struct_size = sizeof(options),
						   .more_methods = more,
						   .n_more_methods = 2 };
	struct dana_document doc = { .struct_size = sizeof(doc) }, alone = doc;
	struct dana_page_reader *p, *one;
	AUTO_BUF whole = { 0 };
	assert_ok(dana_page_reader_new(&p, &options));
	const struct dana_archive_options run_options = { .struct_size = sizeof(run_options),
							  .more_methods = more,
							  .n_more_methods = 2 };
	run_in_pieces(&run_options, &whole);
	assert_non_null(strstr((const char *)whole.data, ",\"texts\":{\"plain\":\"Home\\nAbout\\nParagraph a says"));
	assert_ok(dana_page_read(p, NULL, page, sizeof(page) - 1, &doc));
	assert_int_equal(doc.n_texts, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct dana_page_options o = { .struct_size = sizeof(o), .method = more[i] };
		assert_ok(dana_page_reader_new(&one, &o));
		assert_ok(dana_page_read(one, NULL, page, sizeof(page) - 1, &alone));
		assert_int_equal(alone.n_texts, 0);
		assert_string_equal(doc.texts[i].method, more[i]);
		assert_int_equal(doc.texts[i].text.len, alone.text.len);
		assert_memory_equal(doc.texts[i].text.data, alone.text.data, alone.text.len);
		dana_page_reader_free(one);
	}
	memset(names, 'x', sizeof(names)); /* they were borrowed for the call alone */
	assert_string_equal(doc.texts[0].method, "plain");
	dana_page_reader_free(p);
}

/* ---- pages ---- */

/* The fields have these characters and this kind of title; each has a name, and none follows the last. */
static void assert_fields(const struct dana_document *doc, uint64_t chars, enum dana_value_kind title)
{
	unsigned n = 0, seen = 0;
	for (const char *name; (name = dana_field_name(n)); n++) {
		const struct dana_value value = dana_document_field(doc, n);
		if (strcmp(name, "text_chars") == 0)
			seen += value.is == DANA_VALUE_COUNT && value.count == chars;
		if (strcmp(name, "title") == 0)
			seen += value.is == title;
		if (strcmp(name, "problems") == 0)
			seen += value.is == DANA_VALUE_MEMBER;
		if (strcmp(name, "markdown") == 0)
			seen += value.is == DANA_VALUE_NONE;
	}
	assert_int_equal(seen, 4);
	assert_true(dana_document_field(doc, n).is == DANA_VALUE_NONE && !dana_field_name(n));
}

TEST(a_page_in_any_charset)
{
	static const char page[] = "<title>Caf\xe9</title>" PAGE("\xe9");
	const struct dana_page_source source = { .url = { "http://example.org/", 19 }, .charset = { "latin1", 6 } };
	const struct dana_page_source unknown = { .charset = { "no-such", 7 } };
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_page_reader *p;
	assert_ok(dana_page_reader_new(&p, NULL));
	for (int i = 0; i < 3; i++) {
		assert_ok(dana_page_read(p, &source, page, sizeof(page) - 1, &doc));
		assert_memory_equal(doc.title.data, "Caf\xc3\xa9", doc.title.len);
		assert_string_equal(doc.charset, "windows-1252");
		assert_true(doc.url.len == 19 && doc.text_chars > 100);
		assert_fields(&doc, doc.text_chars, DANA_VALUE_TEXT);
		assert_int_equal(dana_page_read(p, &unknown, page, sizeof(page) - 1, &doc), DANA_BAD_OPTION);
		assert_int_equal(dana_page_read(p, NULL, "\x89PNG\r\n\x1a\n", 8, &doc), DANA_NOT_A_PAGE);
		assert_non_null(strstr(dana_page_error(p), "picture"));
		assert_ok(dana_page_read(p, NULL, "", 0, &doc));
		assert_int_equal(doc.text.len, 0);
	}
	/* A charset that is given is never doubted; that of a content type is. */
	const struct dana_page_source typed = { .content_type = { "text/html; charset=latin1", 25 } };
	static const char utf8[] = "<title>Caf\xc3\xa9</title>" PAGE("\xc3\xa9");
	assert_ok(dana_page_read(p, &source, utf8, sizeof(utf8) - 1, &doc));
	assert_string_equal(doc.charset, "windows-1252");
	assert_ok(dana_page_read(p, &typed, utf8, sizeof(utf8) - 1, &doc));
	assert_string_equal(doc.charset, "utf-8");
	/* A caller's smaller struct, and one that was never filled, have the fields of a page without text. */
	doc.struct_size = offsetof(struct dana_document, fields);
	assert_fields(&doc, 0, DANA_VALUE_NULL);
	assert_fields(NULL, 0, DANA_VALUE_NULL);
	dana_page_reader_free(p);
	dana_page_reader_free(NULL);
	const struct dana_page_options bad = { .struct_size = sizeof(bad), .method = "nothing" };
	assert_int_equal(dana_page_reader_new(&p, &bad), DANA_BAD_OPTION);
}

GROUP(make_archive, free_archive)
