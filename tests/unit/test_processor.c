/* SPDX-License-Identifier: MIT */
/* Which outcome a record gets, whatever the cut of its block. */
#include "config.h"

#include "archive/plugin/plugins.h"
#include "archive/processor.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "dana/archive.h"
#include "dana/dana.h"
#include "support/unit.h"

#define PAGE \
	"<html><head><title>A title</title></head><body><p>The first paragraph of a page that is long enough to " \
	"be kept.</p><p>The second one says more of the same in other words, and ends.</p></body></html>"
#define HTTP(status, type) "HTTP/1.1 " status "\r\nContent-Type: " type "\r\n\r\n"
#define HTML HTTP("200 OK", "text/html")
#define HTML_UTF8 HTTP("200 OK", "text/html; charset=utf-8")

/* The last outcome, as one line. */
struct watcher {
	struct document_sink sink;
	struct buf line;
	unsigned calls;
};

static int watch(struct document_sink *self, const struct outcome *outcome)
{
	struct watcher *w = (struct watcher *)self;
	const struct document *d = outcome->document;
	w->calls++;
	buf_clear(&w->line);
	switch (outcome->kind) {
	case OUTCOME_DOCUMENT:
		assert_ok(buf_printf(&w->line, "document %d %.*s %s %.*s %llu %llu %x %.*s|%.*s", d->http_status,
				     (int)d->content_type.len, (const char *)d->content_type.data, d->charset,
				     (int)d->title.len, (const char *)d->title.data, (unsigned long long)d->html_bytes,
				     (unsigned long long)d->text_chars, d->problems, (int)d->warcinfo_date.len,
				     (const char *)d->warcinfo_date.data, (int)d->text.len,
				     (const char *)d->text.data));
		for (size_t i = 0; i < d->n_texts; i++)
			assert_ok(buf_printf(&w->line, "|%s=%.*s", d->texts[i].method, (int)d->texts[i].text.len,
					     d->texts[i].text.data ? d->texts[i].text.data : ""));
		if (d->with_markdown)
			assert_ok(buf_printf(&w->line, "|%.*s|%.*s", (int)d->markdown.len,
					     (const char *)d->markdown.data, (int)d->structure.len,
					     (const char *)d->structure.data));
		break;
	case OUTCOME_SKIPPED:
		assert_ok(buf_printf(&w->line, "skipped %s", skip_word(outcome->skipped)));
		break;
	case OUTCOME_DAMAGED:
		assert_ok(buf_printf(&w->line, "damaged %s", damage_word(outcome->damage->reason)));
	}
	return buf_append_byte(&w->line, 0);
}

static const struct document_sink_ops watch_ops = { .name = "watcher", .outcome = watch };

struct fixture {
	struct limits limits;
	struct plugins *plugins;
	struct archive_dates dates;
	struct watcher watcher;
	struct processor *processor;
	uint64_t seq;
	struct texts texts;
};

/* What differs between the processors of these tests. */
struct choice {
	const char *method; /* NULL: plain */
	bool needs_uri, require_digest;
	enum digest_check digests;
};

/* Takes another processor. */
static void reopen(struct fixture *f, const struct choice *choice)
{
	struct error err = { 0 };
	const struct processor_config config = { .limits = &f->limits,
						 .plugins = f->plugins,
						 .needs_uri = choice->needs_uri,
						 .choice = { .check_digests = (int)choice->digests,
							     .require_digest = choice->require_digest },
						 .method = choice->method ? choice->method : "plain",
						 .texts = f->texts,
						 .dates = &f->dates };
	processor_free(f->processor);
	f->processor = processor_new(&config, &f->watcher.sink, &err);
	assert_non_null(f->processor);
}

#define REOPEN(...) reopen(f, &(struct choice){ __VA_ARGS__ })

static int setup_for(void **state, const char *mime)
{
	static const struct limits defaults = LIMITS_DEFAULT;
	const struct plugins_config choice = { .choice = { "response,resource", "200", mime, 1 } };
	struct fixture *f = calloc(1, sizeof(*f));
	struct error err = { 0 };
	assert_non_null(f);
	f->limits = defaults;
	f->watcher.sink.ops = &watch_ops;
	f->plugins = plugins_new(&choice, &err);
	assert_non_null(f->plugins);
	REOPEN(.digests = DIGESTS_AUTO);
	*state = f;
	return 0;
}

