/* SPDX-License-Identifier: MIT */
/* dana/archive.h: batches hold what documents hold, however they close; who owns them; places; columns of pages. */
#include "base/buf.h"
#include "dana/archive.h"
#include "support/unit.h"

#define SENTENCE "This paragraph says something at some length, so that its text outweighs the markup around it. "

enum { RECORDS = 20 };

static struct buf archive;

/* Every third has no id, every fifth an address that is not UTF-8. */
static int make_archive(void **state)
{
	(void)state;
	for (int i = 0; i < RECORDS; i++) {
		AUTO_BUF block = { 0 };
		assert_ok(buf_printf(&block, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>%s%s%d", SENTENCE,
				     SENTENCE, i));
		assert_ok(buf_printf(&archive,
				     "WARC/1.0\r\nWARC-Type: response\r\n%s"
				     "WARC-Date: 2024-05-01T10:00:00Z\r\nWARC-Target-URI: http://h/%s\r\n"
				     "Content-Type: application/http\r\nContent-Length: %zu\r\n\r\n%.*s\r\n\r\n",
				     i % 3 ? "WARC-Record-ID: <urn:a>\r\n" : "", i % 5 ? "a" : "\xff", block.len,
				     (int)block.len, (const char *)block.data));
	}
	return 0;
}

static int free_archive(void **state)
{
	(void)state;
	buf_free(&archive);
	return 0;
}

/* ---- reading ---- */

struct cursor {
	size_t at;
};

static int64_t read_some(void *arg, void *bytes, size_t size)
{
	struct cursor *c = arg;
	size_t n = archive.len - c->at < 1000 ? archive.len - c->at : 1000;
	n = n < size ? n : size;
	memcpy(bytes, archive.data + c->at, n);
	c->at += n;
	return (int64_t)n;
}

static int64_t read_nothing(void *arg, void *bytes, size_t size)
{
	(void)arg, (void)bytes, (void)size;
	return -1;
}

static struct dana_archive *open_archive(const struct dana_archive_options *options, struct cursor *c)
{
	const struct dana_reader reader = { .arg = c, .read = read_some };
	struct dana_archive *a;
	*c = (struct cursor){ 0 };
	assert_ok(dana_archive_open(&a, &reader, options));
	return a;
}

/* Looks up a child of a type. */
static int64_t child(const struct ArrowSchema *schema, const char *name)
{
	for (int64_t i = 0; i < schema->n_children; i++) {
		if (strcmp(schema->children[i]->name, name) == 0)
			return i;
	}
	fail_msg("no child %s", name);
	return -1;
}

static const struct ArrowArray *column(const struct ArrowSchema *schema, const struct ArrowArray *batch,
				       const char *name)
{
	return batch->children[child(schema, name)];
}

/* Appends a text of a row and a line feed; "-" if it is null. */
static void put(struct buf *out, const struct ArrowArray *texts, int64_t row)
{
	const uint8_t *valid = texts->buffers[0], *bytes = texts->buffers[2];
	const int32_t *ends = texts->buffers[1];
	assert_int_equal(texts->n_buffers, 3);
	if (valid && !(valid[row / 8] >> row % 8 & 1))
		buf_append_byte(out, '-');
	else
		buf_append(out, bytes + ends[row], (size_t)(ends[row + 1] - ends[row]));
	assert_ok(buf_append_byte(out, '\n'));
}

/* Appends what the stream has, and returns its number of batches. */
static int drain(struct ArrowArrayStream *stream, struct buf *out)
{
	struct ArrowSchema schema;
	struct ArrowArray batch;
	int batches = 0;
	assert_int_equal(stream->get_schema(stream, &schema), 0);
	assert_string_equal(schema.format, "+s");
	for (;; batches++) {
		assert_int_equal(stream->get_next(stream, &batch), 0);
		if (!batch.release)
			break;
		for (int64_t i = 0; i < batch.length; i++) {
			put(out, column(&schema, &batch, "text"), i);
			put(out, column(&schema, &batch, "id"), i);
			put(out, column(&schema, &batch, "url"), i);
		}
		batch.release(&batch);
	}
	schema.release(&schema);
	return batches;
}

