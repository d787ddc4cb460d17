/* SPDX-License-Identifier: MIT */
/* Which outcome a record gets, whatever the cut of its block. */
#include "config.h"

#include "archive/plugin/plugins.h"
#include "archive/processor.h"
#include "base/buf.h"
#include "base/digest.h"
#include "dana/archive.h"
#include "support/unit.h"

static const char page[] =
	"<html><head><title>A title</title></head><body><p>The first paragraph of a page that is long enough to "
	"be kept.</p><p>The second one says more of the same in other words, and ends.</p></body></html>";

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

static struct processor *processor_of(struct fixture *f, const char *method, bool needs_uri,
				      enum digest_check check_digests, bool require_digest)
{
	struct error err = { 0 };
	const struct processor_config config = { .limits = &f->limits,
						 .plugins = f->plugins,
						 .needs_uri = needs_uri,
						 .check_digests = check_digests,
						 .require_digest = require_digest,
						 .method = method,
						 .texts = f->texts,
						 .dates = &f->dates };
	struct processor *p = processor_new(&config, &f->watcher.sink, &err);
	assert_non_null(p);
	return p;
}

static struct processor *new_processor(struct fixture *f, bool needs_uri, bool require_digest)
{
	return processor_of(f, "plain", needs_uri, DIGESTS_AUTO, require_digest);
}

static int setup(void **state)
{
	static const struct limits defaults = LIMITS_DEFAULT;
	const struct plugins_config choice = { .choice = { "response,resource", "200", "text/html", 1 } };
	struct fixture *f = calloc(1, sizeof(*f));
	struct error err = { 0 };
	assert_non_null(f);
	f->limits = defaults;
	f->watcher.sink.ops = &watch_ops;
	f->plugins = plugins_new(&choice, &err);
	assert_non_null(f->plugins);
	f->processor = new_processor(f, false, false);
	*state = f;
	return 0;
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

static const char *http(char *out, size_t size, const char *head, const char *body)
{
	(void)snprintf(out, size, "%s\r\n\r\n%s", head, body);
	return out;
}

TEST_WITH(setup, teardown, documents)
{
	struct fixture *f = *state;
	struct record rec = response();
	char block[2048];
	char wanted[100];
	(void)snprintf(wanted, sizeof(wanted), "document 200 text/html; charset=utf-8 utf-8 A title %zu ",
		       sizeof(page) - 1);
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", page),
	       &good, wanted);
	assert_non_null(strstr((const char *)f->watcher.line.data, "|The first paragraph"));
	/* ARC: the block tells whether it is HTTP. */
	rec.is_arc = true;
	rec.content_type = slice_from_text("text/html");
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.0 200 OK\r\nContent-Type: text/html", page), &good,
	       "document 200 ");
	expect(f, &rec, page, &good, "document 0 text/html ");
	rec = response();
	rec.type = RECORD_RESOURCE;
	rec.content_type = slice_from_text("text/html; charset=utf-8");
	expect(f, &rec, page, &good, "document 0 text/html; charset=utf-8 utf-8 A title");
}

TEST_WITH(setup, teardown, skipped)
{
	struct fixture *f = *state;
	struct record rec = response();
	char block[2048];
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 404 No\r\nContent-Type: text/html", page), &good,
	       "skipped status");
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: image/png", "x"), &good,
	       "skipped mime");
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html", "%PDF-1.7 ..."), &good,
	       "skipped mime");
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html", "<p> </p>"), &good,
	       "skipped short");
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html", ""), &good,
	       "skipped short");
	expect(f, &rec,
	       http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", "<p>ab\xE9"),
	       &good, "skipped unreadable"); /* a third */
	expect(f, &rec,
	       http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", "<p>abc\xE9"),
	       &good, "document 200 ");
	expect(f, &rec,
	       http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8",
		    "<p>abcd\xEF\xBF\xBD\xEF\xBC\x81"),
	       &good, "document 200 ");
	expect(f, &rec, "", &good, "skipped mime");
	rec.content_type = slice_from_text("text/dns");
	expect(f, &rec, "20200101 an answer", &good, "skipped mime");
	rec.content_type = slice_of(NULL, 0);
	expect(f, &rec, "HTTP", &good, "skipped mime"); /* shorter than what tells HTTP */
	rec.type = RECORD_REQUEST;
	rec.type_name = slice_from_text("request");
	expect(f, &rec, page, &good, "skipped type");
	rec = response();
	rec.target_uri = slice_of(NULL, 0);
	expect(f, &rec, page, &good, "skipped no_uri");
	rec.target_uri = slice_from_text(""); /* there, but empty: only WARC output must have one */
	processor_free(f->processor);
	f->processor = new_processor(f, true, false);
	expect(f, &rec, page, &good, "skipped no_uri");
}