static int setup(void **state)
{
	return setup_for(state, "text/html");
}

static int setup_any(void **state)
{
	return setup_for(state, "any");
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	processor_free(f->processor);
	plugins_free(f->plugins);
	archive_dates_free(&f->dates);
	buf_free(&f->watcher.line);
	free(f);
	return 0;
}

/* Feeds the block in pieces of `step` bytes, each in memory of its own size. */
static const char *outcome_of(struct fixture *f, const struct record *rec, const char *block, size_t len, size_t step,
			      const struct record_end *end)
{
	struct record_sink *records = processor_records(f->processor);
	struct record numbered = *rec;
	unsigned calls = f->watcher.calls;
	numbered.seq = f->seq++;
	int answer = records->ops->begin(records, &numbered);
	for (size_t at = 0; at < len && answer == RECORD_WANTED; at += step) {
		size_t n = len - at < step ? len - at : step;
		char *piece = malloc(n);
		assert_non_null(piece);
		memcpy(piece, block + at, n);
		answer = records->ops->body(records, slice_of(piece, n));
		free(piece);
	}
	assert_true(answer >= 0);
	assert_int_equal(records->ops->end(records, end), 0);
	assert_int_equal(f->watcher.calls, calls + 1);
	return (const char *)f->watcher.line.data;
}

static const struct record_end good = { .damaged = false };

/* The outcome begins with `wanted`, and is the same for every step. */
static void expect(struct fixture *f, const struct record *rec, const char *block, const struct record_end *end,
		   const char *wanted)
{
	size_t len = strlen(block);
	char *whole = strdup(outcome_of(f, rec, block, len, len ? len : 1, end));
	assert_non_null(whole);
	if (strncmp(whole, wanted, strlen(wanted)) != 0)
		fail_msg("%s instead of %s", whole, wanted);
	for (size_t step = 1; step < 40; step++)
		assert_string_equal(outcome_of(f, rec, block, len, step, end), whole);
	free(whole);
}

static struct record response(void)
{
	return (struct record){ .type = RECORD_RESPONSE,
				.type_name = slice_from_text("response"),
				.target_uri = slice_from_text("http://example.org/"),
				.content_type = slice_from_text("application/http; msgtype=response") };
}

static struct record request(void)
{
	struct record rec = response();
	rec.type = RECORD_REQUEST;
	rec.type_name = slice_from_text("request");
	return rec;
}

/* The last outcome has this in it. */
static void expect_part(const struct fixture *f, const char *part)
{
	if (!strstr((const char *)f->watcher.line.data, part))
		fail_msg("%s has not: %s", (const char *)f->watcher.line.data, part);
}

TEST_WITH(setup, teardown, documents)
{
	struct fixture *f = *state;
	struct record rec = response();
	char wanted[100];
	(void)snprintf(wanted, sizeof(wanted), "document 200 text/html; charset=utf-8 utf-8 A title %zu ",
		       sizeof(PAGE) - 1);
	expect(f, &rec, HTML_UTF8 PAGE, &good, wanted);
	expect_part(f, "|The first paragraph");
	/* ARC: the block tells whether it is HTTP. */
	rec.is_arc = true;
	rec.content_type = slice_from_text("text/html");
	expect(f, &rec, "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" PAGE, &good, "document 200 ");
	expect(f, &rec, PAGE, &good, "document 0 text/html ");
	expect(f, &rec, " https/1.1\t200\nContent-Type: text/html\n\n" PAGE, &good, "document 200 ");
	/* a type that says nothing, and WARC-Identified-Payload-Type */
	rec = response();
	expect(f, &rec, HTTP("200 OK", "binary/octet-stream") PAGE, &good, "document 200 binary/octet-stream ");
	expect(f, &rec, HTTP("200 OK", "*/*") "words", &good, "skipped mime");
	rec.payload_type = slice_from_text("text/html");
	expect(f, &rec, HTTP("200 OK", "*/*") "words", &good, "document 200 */* ");
	rec = response();
	rec.type = RECORD_RESOURCE;
	rec.content_type = slice_from_text("text/html; charset=utf-8");
	expect(f, &rec, PAGE, &good, "document 0 text/html; charset=utf-8 utf-8 A title");
}