TEST(a_stream_has_the_documents_in_batches_of_any_size)
{
	static const struct {
		uint64_t rows, bytes;
		int batches;
	} sizes[] = { { 1, 0, RECORDS }, { 7, 0, 3 }, { RECORDS, 0, 1 }, { 1000, 0, 1 }, { 0, 1, RECORDS } };
	AUTO_BUF first = { 0 };
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct dana_archive_options options = { .struct_size = sizeof(options),
							      .batch_rows = sizes[i].rows,
							      .batch_bytes = sizes[i].bytes };
		struct ArrowArrayStream stream;
		AUTO_BUF got = { 0 };
		struct cursor c;
		assert_ok(dana_archive_export(open_archive(&options, &c), &stream));
		assert_int_equal(drain(&stream, i ? &got : &first), sizes[i].batches);
		assert_null(stream.get_last_error(&stream));
		stream.release(&stream);
		assert_true(i == 0 || slice_equal(buf_slice(&got), buf_slice(&first)));
	}
	assert_ok(buf_append_byte(&first, 0));
	assert_non_null(strstr((const char *)first.data, "19\nurn:a\nhttp://h/a\n"));
	assert_non_null(strstr((const char *)first.data, "15\n-\nhttp://h/\xef\xbf\xbd\n"));
}

/* Columns outlive their batch and the archive, and so do rows of blocks that are moved out. */
TEST(blocks_are_lists_of_structs)
{
	const struct dana_archive_options options = { .struct_size = sizeof(options), .structure = DANA_BLOCKS };
	struct ArrowArrayStream stream;
	struct ArrowSchema schema, text_schema;
	struct ArrowArray batch;
	struct cursor c;
	assert_ok(dana_archive_export(open_archive(&options, &c), &stream));
	assert_int_equal(stream.get_schema(&stream, &schema), 0);
	assert_int_equal(stream.get_next(&stream, &batch), 0);
	stream.release(&stream);
	const int64_t at = child(&schema, "blocks");
	const struct ArrowSchema *list = schema.children[at], *block = list->children[0];
	struct ArrowArray *blocks = batch.children[at], *all = blocks->children[0];
	const int32_t *ends = blocks->buffers[1];
	assert_string_equal(list->format, "+l");
	assert_string_equal(block->format, "+s");
	assert_string_equal(block->children[child(block, "rows")]->children[0]->children[0]->format, "u");
	assert_int_equal(blocks->length, RECORDS);
	assert_int_equal(all->length, ends[RECORDS]);
	assert_int_equal(all->length, RECORDS);
	assert_int_equal(all->children[child(block, "rows")]->null_count, RECORDS);
	assert_int_equal(all->children[child(block, "p")]->null_count, 0);
	assert_int_equal(((const int64_t *)all->children[child(block, "start")]->buffers[1])[7], 3);
	struct ArrowArray *moved[] = { batch.children[0], all->children[child(block, "text")] }, texts[2];
	for (int i = 0; i < 2; i++) {
		texts[i] = *moved[i];
		moved[i]->release = NULL;
	}
	text_schema = *schema.children[0];
	schema.children[0]->release = NULL;
	batch.release(&batch);
	schema.release(&schema);
	for (int i = 0; i < 2; i++) {
		AUTO_BUF got = { 0 };
		put(&got, &texts[i], 0);
		assert_int_equal(strncmp((const char *)got.data, SENTENCE, strlen(SENTENCE)), 0);
		texts[i].release(&texts[i]);
	}
	assert_string_equal(text_schema.name, "text");
	text_schema.release(&text_schema);
}

TEST(a_stream_says_why_it_failed)
{
	const struct dana_reader reader = { .read = read_nothing };
	struct ArrowArrayStream stream;
	struct ArrowArray batch;
	struct dana_archive *a;
	assert_ok(dana_archive_open(&a, &reader, NULL));
	assert_ok(dana_archive_export(a, &stream));
	assert_int_not_equal(stream.get_next(&stream, &batch), 0);
	assert_non_null(strstr(stream.get_last_error(&stream), "cannot be read"));
	stream.release(&stream);
}

TEST(an_archive_goes_on_from_any_place)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_archive_options options = { .struct_size = sizeof(options), .pieces = 1 };
	struct cursor c, rest;
	struct dana_archive *a = open_archive(&options, &c);
	char place[DANA_PLACE_SIZE];
	for (int taken = 0; taken <= RECORDS; taken++) {
		assert_ok(dana_archive_place(a, place, sizeof(place)));
		options.place = place;
		struct dana_archive *later = open_archive(&options, &rest);
		int n = 0;
		while (dana_archive_read(later, &doc) == DANA_ARCHIVE_DOCUMENT)
			n++;
		dana_archive_free(later);
		assert_int_equal(n, RECORDS - taken);
		assert_int_equal(dana_archive_read(a, &doc),
				 taken < RECORDS ? DANA_ARCHIVE_DOCUMENT : DANA_ARCHIVE_OVER);
	}
	assert_int_equal(dana_archive_place(a, place, 3), DANA_LIMIT);
	dana_archive_free(a);
	options.place = "nowhere";
	assert_int_equal(dana_archive_new(&a, &options), DANA_BAD_OPTION);
}

/* ---- several methods ---- */

static const char *const more[] = { "plain", "r2l" };