/* cetr groups lines at the page's end, again and again: more work than its bytes allow. */
static void heavy_page(struct fixture *f, struct buf *block)
{
	uint32_t random = 1;
	f->limits.work = 1;
	assert_ok(buf_append_text(block, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"));
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
	processor_free(f->processor);
	f->processor = processor_of(f, "cetr", false, DIGESTS_AUTO, false);
	assert_string_equal(outcome_of(f, &rec, (const char *)block.data, block.len, block.len, &good),
			    "skipped work_limit");
	assert_string_equal(outcome_of(f, &rec, (const char *)block.data, block.len, 4096, &good),
			    "skipped work_limit");
}

TEST_WITH(setup, teardown, damage_wins)
{
	struct fixture *f = *state;
	const struct record_end bad = { .damaged = true, .reason = DAMAGE_BAD_MEMBER };
	struct record rec = response();
	char block[2048];
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html", page), &bad,
	       "damaged bad_member");
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 404 OK\r\nContent-Type: text/html", page), &bad,
	       "damaged bad_member");
	rec.type = RECORD_REQUEST;
	rec.type_name = slice_from_text("request");
	expect(f, &rec, page, &bad, "damaged bad_member");
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
	if (!strstr((const char *)f->watcher.line.data, wanted))
		fail_msg("problems %x not in %s", problems, (const char *)f->watcher.line.data);
}

/* A document where the page is taken, damage where it is not: the account of a wrong length is never lost. */
TEST_WITH(setup, teardown, wrong_lengths)
{
	struct fixture *f = *state;
	const struct record_end mended = { .wrong_length = true, .detail = "why" };
	static const char *const refused[][2] = { { "HTTP/1.1 404 OK\r\nContent-Type: text/html", page },
						  { "HTTP/1.1 200 OK\r\nContent-Type: image/png", page },
						  { "HTTP/1.1 200 OK\r\nContent-Type: text/html", "<p>" },
						  { "HTTP/1.1 200 OK\r\nContent-Type: text/html", "" } };
	struct record rec = response();
	char block[2048];
	expect_problems(f, &rec,
			http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", page),
			&mended, PROBLEM_BAD_LENGTH);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		expect(f, &rec, http(block, sizeof(block), refused[i][0], refused[i][1]), &mended,
		       "damaged bad_length");
	rec.type = RECORD_REQUEST;
	rec.type_name = slice_from_text("request");
	expect(f, &rec, page, &mended, "damaged bad_length");
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
	char block[2048], wanted[40];
	rec.truncated = slice_from_text("length");
	rec.head_cut = true;
	expect(f, &rec, http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html", page), &cut,
	       "document 200 ");
	(void)snprintf(wanted, sizeof(wanted), " %x 2020-01-02T03:04:05Z|",
		       PROBLEM_TRUNCATED_SOURCE | PROBLEM_TRUNCATED_LIMIT | PROBLEM_HEAD_CUT);
	assert_non_null(strstr((const char *)f->watcher.line.data, wanted));
}

TEST_WITH(setup, teardown, digests)
{
	struct fixture *f = *state;
	const struct record_end doubtful = { .unverified = true };
	struct record rec = response();
	char block[2048], wrong[2048], field[SHA1_BASE32 + 8] = "sha1:";
	uint8_t digest[SHA1_BYTES];
	(void)http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", page);
	(void)strcpy(wrong, block);
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

	processor_free(f->processor);
	f->processor = new_processor(f, false, true);
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
	processor_free(f->processor);
	f->processor = new_processor(f, false, false);
	expect_problems(f, &rec, wrong, &good, 0);
	processor_free(f->processor);
	f->processor = processor_of(f, "plain", false, DIGESTS_ALWAYS, false);
	expect_problems(f, &rec, wrong, &good, PROBLEM_BAD_DIGEST);
	processor_free(f->processor);
	f->processor = processor_of(f, "plain", false, DIGESTS_NEVER, false);
	rec.verified = false;
	expect_problems(f, &rec, wrong, &good, 0);
	expect_problems(f, &rec, block, &doubtful, PROBLEM_UNVERIFIED);

	/* What is skipped by its head is not read to its end. */
	processor_free(f->processor);
	f->processor = new_processor(f, false, true);
	rec.block_digest = slice_from_text(field);
	(void)http(wrong, sizeof(wrong), "HTTP/1.1 404 No\r\nContent-Type: text/html", page);
	expect(f, &rec, wrong, &good, "skipped status");
}

/* ---- several methods ---- */