TEST_WITH(setup, teardown, skipped)
{
	static const char *const rows[][2] = {
		{ HTTP("404 No", "text/html") PAGE, "skipped status" },
		{ HTTP("200 OK", "image/png") "x", "skipped mime" },
		{ HTML "%PDF-1.7 ...", "skipped mime" },
		{ HTML "<p> </p>", "skipped short" },
		{ HTML, "skipped short" },
		{ HTML_UTF8 "<p>ab\xE9", "skipped unreadable" }, /* a third */
		{ HTML_UTF8 "<p>abc\xE9", "document 200 " },
		{ HTML_UTF8 "<p>abcd\xEF\xBF\xBD\xEF\xBC\x81", "document 200 " },
		{ "", "skipped mime" },
	};
	struct fixture *f = *state;
	struct record rec = response(), other = request();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect(f, &rec, rows[i][0], &good, rows[i][1]);
	rec.content_type = slice_from_text("text/dns");
	expect(f, &rec, "20200101 an answer", &good, "skipped mime");
	rec.content_type = slice_of(NULL, 0);
	expect(f, &rec, "HTTP", &good, "skipped mime"); /* shorter than what tells HTTP */
	expect(f, &other, PAGE, &good, "skipped type");
	rec = response();
	rec.target_uri = slice_of(NULL, 0);
	expect(f, &rec, PAGE, &good, "skipped no_uri");
	rec.target_uri = slice_from_text(""); /* there, but empty: only WARC output must have one */
	REOPEN(.needs_uri = true);
	expect(f, &rec, PAGE, &good, "skipped no_uri");
}

/* Text is kept as it stands, whatever the method, and decoded as a page is, but for what only a tag would name. */
TEST_WITH(setup_any, teardown, text_as_it_stands)
{
	static const struct {
		const char *type, *body, *charset, *text;
	} rows[] = {
		{ "text/plain; charset=utf-8", "One\ntwo\n\n\nthree\n", "utf-8", "One\ntwo\n\n\nthree" },
		{ "text/plain", "if a<b and c>d:\n\treturn x<y\n", "utf-8", "if a<b and c>d:\n\treturn x<y" },
		{ "text/plain", "a\r\nb\rc\r\n\r\nd\r\n", "utf-8", "a\nb\nc\n\nd" },
		{ "text/plain", "\n\n    a  b \n\tc\n", "utf-8", "\n\n    a  b \n\tc" },
		{ "Text/Plain; Charset=ISO-8859-1", "caf\xe9 &amp; <script>x", "windows-1252",
		  "caf\xc3\xa9 &amp; <script>x" },
		{ "text/plain; charset=windows-1251", "\xef\xf0\xe8\n", "windows-1251", "\xd0\xbf\xd1\x80\xd0\xb8" },
		{ "text/plain",
		  "\xef\xbb\xbf"
		  "na\xc3\xafve\n",
		  "utf-8", "na\xc3\xafve" },
		{ "text/plain", "x <meta charset=koi8-r> \xc3\xa9", "utf-8", "x <meta charset=koi8-r> \xc3\xa9" },
		{ "text/plain; charset=utf-8", "\xff", "utf-8", "skipped unreadable" },
		{ "text/plain; charset=utf-16le", "a\n", "utf-8", "a" },
		{ "text/markdown", "# T\n\n- a <b>\n\n```\n  c\n```\n", "utf-8", "# T\n\n- a <b>\n\n```\n  c\n```" },
		{ "text/markdown; variant=GFM", "<p>a</p>\n\nb", "utf-8", "<p>a</p>\n\nb" },
		{ "text/plain", " \n\t\r\n", "utf-8", "skipped short" },
		{ "text/plain", "a &lt; b &#65;", "utf-8", "a &lt; b &#65;" },
	};
	struct fixture *f = *state;
	struct record rec = response();
	static const char *const methods[] = { "plain", "learned", "auto", "danag" };
	for (size_t m = 0; m < sizeof(methods) / sizeof(*methods); m++) {
		REOPEN(.method = methods[m]);
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			AUTO_BUF block = { 0 }, wanted = { 0 };
			buf_printf(&block, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s%c", rows[i].type,
				   rows[i].body, 0);
			if (strncmp(rows[i].text, "skipped", 7) != 0)
				buf_printf(&wanted, "document 200 %s %s  %zu %llu ", rows[i].type, rows[i].charset,
					   strlen(rows[i].body),
					   (unsigned long long)utf8_count(slice_from_text(rows[i].text)));
			else
				buf_append_text(&wanted, rows[i].text);
			buf_append_byte(&wanted, 0);
			expect(f, &rec, (const char *)block.data, &good, (const char *)wanted.data);
			buf_clear(&wanted);
			buf_printf(&wanted, "|%s%c", rows[i].text, 0);
			if (strncmp(rows[i].text, "skipped", 7) != 0)
				assert_string_equal(strchr((const char *)f->watcher.line.data, '|'),
						    (const char *)wanted.data);
		}
		/* a page by its first bytes, and the page after a text */
		expect(f, &rec, HTTP("200 OK", "text/plain") PAGE, &good, "document 200 text/plain utf-8 A title ");
		expect(f, &rec, HTML_UTF8 PAGE, &good, "document 200 text/html; charset=utf-8 utf-8 A title ");
	}
	rec.type = RECORD_RESOURCE;
	rec.content_type = slice_from_text("text/plain");
	expect(f, &rec, "a<b\n\nc", &good, "document 0 text/plain utf-8  6 6 0 |a<b\n\nc");
	rec.content_type = slice_of(NULL, 0);
	rec.payload_type = slice_from_text("text/markdown");
	expect(f, &rec, "a<b\n\nc", &good, "document 0  utf-8  6 6 0 |a<b\n\nc");
	rec.payload_type = slice_of(NULL, 0);
	REOPEN(.method = "plain");
	expect(f, &rec, "a<b>\n\nc", &good, "document 0  utf-8  7 3 0 |a c"); /* of unknown types all is HTML */
}