/* Each row has the text of `text` under `plain`, and of r2l an empty text or, where there is no page, null. */
static void expect_texts(const struct ArrowSchema *schema, const struct ArrowArray *rows)
{
	const struct ArrowArray *texts = column(schema, rows, "texts");
	assert_int_equal(texts->n_children, 2);
	assert_int_equal(texts->length, rows->length);
	for (int64_t i = 0; i < rows->length; i++) {
		AUTO_BUF wanted = { 0 }, got = { 0 };
		put(&wanted, column(schema, rows, "text"), i);
		put(&got, texts->children[0], i);
		assert_int_equal(wanted.len, got.len);
		assert_memory_equal(wanted.data, got.data, wanted.len);
		got.len = 0;
		put(&got, texts->children[1], i);
		assert_int_equal(got.data[0], wanted.data[0] == '-' ? '-' : '\n');
	}
}

static void expect_type(const struct ArrowSchema *schema)
{
	const struct ArrowSchema *texts = schema->children[child(schema, "texts")];
	assert_string_equal(texts->format, "+s");
	assert_int_equal(texts->n_children, 2);
	for (int i = 0; i < 2; i++) {
		assert_string_equal(texts->children[i]->name, more[i]);
		assert_string_equal(texts->children[i]->format, "u");
	}
}

TEST(texts_are_a_struct)
{
	const struct dana_archive_options options = { .struct_size = sizeof(options),
						      .batch_rows = 7,
						      .more_methods = more,
						      .n_more_methods = 2 };
	struct ArrowArrayStream stream;
	struct ArrowSchema schema;
	struct ArrowArray batch;
	struct cursor c;
	int64_t rows = 0;
	assert_ok(dana_archive_export(open_archive(&options, &c), &stream));
	assert_int_equal(stream.get_schema(&stream, &schema), 0);
	expect_type(&schema);
	while (stream.get_next(&stream, &batch) == 0 && batch.release) {
		expect_texts(&schema, &batch);
		rows += batch.length;
		batch.release(&batch);
	}
	stream.release(&stream);
	schema.release(&schema);
	assert_int_equal(rows, RECORDS);
}

/* ---- columns of pages ---- */

TEST(a_column_of_pages_gives_their_texts_row_for_row)
{
	static const char bytes[] = "<p>" SENTENCE SENTENCE "\x89PNG\r\n\x1a\n";
	const int32_t page = (int32_t)strlen("<p>" SENTENCE SENTENCE), ends[] = { 0, page, page, page + 8 };
	const uint8_t valid = 5;
	const void *buffers[] = { &valid, ends, bytes };
	const struct ArrowArray pages = { .length = 3, .null_count = 1, .n_buffers = 3, .buffers = buffers };
	const struct ArrowSchema binary = { .format = "z" }, numbers = { .format = "l" };
	const struct dana_page_options options = { .struct_size = sizeof(options),
						   .more_methods = more,
						   .n_more_methods = 2 };
	struct dana_page_reader *p;
	struct ArrowSchema schema;
	struct ArrowArray out;
	AUTO_BUF got = { 0 };
	assert_ok(dana_page_reader_new(&p, &options));
	assert_int_equal(dana_page_column(p, NULL, &numbers, &pages, &out), DANA_BAD_OPTION);
	assert_non_null(strstr(dana_page_error(p), "'l'; expected binary or utf8"));
	assert_ok(dana_page_column(p, NULL, &binary, &pages, &out));
	assert_ok(dana_page_column_schema(p, &schema));
	assert_int_equal(out.length, 3);
	expect_type(&schema);
	expect_texts(&schema, &out);
	for (int i = 0; i < 3; i++) {
		put(&got, column(&schema, &out, "text"), i);
		put(&got, column(&schema, &out, "reason"), i);
	}
	assert_ok(buf_append_byte(&got, 0));
	assert_int_equal(strncmp((const char *)got.data, SENTENCE, strlen(SENTENCE)), 0);
	assert_non_null(strstr((const char *)got.data, ".\n-\n-\n-\n-\na picture"));
	buf_clear(&got);
	put(&got, column(&schema, &out, "page_kind"), 0);
	put(&got, column(&schema, &out, "page_kind"), 2);
	assert_int_equal(got.data[0] == '-', 0);
	assert_int_equal(memcmp(got.data + got.len - 2, "-\n", 2), 0);
	const struct ArrowArray *truncated = column(&schema, &out, "truncated");
	assert_int_equal(*(const uint8_t *)truncated->buffers[0] & 7, 1);
	assert_int_equal(*(const uint8_t *)truncated->buffers[1] & 1, 0);
	out.release(&out);
	schema.release(&schema);
	dana_page_reader_free(p);
}

GROUP(make_archive, free_archive)