static void methods(struct fixture *f, const char *first, const char *const *others, size_t n_others)
{
	f->texts = (struct texts){ .others = others, .n_others = n_others };
	processor_free(f->processor);
	f->processor = processor_of(f, first, false, DIGESTS_AUTO, false);
}

/* The last outcome's part from the first text on. */
static char *texts_of(struct fixture *f)
{
	const char *at = strchr((const char *)f->watcher.line.data, '|');
	assert_non_null(at);
	char *copy = strdup(at);
	assert_non_null(copy);
	return copy;
}

/* Each method gives the text that it gives alone, for every cut of the block. */
TEST_WITH(setup, teardown, each_method_as_alone)
{
	static const char *const others[] = { "danag", "auto", "danag:gap=1", "plain", "bte", "learned:recall=1" };
	enum { OTHERS = sizeof(others) / sizeof(*others) };
	struct fixture *f = *state;
	const struct record rec = response();
	char block[2048], wanted[8192];
	(void)http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", page);
	methods(f, "learned", others, 0);
	expect(f, &rec, block, &good, "document 200 ");
	char *text = texts_of(f);
	size_t len = (size_t)snprintf(wanted, sizeof(wanted), "%s", text);
	free(text);
	for (size_t i = 0; i < OTHERS; i++) {
		methods(f, others[i], others, 0);
		expect(f, &rec, block, &good, "document 200 ");
		text = texts_of(f);
		len += (size_t)snprintf(wanted + len, sizeof(wanted) - len, "|%s=%s", others[i], text + 1);
		free(text);
	}
	methods(f, "learned", others, OTHERS);
	expect(f, &rec, block, &good, "document 200 ");
	text = texts_of(f);
	assert_string_equal(text, wanted);
	free(text);
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
		const char *line = outcome_of(f, &rec, (const char *)block.data, block.len, step, &good);
		(void)snprintf(wanted, sizeof(wanted), " %x |a a a ", PROBLEM_TEXTS_MISSING);
		assert_non_null(strstr(line, wanted));
		assert_non_null(strstr(line, "|cetr=|danag="));
	}
	/* The next page has all its texts again. */
	char small[2048];
	(void)http(small, sizeof(small), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", page);
	const char *line = outcome_of(f, &rec, small, strlen(small), 100, &good);
	assert_non_null(strstr(line, " 0 |The first"));
	assert_non_null(strstr(line, "|cetr=The first"));
	/* Whether there is a document is the first method's affair. */
	methods(f, "cetr", plain, 1);
	line = outcome_of(f, &rec, (const char *)block.data, block.len, 4096, &good);
	assert_string_equal(line, "skipped work_limit");
}

/* The limit of kept text holds for each; of an empty text of the first there is no document. */
TEST_WITH(setup, teardown, limits_of_each_method)
{
	static const char *const plain[] = { "plain" }, *const r2l[] = { "r2l" };
	struct fixture *f = *state;
	const struct record rec = response();
	char block[4096], body[2048], wanted[40];
	(void)snprintf(body, sizeof(body), "<ul>%s</ul>%s",
		       "<li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>About</a><li><a href=/d>Help</a>",
		       page);
	(void)http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", body);
	f->limits.text = 144;
	methods(f, "learned", plain, 1);
	expect(f, &rec, block, &good, "document 200 ");
	(void)snprintf(wanted, sizeof(wanted), " %x |The first", PROBLEM_TRUNCATED_TEXT);
	assert_non_null(strstr((const char *)f->watcher.line.data, wanted));
	assert_non_null(
		strstr((const char *)f->watcher.line.data, "and ends.|plain=Home\nNews\nAbout\nHelp\nThe first"));
	assert_null(strstr(strstr((const char *)f->watcher.line.data, "|plain="), "and ends."));
	methods(f, "r2l", plain, 1);
	(void)http(block, sizeof(block), "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", page);
	expect(f, &rec, block, &good, "skipped short");
	methods(f, "plain", r2l, 1);
	expect_problems(f, &rec, block, &good, 0);
}

TEST_WITH(setup, teardown, wrong_methods)
{
	static const char *const wrong[][3] = { { "danag", "plain", "method plain is given twice" },
						{ "danag", "danag", "method danag is given twice" },
						{ "danag", "danog", "method danog: unknown" },
						{ "danag", "learned:gap=1", "method learned:gap=1: unknown" } };
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct error err = { 0 };
		const struct processor_config config = { .limits = &f->limits,
							 .plugins = f->plugins,
							 .method = "plain",
							 .texts = { .others = wrong[i], .n_others = 2 } };
		assert_null(processor_new(&config, &f->watcher.sink, &err));
		assert_int_equal(err.status, DANA_ECONFIG);
		assert_memory_equal(err.text, wrong[i][2], strlen(wrong[i][2]));
	}
}