/* Plain text is escaped in Markdown, its indented paragraphs are code; Markdown is itself. */
TEST_WITH(setup_any, teardown, markdown_of_text)
{
	static const struct {
		const char *type, *body, *markdown, *blocks;
	} rows[] = {
		{ "text/plain", "a\nb\n\nc\n", "a\\\nb\n\nc",
		  "[{\"t\":\"p\",\"text\":\"a\\nb\",\"start\":0},{\"t\":\"p\",\"text\":\"c\",\"start\":5}]" },
		{ "text/plain", "# a\n\n- b *c* <d>\n", "\\# a\n\n\\- b \\*c\\* \\<d>",
		  "[{\"t\":\"p\",\"text\":\"# a\",\"start\":0},{\"t\":\"p\",\"text\":\"- b *c* <d>\",\"start\":5}]" },
		{ "text/plain", "a:\n\n    b<c\n\n\td\n\ne", "a:\n\n```\n    b<c\n\n\td\n```\n\ne",
		  "[{\"t\":\"p\",\"text\":\"a:\",\"start\":0},{\"t\":\"code\",\"text\":\"    "
		  "b<c\\n\\n\\td\",\"start\":4},"
		  "{\"t\":\"p\",\"text\":\"e\",\"start\":17}]" },
		{ "text/plain", "    a\nb\n", "a\\\nb", "[{\"t\":\"p\",\"text\":\"a\\nb\",\"start\":4}]" },
		{ "text/plain", "    a\n\n    b\nc\n", "```\n    a\n```\n\nb\\\nc",
		  "[{\"t\":\"code\",\"text\":\"    a\",\"start\":0},{\"t\":\"p\",\"text\":\"b\\nc\",\"start\":11}]" },
		{ "text/plain", "    ```\n    &amp;\n", "````\n    ```\n    &amp;\n````",
		  "[{\"t\":\"code\",\"text\":\"    ```\\n    &amp;\",\"start\":0}]" },
		{ "text/plain", "a &amp; b", "a \\&amp; b", "[{\"t\":\"p\",\"text\":\"a &amp; b\",\"start\":0}]" },
		{ "text/markdown", "# a\n\n- b *c* <d>\n", "# a\n\n- b *c* <d>",
		  "[{\"t\":\"p\",\"text\":\"# a\",\"start\":0},{\"t\":\"p\",\"text\":\"- b *c* <d>\",\"start\":5}]" },
		{ "text/markdown", "a\r\n\r\n\r\nb  \r\nc", "a\n\n\nb  \nc",
		  "[{\"t\":\"p\",\"text\":\"a\",\"start\":0},{\"t\":\"p\",\"text\":\"b\\nc\",\"start\":4}]" },
	};
	struct fixture *f = *state;
	const struct record rec = response();
	static const char *const others[] = { "plain" };
	f->texts = (struct texts){ .page.structure = DANA_MARKDOWN | DANA_BLOCKS, .others = others, .n_others = 1 };
	REOPEN(.method = "learned");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF block = { 0 }, wanted = { 0 };
		buf_printf(&block, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s%c", rows[i].type, rows[i].body, 0);
		expect(f, &rec, (const char *)block.data, &good, "document 200 text/");
		buf_printf(&wanted, "|%s|%s%c", rows[i].markdown, rows[i].blocks, 0);
		expect_part(f, (const char *)wanted.data);
		expect_part(f, "|plain=");
	}
	expect(f, &rec, HTTP("200 OK", "text/plain") "a<b\nc", &good,
	       "document 200 text/plain utf-8  5 5 0 |a<b\nc|plain=a<b\nc|a\\<b\\\nc|");
	f->limits.text = 5;
	f->texts = (struct texts){ 0 };
	REOPEN(.method = "plain");
	expect(f, &rec, HTTP("200 OK", "text/plain") "ab\r\nc\xc3\xa9!", &good,
	       "document 200 text/plain utf-8  8 4 4 |ab\nc");
	expect(f, &rec, HTTP("200 OK", "text/plain") "ab\r\ncd", &good, "document 200 text/plain utf-8  6 5 0 |ab\ncd");
	expect(f, &rec, HTTP("200 OK", "text/plain") "abcde\r\n", &good, "document 200 text/plain utf-8  7 5 4 |abcde");
}

/* cetr groups lines at the page's end, again and again: more work than its bytes allow. */
static void heavy_page(struct fixture *f, struct buf *block)
{
	uint32_t random = 1;
	f->limits.work = 1;
	assert_ok(buf_append_text(block, HTML));
	for (unsigned i = 0; i < 500000; i++) {
		random = random * 1664525 + 1013904223;
		assert_ok(buf_append_text(block, (random >> 24) % 8 ? "a\n" : "<b>aaaaaaaa\n"));
	}
}

TEST_WITH(setup, teardown, too_much_work_at_the_end)
{
	struct fixture *f = *state;
	const struct record rec = response();
	AUTO_BUF block = { 0 };
	heavy_page(f, &block);
	REOPEN(.method = "cetr");
	for (size_t i = 0; i < 2; i++)
		assert_string_equal(
			outcome_of(f, &rec, (const char *)block.data, block.len, i ? block.len : 4096, &good),
			"skipped work_limit");
}

TEST_WITH(setup, teardown, damage_wins)
{
	struct fixture *f = *state;
	const struct record_end bad = { .damaged = true, .reason = DAMAGE_BAD_MEMBER };
	struct record rec = response(), other = request();
	expect(f, &rec, HTML PAGE, &bad, "damaged bad_member");
	expect(f, &rec, HTTP("404 OK", "text/html") PAGE, &bad, "damaged bad_member");
	expect(f, &other, PAGE, &bad, "damaged bad_member");
	struct record_sink *records = processor_records(f->processor);
	assert_int_equal(records->ops->damage(records, 7, 70, slice_of(NULL, 0), slice_of(NULL, 0), &bad), 0);
	assert_string_equal((const char *)f->watcher.line.data, "damaged bad_member");
}

static void expect_problems(struct fixture *f, const struct record *rec, const char *block,
			    const struct record_end *end, unsigned problems)
{
	char wanted[20];
	(void)snprintf(wanted, sizeof(wanted), " %x |", problems);
	expect(f, rec, block, end, "document 200 ");
	expect_part(f, wanted);
}

/* A document where the page is taken, damage where it is not: the account of a wrong length is never lost. */
TEST_WITH(setup, teardown, wrong_lengths)
{
	struct fixture *f = *state;
	const struct record_end mended = { .wrong_length = true, .detail = "why" };
	static const char *const refused[] = { HTTP("404 OK", "text/html") PAGE, HTTP("200 OK", "image/png") PAGE,
					       HTML "<p>", HTML };
	struct record rec = response(), other = request();
	expect_problems(f, &rec, HTML_UTF8 PAGE, &mended, PROBLEM_BAD_LENGTH);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		expect(f, &rec, refused[i], &mended, "damaged bad_length");
	expect(f, &other, PAGE, &mended, "damaged bad_length");
}

TEST_WITH(setup, teardown, problems_of_the_record)
{
	struct fixture *f = *state;
	const struct record_end cut = { .block_cut = true };
	struct record info = { .type = RECORD_WARCINFO,
			       .type_name = slice_from_text("warcinfo"),
			       .date = slice_from_text("2020-01-02T03:04:05Z") };
	expect(f, &info, "software: none", &good, "skipped type");
	struct record rec = response();
	char wanted[40];
	rec.truncated = slice_from_text("length");
	rec.head_cut = true;
	expect(f, &rec, HTML PAGE, &cut, "document 200 ");
	(void)snprintf(wanted, sizeof(wanted), " %x 2020-01-02T03:04:05Z|",
		       PROBLEM_TRUNCATED_SOURCE | PROBLEM_TRUNCATED_LIMIT | PROBLEM_HEAD_CUT);
	expect_part(f, wanted);
}

TEST_WITH(setup, teardown, digests)
{
	struct fixture *f = *state;
	const struct record_end doubtful = { .unverified = true };
	struct record rec = response();
	static const char block[] = HTML_UTF8 PAGE;
	char wrong[] = HTML_UTF8 PAGE, field[SHA1_BASE32 + 8] = "sha1:";
	uint8_t digest[SHA1_BYTES];
	*strstr(wrong, "first") = 'F';
	assert_int_equal(sha1(slice_from_text(block), digest), 0);
	sha1_base32(digest, field + 5);
	rec.content_length = strlen(block);
	/* Without digest the member decides, with it the digest. */
	expect_problems(f, &rec, block, &good, 0);
	expect_problems(f, &rec, block, &doubtful, PROBLEM_UNVERIFIED);
	rec.block_digest = slice_from_text(field);
	expect_problems(f, &rec, block, &good, 0);
	expect_problems(f, &rec, block, &doubtful, 0);
	expect_problems(f, &rec, wrong, &good, PROBLEM_BAD_DIGEST);
	expect_problems(f, &rec, wrong, &doubtful, PROBLEM_BAD_DIGEST | PROBLEM_UNVERIFIED);
	REOPEN(.require_digest = true);
	expect_problems(f, &rec, block, &good, 0);
	expect(f, &rec, wrong, &good, "damaged bad_digest");
	rec.block_digest = slice_of(NULL, 0);
	expect_problems(f, &rec, wrong, &good, 0);
	rec.block_digest = slice_from_text("blake3:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
	expect(f, &rec, block, &good, "damaged bad_digest");
	/* Under a wrong length the digest is of the block as it turned out to be. */
	const struct record_end mended = { .wrong_length = true, .detail = "why" };
	rec.block_digest = slice_from_text(field);
	rec.content_length += 100;
	expect_problems(f, &rec, block, &mended, PROBLEM_BAD_LENGTH);
	expect(f, &rec, wrong, &mended, "damaged bad_digest");
	rec.content_length -= 120;
	expect_problems(f, &rec, block, &mended, PROBLEM_BAD_LENGTH);
	expect(f, &rec, wrong, &mended, "damaged bad_digest");
	rec.content_length += 20;
	/* What a checksum has found good is compared on demand only. */
	rec.block_digest = slice_from_text(field);
	rec.verified = true;
	expect(f, &rec, wrong, &good, "damaged bad_digest");
	REOPEN(.digests = DIGESTS_AUTO);
	expect_problems(f, &rec, wrong, &good, 0);
	REOPEN(.digests = DIGESTS_ALWAYS);
	expect_problems(f, &rec, wrong, &good, PROBLEM_BAD_DIGEST);
	REOPEN(.digests = DIGESTS_NEVER);
	rec.verified = false;
	expect_problems(f, &rec, wrong, &good, 0);
	expect_problems(f, &rec, block, &doubtful, PROBLEM_UNVERIFIED);
	/* What is skipped by its head is not read to its end. */
	REOPEN(.require_digest = true);
	rec.block_digest = slice_from_text(field);
	expect(f, &rec, HTTP("404 No", "text/html") PAGE, &good, "skipped status");
}

/* ---- several methods ---- */

static void methods(struct fixture *f, const char *first, const char *const *others, size_t n_others)
{
	f->texts = (struct texts){ .others = others, .n_others = n_others };
	REOPEN(.method = first);
}

/* Appends the last outcome's part from the first text on, of which `method` is the name. */
static void append_texts(const struct fixture *f, const char *method, struct buf *to)
{
	const char *at = strchr((const char *)f->watcher.line.data, '|');
	assert_non_null(at);
	assert_ok(buf_printf(to, "|%s%s%s", method ? method : "", method ? "=" : "", at + 1));
}

/* Each method gives the text that it gives alone, for every cut of the block. */
TEST_WITH(setup, teardown, each_method_as_alone)
{
	static const char *const others[] = { "danag", "auto", "danag:gap=1", "plain", "bte", "learned:recall=1" };
	enum { OTHERS = sizeof(others) / sizeof(*others) };
	struct fixture *f = *state;
	const struct record rec = response();
	AUTO_BUF wanted = { 0 }, texts = { 0 };
	for (size_t i = 0; i <= OTHERS; i++) {
		methods(f, i ? others[i - 1] : "learned", others, 0);
		expect(f, &rec, HTML_UTF8 PAGE, &good, "document 200 ");
		append_texts(f, i ? others[i - 1] : NULL, &wanted);
	}
	methods(f, "learned", others, OTHERS);
	expect(f, &rec, HTML_UTF8 PAGE, &good, "document 200 ");
	append_texts(f, NULL, &texts);
	assert_true(slice_equal(buf_slice(&texts), buf_slice(&wanted)));
}

TEST_WITH(setup, teardown, one_method_fails)
{
	static const char *const cetr[] = { "cetr", "danag" }, *const plain[] = { "plain" };
	struct fixture *f = *state;
	const struct record rec = response();
	AUTO_BUF block = { 0 };
	char wanted[40];
	heavy_page(f, &block);
	methods(f, "plain", cetr, 2);
	for (size_t step = 4096; step < 100000; step += 90000) {
		(void)outcome_of(f, &rec, (const char *)block.data, block.len, step, &good);
		(void)snprintf(wanted, sizeof(wanted), " %x |a a a ", PROBLEM_TEXTS_MISSING);
		expect_part(f, wanted);
		expect_part(f, "|cetr=|danag=");
	}
	/* The next page has all its texts again. */
	expect(f, &rec, HTML_UTF8 PAGE, &good, "document 200 ");
	expect_part(f, " 0 |The first");
	expect_part(f, "|cetr=The first");
	/* Whether there is a document is the first method's affair. */
	methods(f, "cetr", plain, 1);
	assert_string_equal(outcome_of(f, &rec, (const char *)block.data, block.len, 4096, &good),
			    "skipped work_limit");
}

/* The limit of kept text holds for each; of an empty text of the first there is no document. */
TEST_WITH(setup, teardown, limits_of_each_method)
{
	static const char *const plain[] = { "plain" }, *const r2l[] = { "r2l" };
	struct fixture *f = *state;
	const struct record rec = response();
	char wanted[40];
	f->limits.text = 144;
	methods(f, "learned", plain, 1);
	expect(f, &rec,
	       HTML_UTF8 "<ul><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>About</a><li><a href=/d>Help"
			 "</a></ul>" PAGE,
	       &good, "document 200 ");
	(void)snprintf(wanted, sizeof(wanted), " %x |The first", PROBLEM_TRUNCATED_TEXT);
	expect_part(f, wanted);
	expect_part(f, "and ends.|plain=Home\nNews\nAbout\nHelp\nThe first");
	assert_null(strstr(strstr((const char *)f->watcher.line.data, "|plain="), "and ends."));
	methods(f, "r2l", plain, 1);
	expect(f, &rec, HTML_UTF8 PAGE, &good, "skipped short");
	methods(f, "plain", r2l, 1);
	expect_problems(f, &rec, HTML_UTF8 PAGE, &good, 0);
}
