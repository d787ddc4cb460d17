/* SPDX-License-Identifier: MIT */
/*
 * Writes the report of a run, section by section, from the JSON of --stats. Text of the archives is only ever written
 * by html_put_text. Bars are SVG whose lengths are attributes: the policy of the page allows no style but its own.
 */
#include "archive/report_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/document.h"
#include "archive/survey.h"
#include "base/ascii.h"
#include "base/diagnostics.h"
#include "base/html.h"
#include "base/json.h"

enum {
	SITES_SHOWN = 50,
	WORDS_SHOWN = 40,
	DEPTH_MOST = 8,
	NUMBER = 40, /* bytes of one in letters */
	WORD = 160,
	ROWS = 128,   /* of reasons, of which plugins may add some */
	ROOM = 16384, /* bytes of the page besides what comes from the JSON, about */
};

/* The members of an object of which several are asked for: json_member would pass over all the others each time. */
struct members {
	struct {
		struct slice name; /* as written */
		struct json_value value;
	} at[ROWS];
	size_t n;
};

/* What is written, and what it is made of. */
struct report_text {
	struct buf *out;
	struct members root, report, samples; /* each of the next is a member of the one before */
	struct json_value times;
	uint64_t records, documents, damaged, pages, chars;
	struct buf space; /* characters of a string, until the next one */
};

/* ---- pieces ---- */

static void put(struct report_text *p, const char *markup)
{
	buf_append_text(p->out, markup);
}

static void put_text(struct report_text *p, const char *text)
{
	html_put_text(p->out, slice_from_text(text));
}

/* "1,204". */
static const char *grouped(uint64_t n, char out[NUMBER])
{
	char digits[NUMBER];
	const int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	char *to = out;
	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}

/* "12.3 %"; "<0.1 %" where there is something that rounds to nothing. */
static const char *percent(uint64_t part, uint64_t whole, char out[NUMBER])
{
	const double share = whole ? 100.0 * (double)part / (double)whole : 0;
	if (part && share < 0.05)
		(void)snprintf(out, NUMBER, "<0.1 %%");
	else
		(void)snprintf(out, NUMBER, "%.1f %%", share);
	return out;
}

static const char *bytes_text(uint64_t bytes, char out[NUMBER])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	double size = (double)bytes;
	unsigned unit = 0;
	for (; size >= 1000 && unit + 1 < sizeof(units) / sizeof(*units); unit++)
		size /= 1000;
	(void)snprintf(out, NUMBER, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
	return out;
}

static uint64_t count_of(struct json_value value)
{
	uint64_t count = 0;
	(void)decimal_number(json_written(value), UINT64_MAX, &count);
	return json_kind(value) == JSON_IS_NUMBER ? count : 0;
}

static void find_members(struct json_value object, struct members *m)
{
	struct json_walk w = json_walk(object);
	for (m->n = 0; m->n < ROWS && json_walk_next(&w); m->n++) {
		m->at[m->n].name = w.name;
		m->at[m->n].value = w.value;
	}
}

static struct json_value member(const struct members *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++) {
		if (json_name_is(m->at[i].name, name))
			return m->at[i].value;
	}
	return (struct json_value){ 0 };
}

static uint64_t member_count(const struct members *m, const char *name)
{
	return count_of(member(m, name));
}

static double real_of(struct json_value value)
{
	char text[NUMBER];
	const struct slice written = json_written(value);
	if (json_kind(value) != JSON_IS_NUMBER || written.len >= sizeof(text))
		return 0;
	memcpy(text, written.data, written.len);
	text[written.len] = '\0';
	return strtod(text, NULL);
}

/* Returns the characters of a string, valid until the next call. */
static struct slice characters(struct report_text *p, struct json_value value)
{
	struct slice text = { NULL, 0 };
	bool repaired;
	buf_clear(&p->space);
	if (json_kind(value) == JSON_IS_STRING)
		buf_latch(p->out, json_characters(value, &p->space, &text, &repaired));
	return text;
}

static void put_number(struct report_text *p, uint64_t n)
{
	char text[NUMBER];
	buf_printf(p->out, "<td class=\"number\">%s", grouped(n, text));
}

static void put_percent(struct report_text *p, uint64_t part, uint64_t whole)
{
	char text[NUMBER];
	buf_append_text(p->out, "<td class=\"number\">");
	put_text(p, percent(part, whole, text));
}

/* A bar of so many thousandths; the number is beside it. */
static void put_bar(struct report_text *p, const char *kind, double thousandths)
{
	buf_printf(p->out,
		   "<td class=\"bar\"><svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
		   "aria-hidden=\"true\"><rect class=\"%s\" width=\"%ld\" height=\"10\"/></svg>",
		   kind, lrint(thousandths));
}

static double thousandths(uint64_t part, uint64_t whole)
{
	return whole ? 1000.0 * (double)part / (double)whole : 0;
}

/* Bars of counts have logarithmic lengths: what is rare is seen beside what is frequent. */
static double log_thousandths(uint64_t part, uint64_t most)
{
	return most ? 1000.0 * log2(1 + (double)part) / log2(1 + (double)most) : 0;
}

static void section(struct report_text *p, const char *id, const char *heading)
{
	buf_printf(p->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id, heading);
}

/*
 * Begins a table with a name, which is shown as its caption or only read to those who cannot see the heading above.
 * `columns` end with NULL; from number `counts` on they hold numbers.
 */
static void table_begin(struct report_text *p, const char *name, bool caption, const char *const *columns,
			unsigned counts, bool bar)
{
	put(p, caption ? "<table>\n<caption>" : "<table aria-label=\"");
	put_text(p, name);
	put(p, caption ? "</caption>\n<thead><tr>" : "\">\n<thead><tr>");
	for (unsigned i = 0; columns[i]; i++) {
		put(p, i < counts ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">");
		put_text(p, columns[i]);
	}
	put(p, bar ? "<td class=\"bar\"></thead>\n<tbody>\n" : "</thead>\n<tbody>\n");
}

static void fact(struct report_text *p, const char *name, const char *value)
{
	put(p, "<div><dt>");
	put_text(p, name);
	put(p, "<dd>");
	put_text(p, value);
	put(p, "</div>\n");
}

/* ---- reasons ---- */

enum reason_kind { REASON_NO_PAGE, REASON_DAMAGE, REASON_PAGE };

/* Why records gave no document. */
struct left_reason {
	char word[WORD];  /* "status", "plugin:quality" */
	char group[WORD]; /* of samples: "skipped:status" */
	const char *text; /* what the record lacks, or what is damaged */
	enum reason_kind kind;
	uint64_t count;
};

struct reasons {
	struct left_reason at[ROWS];
	size_t n;
};

/* What is meant by each word. In the order of the enums. */
static const char *const damage_texts[DAMAGE_REASONS] = {
	[DAMAGE_GARBAGE] = "bytes in which no record can be recognised",
	[DAMAGE_BAD_HEAD] = "a header that is not one",
	[DAMAGE_HEAD_TOO_LARGE] = "a header beyond the limit",
	[DAMAGE_BAD_VERSION] = "a version that is not known",
	[DAMAGE_BAD_LENGTH] = "Content-Length leads to no end of a record",
	[DAMAGE_BAD_MEMBER] = "compressed data, or its checksum, is wrong",
	[DAMAGE_BAD_DIGEST] = "the block does not match its digest",
	[DAMAGE_TRUNCATED] = "the input ends within the record",
	[DAMAGE_NO_DICTIONARY] = "the dictionary of the compression is missing",
	[DAMAGE_NOT_AN_ARCHIVE] = "the whole input is no archive",
};

/* Why a record gave no document, and what takes such records; the words stay what programs read. */
static const char *const skip_texts[SKIP_REASONS] = {
	[SKIP_TYPE] = "not a response record, or of no type that --type names; --type any takes all",
	[SKIP_STATUS] = "the HTTP status is not 200, or none that --status names; --status any takes all",
	[SKIP_MIME] = "not HTML, or of no type that --mime names; --mime any takes all",
	[SKIP_SHORT] = "too little text; --min-chars 0 takes all",
	[SKIP_NO_URI] = "without the address that every page has, or, for --format warc, with an empty one",
	[SKIP_WORK_LIMIT] = "more work than the size allows; a larger --max-work takes more",
	[SKIP_UNREADABLE] = "the text is mostly U+FFFD; --min-chars 0 takes all",
	[SKIP_PLUGIN] = "left out by the rules of a plugin",
	[SKIP_REVISIT] = "a revisit has no page of its own; --revisits resolve finds it",
};

static const char *const problem_texts[PROBLEM_WORDS] = {
	[PROBLEM_NUMBER_TRUNCATED_SOURCE] = "the crawler cut the page, or part of its record is missing",
	[PROBLEM_NUMBER_TRUNCATED_LIMIT] = "the page is longer than a limit, and was cut",
	[PROBLEM_NUMBER_TRUNCATED_TEXT] = "the text is longer than its limit, and was cut",
	[PROBLEM_NUMBER_BAD_HTTP] = "the HTTP header is damaged",
	[PROBLEM_NUMBER_BAD_CHUNKED] = "the chunked transfer encoding is damaged",
	[PROBLEM_NUMBER_BAD_CODING] = "the Content-Encoding is damaged or not known",
	[PROBLEM_NUMBER_BAD_CHARSET] = "the declared charset is not known",
	[PROBLEM_NUMBER_BAD_DATE] = "the date of the record cannot be read",
	[PROBLEM_NUMBER_HEAD_CUT] = "a line of the header was too long, and was cut",
	[PROBLEM_NUMBER_BODY_LENGTH] = "the length in the HTTP header is wrong",
	[PROBLEM_NUMBER_BAD_DIGEST] = "the block does not match its digest",
	[PROBLEM_NUMBER_UNVERIFIED] = "no checksum has shown that the record is as it was written",
	[PROBLEM_NUMBER_STRUCTURE_CUT] = "the Markdown or the list of blocks reached a limit, and was cut",
	[PROBLEM_NUMBER_TEXTS_MISSING] = "a text that was asked for could not be made",
	[PROBLEM_NUMBER_BAD_LENGTH] = "the length of the record is wrong, and its end is known otherwise",
	[PROBLEM_NUMBER_CHARSET_LABEL] = "the bytes contradict the declared charset",
};

/* Which records are no pages to begin with: nobody has lost text with them. */
static bool is_no_page(struct slice word)
{
	static const enum skip_reason none[] = { SKIP_TYPE, SKIP_REVISIT, SKIP_STATUS, SKIP_MIME, SKIP_NO_URI };
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		if (slice_equal(word, slice_from_text(skip_word(none[i]))))
			return true;
	}
	return false;
}

static const char *reason_text(struct slice word, bool damage)
{
	for (unsigned i = 0; damage && i < DAMAGE_REASONS; i++) {
		if (slice_equal(word, slice_from_text(damage_word((enum damage_reason)i))))
			return damage_texts[i];
	}
	for (unsigned i = SKIP_NONE + 1; !damage && i < SKIP_REASONS; i++) {
		if (i != SKIP_PLUGIN && slice_equal(word, slice_from_text(skip_word((enum skip_reason)i))))
			return skip_texts[i];
	}
	return damage ? "" : skip_texts[SKIP_PLUGIN];
}

static int by_count(const void *a, const void *b)
{
	const struct left_reason *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->word, y->word);
}

/* Largest first. */
static void find_reasons(struct report_text *p, struct reasons *r)
{
	static const char *const names[] = { "skipped", "damaged" };
	r->n = 0;
	for (unsigned i = 0; i < 2; i++) {
		struct json_walk w = json_walk(member(&p->root, names[i]));
		while (json_walk_next(&w) && r->n < ROWS) {
			struct left_reason *to = &r->at[r->n++];
			buf_clear(&p->space);
			buf_latch(p->out, json_string_decode(w.name, &p->space));
			const struct slice word = buf_slice(&p->space);
			(void)snprintf(to->word, sizeof(to->word), "%.*s", (int)word.len, (const char *)word.data);
			(void)snprintf(to->group, sizeof(to->group), "%s:%.*s", names[i], (int)word.len,
				       (const char *)word.data);
			to->count = count_of(w.value);
			to->text = reason_text(word, i == 1);
			to->kind = i == 1 ? REASON_DAMAGE : is_no_page(word) ? REASON_NO_PAGE : REASON_PAGE;
		}
	}
	qsort(r->at, r->n, sizeof(*r->at), by_count);
}

/* ---- the flow ---- */

/*
 * Three columns: records; pages, and what was none; documents, and why other pages gave none. Each bar is as high as
 * its share, but high enough for its name.
 */
enum { FLOW_WIDTH = 1000, FLOW_HEIGHT = 280, FLOW_LEAST = 20, FLOW_BAR = 14, FLOW_GAP = 6 };

static double flow_height(uint64_t count, uint64_t whole)
{
	return whole ? FLOW_HEIGHT * (double)count / (double)whole : 0;
}

/* A bar, its name, and the band that leads to it from (x0, *y0), which moves down. Returns where the next bar is. */
static double flow_bar(struct report_text *p, const char *kind, const char *name, uint64_t count, int x0, double *y0,
		       int x, double y)
{
	char number[NUMBER];
	const double h = flow_height(count, p->records), bar = h < 1 ? 1 : h;
	if (x0 >= 0) {
		const int mid = (x0 + x) / 2;
		const long from = lrint(*y0), to = lrint(y), high = lrint(bar);
		buf_printf(p->out, "<path class=\"%s\" d=\"M%d %ldC%d %ld %d %ld %d %ldv%ldC%d %ld %d %ld %d %ldZ\"/>",
			   kind, x0, from, mid, from, mid, to, x, to, high, mid, to + high, mid, from + high, x0,
			   from + high);
		*y0 += h;
	}
	buf_printf(p->out,
		   "<rect class=\"%s\" x=\"%d\" y=\"%ld\" width=\"%d\" height=\"%ld\"/><text x=\"%d\" y=\"%ld\">", kind,
		   x, lrint(y), FLOW_BAR, lrint(bar), x + FLOW_BAR + 6,
		   lrint(y + (bar < FLOW_LEAST ? 11 : bar / 2 + 5)));
	put_text(p, name);
	buf_printf(p->out, " %s</text>\n", grouped(count, number));
	return y + (bar < FLOW_LEAST ? FLOW_LEAST : bar) + FLOW_GAP;
}

static void put_flow(struct report_text *p, const struct reasons *r)
{
	enum { SECOND = 330, THIRD = 660 };
	char number[4][NUMBER];
	double end = FLOW_HEIGHT, from = 1, second, third, y0;
	const size_t start = p->out->len;
	buf_printf(p->out,
		   "<div class=\"flow\"><svg role=\"img\" aria-label=\"%s records, of them %s pages, of them %s "
		   "documents; "
		   "the table below has all numbers\" ",
		   grouped(p->records, number[0]), grouped(p->pages, number[1]), grouped(p->documents, number[2]));
	struct buf shapes = { 0 }, *out = p->out;
	p->out = &shapes;
	(void)flow_bar(p, "all", "records", p->records, -1, NULL, 0, 1);
	y0 = from;
	second = third = flow_bar(p, "kept", "pages", p->pages, FLOW_BAR, &y0, SECOND, 1);
	for (size_t i = 0; i < r->n; i++) {
		if (r->at[i].kind != REASON_PAGE)
			second = flow_bar(p, r->at[i].kind == REASON_DAMAGE ? "bad" : "left", r->at[i].word,
					  r->at[i].count, FLOW_BAR, &y0, SECOND, second);
	}
	y0 = 1;
	third = flow_bar(p, "kept", "documents", p->documents, SECOND + FLOW_BAR, &y0, THIRD, 1);
	for (size_t i = 0; i < r->n; i++) {
		if (r->at[i].kind == REASON_PAGE)
			third = flow_bar(p, "left", r->at[i].word, r->at[i].count, SECOND + FLOW_BAR, &y0, THIRD,
					 third);
	}
	end = second > end ? second : end;
	end = third > end ? third : end;
	p->out = out;
	buf_printf(p->out, "viewBox=\"0 0 %d %.0f\">\n", FLOW_WIDTH, end);
	buf_append(p->out, shapes.data, shapes.len);
	buf_latch(p->out, buf_status(&shapes));
	buf_free(&shapes);
	put(p, "</svg></div>\n");
	if (p->records == 0)
		p->out->len = start;
}

/* A name with a link to its samples, if there are any. */
static void put_reason_name(struct report_text *p, const char *word, const char *group)
{
	const bool linked = json_kind(member(&p->samples, group)) == JSON_IS_ARRAY;
	if (linked) {
		put(p, "<a href=\"#");
		put_text(p, group);
		put(p, "\">");
	}
	put(p, "<code>");
	put_text(p, word);
	put(p, linked ? "</code></a>" : "</code>");
}

static void put_reasons(struct report_text *p, const struct reasons *r, enum reason_kind kind, const char *caption)
{
	bool any = false;
	for (size_t i = 0; i < r->n; i++)
		any |= r->at[i].kind == kind;
	if (!any)
		return;
	const char *const columns[] = { "reason", "what it means", "records",
					kind == REASON_PAGE ? "of pages" : "of records", NULL };
	table_begin(p, caption, true, columns, 2, true);
	const uint64_t whole = kind == REASON_PAGE ? p->pages : p->records;
	for (size_t i = 0; i < r->n; i++) {
		const struct left_reason *s = &r->at[i];
		if (s->kind != kind)
			continue;
		put(p, "<tr><th scope=\"row\">");
		put_reason_name(p, s->word, s->group);
		put(p, "<td>");
		put_text(p, s->text);
		put_number(p, s->count);
		put_percent(p, s->count, whole);
		put_bar(p, kind == REASON_DAMAGE ? "bad" : "left", thousandths(s->count, whole));
		buf_append_byte(p->out, '\n');
	}
	put(p, "</tbody></table>\n");
}

static void put_summary(struct report_text *p, const struct reasons *r)
{
	char number[3][NUMBER];
	uint64_t left = 0;
	for (size_t i = 0; i < r->n; i++)
		left += r->at[i].kind == REASON_PAGE ? r->at[i].count : 0;
	buf_printf(p->out, "<p>%s records came in. %s of them are pages, and %s of these were written as documents: ",
		   grouped(p->records, number[0]), grouped(p->pages, number[1]), grouped(p->documents, number[2]));
	put_text(p, percent(p->documents, p->pages, number[0]));
	put(p, ".");
	if (left) {
		put(p, " ");
		put_text(p, percent(left, p->pages, number[0]));
		put(p, " of the pages were left out");
		for (size_t i = 0, n = 0; i < r->n && n < 3; i++) {
			if (r->at[i].kind != REASON_PAGE)
				continue;
			put(p, n++ ? ", " : ": ");
			put_text(p, percent(r->at[i].count, p->pages, number[0]));
			put(p, " as <code>");
			put_text(p, r->at[i].word);
			put(p, "</code>");
		}
		put(p, ".");
	}
	put(p, "</p>\n");
	if (json_kind(member(&p->root, "shards")) == JSON_IS_ARRAY)
		put(p, "<p><strong>Shares of the run are missing: this is not all of it.</strong></p>\n");
	if (member_count(&p->root, "missing"))
		buf_printf(p->out, "<p><strong>%s inputs were not there.</strong></p>\n",
			   grouped(member_count(&p->root, "missing"), number[0]));
	put(p, "<dl class=\"facts\">\n");
	fact(p, "bytes read", bytes_text(member_count(&p->root, "bytes_in"), number[0]));
	fact(p, "bytes of records", bytes_text(member_count(&p->root, "bytes_decoded"), number[0]));
	fact(p, "bytes written", bytes_text(member_count(&p->root, "bytes_out"), number[0]));
	fact(p, "characters of text", grouped(p->chars, number[0]));
	fact(p, "characters a document", grouped(p->documents ? p->chars / p->documents : 0, number[0]));
	fact(p, "damaged records", grouped(p->damaged, number[0]));
	put(p, "</dl>\n");
}

/* ---- problems ---- */

static void put_problems(struct report_text *p)
{
	static const char *const columns[] = { "problem", "what it means", "documents", "of documents", NULL };
	struct members problems;
	find_members(member(&p->root, "problems"), &problems);
	bool any = false;
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++) {
		char group[WORD];
		const uint64_t count = member_count(&problems, problem_word(bit));
		if (count == 0)
			continue;
		if (!any)
			table_begin(p,
				    "Documents that were written although something is wrong with them. A document can "
				    "have several problems.",
				    true, columns, 2, false);
		any = true;
		(void)snprintf(group, sizeof(group), "problem:%s", problem_word(bit));
		put(p, "<tr><th scope=\"row\">");
		put_reason_name(p, problem_word(bit), group);
		put(p, "<td>");
		put_text(p, problem_texts[bit]);
		put_number(p, count);
		put_percent(p, count, p->documents);
		buf_append_byte(p->out, '\n');
	}
	put(p, any ? "</tbody></table>\n" : "<p>No document has a problem.</p>\n");
}

/* ---- histograms ---- */

static void length_name(unsigned bin, char *out, size_t size)
{
	char from[NUMBER], to[NUMBER];
	const uint64_t first = bin ? UINT64_C(1) << (bin - 1) : 0, last = bin ? 2 * first - 1 : 0;
	if (first == last)
		(void)snprintf(out, size, "%s", grouped(first, from));
	else if (bin + 1 == SURVEY_LENGTHS)
		(void)snprintf(out, size, "%s or more", grouped(first, from));
	else
		(void)snprintf(out, size, "%s to %s", grouped(first, from), grouped(last, to));
}

static void share_name(unsigned bin, char *out, size_t size)
{
	enum { STEP = 100 / SURVEY_SHARES };
	(void)snprintf(out, size, "%u to %u %%", bin * STEP, (bin + 1) * STEP);
}

static void margin_name(unsigned bin, char *out, size_t size)
{
	enum { STEP = 100 / SURVEY_SHARES };
	(void)snprintf(out, size, "%u.%02u to %u.%02u", bin * STEP / 100, bin * STEP % 100, (bin + 1) * STEP / 100,
		       (bin + 1) * STEP % 100);
}

/* Bins before the first and after the last document are left out. */
static void put_histogram(struct report_text *p, const char *table, const char *heading, const char *about,
			  const char *of, void (*name)(unsigned bin, char *out, size_t size))
{
	uint64_t bins[SURVEY_LENGTHS] = { 0 }, most = 0, sum = 0;
	unsigned first = SURVEY_LENGTHS, last = 0, n = 0;
	struct json_walk w = json_walk(member(&p->report, table));
	while (n < SURVEY_LENGTHS && json_walk_next(&w)) {
		bins[n] = count_of(w.value);
		most = bins[n] > most ? bins[n] : most;
		sum += bins[n];
		first = bins[n] && first == SURVEY_LENGTHS ? n : first;
		last = bins[n] ? n : last;
		n++;
	}
	buf_printf(p->out, "<div><h3>%s</h3>\n<p class=\"note\">%s</p>\n", heading, about);
	if (sum == 0) {
		put(p, "<p>It is not known: the method <code>learned</code> gives it.</p></div>\n");
		return;
	}
	const char *const columns[] = { of, "documents", "share", NULL };
	table_begin(p, heading, false, columns, 1, true);
	for (unsigned i = first; i <= last; i++) {
		char text[WORD];
		name(i, text, sizeof(text));
		put(p, "<tr><th scope=\"row\">");
		put_text(p, text);
		put_number(p, bins[i]);
		put_percent(p, bins[i], sum);
		put_bar(p, "kept", log_thousandths(bins[i], most));
		buf_append_byte(p->out, '\n');
	}
	put(p, "</tbody></table></div>\n");
}

/* ---- words ---- */

static bool has_words(const struct report_text *p, const char *table)
{
	struct json_walk w = json_walk(json_member(member(&p->report, table), "words"));
	return json_walk_next(&w);
}

/* A table of words with their documents and, unless `chars` is NULL, the share of the characters. */
static void put_words(struct report_text *p, const char *table, const char *heading, const char *unknown,
		      const char *what, unsigned shown, bool chars)
{
	struct json_walk w = json_walk(json_member(member(&p->report, table), "words"));
	uint64_t n = 0;
	if (!has_words(p, table))
		return;
	buf_printf(p->out, "<div><h3>%s</h3>\n", heading);
	const char *const columns[] = { what, chars ? "documents" : "records", chars ? "characters" : NULL,
					"of all text", NULL };
	table_begin(p, heading, false, columns, 1, chars);
	for (; json_walk_next(&w); n++) {
		struct json_walk row = json_walk(w.value);
		if (n >= shown)
			continue;
		(void)json_walk_next(&row);
		const struct slice word = characters(p, row.value);
		put(p, "<tr><th scope=\"row\"><bdi>");
		html_put_text(p->out, word.len ? word : slice_from_text(unknown));
		put(p, "</bdi>");
		(void)json_walk_next(&row);
		put_number(p, count_of(row.value));
		(void)json_walk_next(&row);
		if (chars) {
			const uint64_t count = count_of(row.value);
			put_number(p, count);
			put_percent(p, count, p->chars);
			put_bar(p, "kept", thousandths(count, p->chars));
		}
		buf_append_byte(p->out, '\n');
	}
	put(p, "</tbody></table>\n");
	char number[NUMBER];
	if (n > shown)
		buf_printf(p->out, "<p class=\"note\">%s more are not shown.</p>\n", grouped(n - shown, number));
	const uint64_t low = count_of(json_member(member(&p->report, table), "low"));
	if (low)
		buf_printf(
			p->out,
			"<p class=\"note\">There are too many to count each: the numbers of %s are at most %s too low, "
			"and others are at least what is shown.</p>\n",
			strcmp(table, "sites") == 0 ? "characters" : "documents", grouped(low, number));
	put(p, "</div>\n");
}

/* What plugins have counted and reported. */
static void put_plugins(struct report_text *p)
{
	static const char *const columns[] = { "plugin", "what", "number", NULL };
	struct json_walk plugins = json_walk(member(&p->root, "plugins"));
	bool any = false;
	while (json_walk_next(&plugins)) {
		struct json_walk counters = json_walk(plugins.value);
		if (!any)
			put(p, "<div><h3>Counted by plugins</h3>\n"),
				table_begin(p, "Counted by plugins", false, columns, 2, false);
		any = true;
		while (json_walk_next(&counters)) {
			uint64_t count;
			const struct slice written = json_written(counters.value);
			put(p, "<tr><th scope=\"row\">");
			buf_clear(&p->space);
			buf_latch(p->out, json_string_decode(plugins.name, &p->space));
			html_put_text(p->out, buf_slice(&p->space));
			put(p, "<td>");
			buf_clear(&p->space);
			buf_latch(p->out, json_string_decode(counters.name, &p->space));
			for (size_t i = 0; i < p->space.len; i++)
				p->space.data[i] = p->space.data[i] == '_' ? ' ' : p->space.data[i];
			html_put_text(p->out, buf_slice(&p->space));
			if (decimal_number(written, UINT64_MAX, &count)) {
				put_number(p, count);
			} else {
				put(p, "<td class=\"number\">");
				html_put_text(p->out, written);
			}
			buf_append_byte(p->out, '\n');
		}
	}
	if (any)
		put(p, "</tbody></table></div>\n");
}

/* ---- samples ---- */

/* A word of a shell's command, in quotes but for the last one. */
static void put_quoted(struct buf *out, struct slice word)
{
	buf_append_byte(out, '\'');
	while (word.len) {
		const struct slice plain = slice_first(word, slice_until(word, "'"));
		buf_append(out, plain.data, plain.len);
		word = slice_skip(word, plain.len);
		if (word.len)
			buf_append_text(out, "'\\''");
		word = slice_skip(word, 1);
	}
}

/*
 * What shows more of a record: how the method decided about its page, or what dana says of it. Of a record of another
 * type there is nothing to say.
 */
enum command { COMMAND_NONE, COMMAND_EXPLAIN, COMMAND_FILTER };

static void put_command(struct report_text *p, struct slice file, uint64_t offset, enum command command)
{
	struct buf line = { 0 };
	if (file.len == 0 || slice_equal(file, slice_from_text("-")) || command == COMMAND_NONE)
		return;
	if (command == COMMAND_EXPLAIN) {
		buf_append_text(&line, "dana explain ");
		put_quoted(&line, file);
		buf_printf(&line, "@%" PRIu64 "' >page.html", offset);
	} else {
		buf_printf(&line, "dana filter -v --range %" PRIu64 "-%" PRIu64 " ", offset, offset + 1);
		put_quoted(&line, file);
		buf_append_text(&line, "' >/dev/null");
	}
	put(p, "<p><code>");
	html_put_text(p->out, buf_slice(&line));
	put(p, "</code></p>\n");
	buf_latch(p->out, buf_status(&line));
	buf_free(&line);
}

static void put_sample(struct report_text *p, struct json_value object, bool has_margin, enum command command)
{
	char number[NUMBER];
	struct members sample;
	find_members(object, &sample);
	const uint64_t offset = member_count(&sample, "offset"), chars = member_count(&sample, "chars");
	struct slice text = characters(p, member(&sample, "title"));
	put(p, "<li>");
	if (text.len) {
		put(p, "<p><strong><bdi>");
		html_put_text(p->out, text);
		put(p, "</bdi></strong></p>\n");
	}
	text = characters(p, member(&sample, "url"));
	put(p, "<p><bdi>");
	html_put_text(p->out, text.len ? text : slice_from_text("without a URL"));
	put(p, "</bdi></p>\n");
	text = characters(p, member(&sample, "text"));
	if (text.len) {
		put(p, "<p class=\"text\" dir=\"auto\">");
		html_put_text(p->out, text);
		put(p, "</p>\n");
	}
	put(p, "<p class=\"note\">");
	text = characters(p, member(&sample, "file"));
	if (text.len) { /* pages of the service have none */
		put(p, "<code>");
		html_put_text(p->out, text);
		buf_printf(p->out, "@%" PRIu64 "</code>%s", offset, chars ? ", " : "");
	}
	if (chars)
		buf_printf(p->out, "%s characters", grouped(chars, number));
	if (has_margin) /* of one rank: no two numbers have more letters */
		buf_printf(p->out, ", margin %.3f", (double)member_count(&sample, "rank") / 65536);
	text = characters(p, member(&sample, "detail"));
	if (text.len) {
		put(p, ": ");
		html_put_text(p->out, text);
	}
	put(p, "</p>\n");
	put_command(p, characters(p, member(&sample, "file")), offset, command);
	put(p, "</li>\n");
}

static void put_group(struct report_text *p, const char *group, const char *heading, bool open, enum command command)
{
	struct json_walk w = json_walk(member(&p->samples, group));
	bool any = false;
	while (json_walk_next(&w)) {
		if (!any) {
			put(p, open ? "<details open><summary>" : "<details><summary>");
			put_text(p, heading);
			put(p, "</summary>\n<ul class=\"samples\" id=\""); /* inside: a link to it unfolds it */
			put_text(p, group);
			put(p, "\">\n");
		}
		any = true;
		put_sample(p, w.value, strcmp(group, "margin") == 0, command);
	}
	if (any)
		put(p, "</ul></details>\n");
}

static void put_samples(struct report_text *p, const struct reasons *r)
{
	char heading[WORD * 2];
	put(p, "<p>Which records are shown depends on their places alone: the same ones in every run. Each is named as "
	       "FILE@OFFSET. Of records that begin at one place, as in a file compressed as one piece, dana explain "
	       "shows the first; --url URL names another.</p>\n");
	put_group(p, "random", "Documents chosen at random", true, COMMAND_EXPLAIN);
	put_group(p, "margin", "Documents of which the method was least sure", false, COMMAND_EXPLAIN);
	for (size_t i = 0; i < r->n; i++) {
		const char *word = r->at[i].word;
		const enum command command = strcmp(word, "type") == 0 ? COMMAND_NONE
					     : r->at[i].kind == REASON_DAMAGE || strcmp(word, "revisit") == 0
						     ? COMMAND_FILTER
						     : COMMAND_EXPLAIN;
		(void)snprintf(heading, sizeof(heading), "%s: %s",
			       r->at[i].kind == REASON_DAMAGE ? "Damaged" : "Left out", r->at[i].word);
		put_group(p, r->at[i].group, heading, false, command);
	}
	for (unsigned bit = 0; bit < PROBLEM_WORDS; bit++) {
		char group[WORD];
		(void)snprintf(group, sizeof(group), "problem:%s", problem_word(bit));
		(void)snprintf(heading, sizeof(heading), "Documents with the problem %s", problem_word(bit));
		put_group(p, group, heading, false, COMMAND_EXPLAIN);
	}
}

/* ---- one run ---- */

enum { TIME_SECONDS, TIME_CPU, TIME_MEMORY, TIME_BYTES, TIME_DOCUMENTS, TIME_NUMBERS };

struct time_row {
	double of[TIME_NUMBERS];
};

/* Appends the rows. */
static int read_times(struct json_value times, struct buf *rows)
{
	for (struct json_walk w = json_walk(times); json_walk_next(&w);) {
		struct time_row row = { { 0 } };
		struct json_walk numbers = json_walk(w.value);
		for (unsigned i = 0; i < TIME_NUMBERS && json_walk_next(&numbers); i++)
			row.of[i] = real_of(numbers.value);
		buf_append(rows, &row, sizeof(row));
	}
	return buf_status(rows);
}

/* What is drawn of row `i`: how much of one number came with each second, or the number itself. */
static double time_value(unsigned number, const struct time_row *rows, size_t i)
{
	static const struct time_row none;
	const struct time_row *now = &rows[i], *before = i ? &rows[i - 1] : &none;
	const double seconds = now->of[TIME_SECONDS] - before->of[TIME_SECONDS];
	return number == TIME_MEMORY ? now->of[number]
	       : seconds > 0         ? (now->of[number] - before->of[number]) / seconds
				     : 0;
}

static void put_line(struct report_text *p, const struct buf *times, unsigned number, const char *heading, int decimals,
		     const char *unit, double size)
{
	const struct time_row *rows = (const void *)times->data;
	const size_t n = times->len / sizeof(*rows);
	const double last = n ? rows[n - 1].of[TIME_SECONDS] : 0;
	double most = 0;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, time_value(number, rows, i));
	char text[NUMBER];
	(void)snprintf(text, sizeof(text), "%.*f%s", decimals, most / size, unit);
	buf_printf(
		p->out,
		"<div class=\"lines\"><h3>%s</h3>\n<svg role=\"img\" aria-label=\"%s over %.1f seconds: at most %s\" "
		"viewBox=\"0 0 10000 1000\" preserveAspectRatio=\"none\"><path d=\"",
		heading, heading, last, text);
	for (size_t i = 0; i < n; i++) {
		const double x = last > 0 ? rows[i].of[TIME_SECONDS] / last : 0,
			     y = most > 0 ? time_value(number, rows, i) / most : 0;
		buf_printf(p->out, "%c%ld %ld", i ? 'L' : 'M', lrint(10000 * x), lrint(980 - 960 * y));
	}
	buf_printf(p->out, "\"/></svg>\n<p class=\"scale\">at most %s; %.1f seconds from left to right</p></div>\n",
		   text, last);
}

static void put_times(struct report_text *p)
{
	char number[NUMBER];
	struct buf rows = { 0 };
	buf_latch(p->out, read_times(p->times, &rows));
	section(p, "time", "Time and memory");
	put(p, "<dl class=\"facts\">\n");
	(void)snprintf(number, sizeof(number), "%.1f s", real_of(member(&p->root, "seconds")));
	fact(p, "time", number);
	(void)snprintf(number, sizeof(number), "%.1f s", real_of(member(&p->root, "cpu_seconds")));
	fact(p, "CPU time", number);
	fact(p, "most memory", bytes_text(member_count(&p->root, "peak_rss_bytes"), number));
	put(p, "</dl>\n<div class=\"pair\">\n");
	put_line(p, &rows, TIME_CPU, "CPU", 2, " cores", 1);
	put_line(p, &rows, TIME_MEMORY, "Most memory so far", 1, " MB", 1e6);
	put_line(p, &rows, TIME_BYTES, "Bytes read a second", 1, " MB", 1e6);
	put_line(p, &rows, TIME_DOCUMENTS, "Documents a second", 0, "", 1);
	put(p, "</div>\n</section>\n");
	buf_free(&rows);
}

/* ---- settings ---- */

static void put_settings(struct report_text *p)
{
	struct json_walk w = json_walk(member(&p->report, "settings"));
	unsigned n = 0;
	while (json_walk_next(&w))
		n++;
	if (n > 1)
		buf_printf(p->out, "<p>The parts of the run have %u different settings.</p>\n", n);
	w = json_walk(member(&p->report, "settings"));
	while (json_walk_next(&w)) {
		put(p, "<pre>");
		html_put_text(p->out, characters(p, w.value));
		put(p, "</pre>\n");
	}
}

/* ---- the page ---- */

static void put_body(struct report_text *p, struct reasons *r)
{
	const bool has_times = json_kind(p->times) == JSON_IS_ARRAY;
	find_reasons(p, r);
	p->pages = p->documents;
	for (size_t i = 0; i < r->n; i++) {
		p->pages += r->at[i].kind == REASON_PAGE ? r->at[i].count : 0;
		p->damaged += r->at[i].kind == REASON_DAMAGE ? r->at[i].count : 0;
	}
	put_summary(p, r);
	put(p, "<nav aria-label=\"sections\"><ul><li><a href=\"#flow\">in and out</a><li><a "
	       "href=\"#problems\">problems</a><li>"
	       "<a href=\"#histograms\">histograms</a><li><a href=\"#sites\">sites</a><li><a href=\"#words\">kinds and "
	       "charsets</a><li><a href=\"#samples\">samples</a>");
	if (has_times)
		put(p, "<li><a href=\"#time\">time</a>");
	put(p, "<li><a href=\"#settings\">settings</a></ul></nav>\n");
	section(p, "flow", "What came in and what came out");
	put_flow(p, r);
	put_reasons(p, r, REASON_PAGE, "Pages that were left out");
	put_reasons(p, r, REASON_NO_PAGE, "Records that are no pages");
	put(p, "</section>\n");
	section(p, "problems", "Problems and damage");
	put_reasons(p, r, REASON_DAMAGE, "Damaged records and regions, which are never written");
	if (!p->damaged)
		put(p, "<p>No record is damaged.</p>\n");
	put_problems(p);
	put(p, "</section>\n");
	section(p, "histograms", "Lengths, shares and margins");
	put(p, "<p class=\"note\">The length of a bar grows with the logarithm of the number of documents.</p>\n"
	       "<div class=\"pair\">\n");
	put_histogram(p, "length", "Length of the text", "Characters of a document.", "characters", length_name);
	put_histogram(p, "share", "Share that was kept", "Of the words of a page, so many are in its text.",
		      "of the words", share_name);
	put_histogram(
		p, "margin", "How sure the method was",
		"How far the probabilities of the blocks are from the threshold, on average over the words of a page.",
		"margin", margin_name);
	put(p, "</div>\n</section>\n");
	section(p, "sites", "The largest sites");
	put_words(p, "sites", "By characters of text", "without a host", "site", SITES_SHOWN, true);
	put(p, "</section>\n");
	section(p, "words", "Kinds, languages, charsets, rules");
	put(p, "<div class=\"pair\">\n");
	put_words(p, "kinds", "Kinds of page", "", "kind", WORDS_SHOWN, true);
	put_words(p, "languages", "Languages", "not known", "language", WORDS_SHOWN, true);
	put_words(p, "charsets", "Charsets", "", "charset", WORDS_SHOWN, true);
	put_words(p, "rules", "Rules of plugins that left pages out", "", "plugin: rule", WORDS_SHOWN, false);
	put_plugins(p);
	put(p, "</div>\n</section>\n");
	section(p, "samples", "Samples");
	put_samples(p, r);
	put(p, "</section>\n");
	if (has_times)
		put_times(p);
	section(p, "settings", "Settings");
	put_settings(p);
	put(p, "</section>\n");
}

int report_page(struct slice line, struct slice times, struct buf *out, struct error *err)
{
	static const struct json_rules rules = { .depth_most = DEPTH_MOST };
	const struct slice style = slice_of(report_css, report_css_len);
	struct json_reader *reader = json_reader_new(&rules), *time_reader = json_reader_new(&rules);
	struct reasons *reasons = calloc(1, sizeof(*reasons));
	struct buf body = { 0 };
	struct report_text p = { .out = &body };
	struct json_value root = { 0 };
	int status = reader && time_reader && reasons ? json_read(reader, line, &root, err) : error_no_memory(err);
	if (status == DANA_OK && times.len)
		status = json_read(time_reader, times, &p.times, err);
	find_members(root, &p.root);
	find_members(member(&p.root, "report"), &p.report);
	find_members(member(&p.report, "samples"), &p.samples);
	if (status == DANA_OK && json_kind(member(&p.root, "report")) != JSON_IS_OBJECT)
		status = error_set(err, DANA_EFORMAT, "it has no `report`; expected what --stats writes with --report");
	if (status == DANA_OK) {
		p.records = member_count(&p.root, "records");
		p.documents = member_count(&p.root, "documents");
		p.chars = member_count(&p.root, "text_chars");
		(void)buf_reserve(&body, 2 * line.len + ROOM);
		put_body(&p, reasons);
		const struct html_place places[] = { { "{{digest of style}}", html_put_digest, style },
						     { "{{style}}", html_put_markup, style },
						     { "{{body}}", html_put_markup, buf_slice(&body) } };
		buf_latch(out, buf_status(&body));
		(void)buf_reserve(out, body.len + style.len + ROOM);
		html_fill(out, slice_of(report_html, report_html_len), places, sizeof(places) / sizeof(*places));
		status = buf_status(out) < 0 ? error_no_memory(err) : DANA_OK;
	}
	buf_free(&body);
	buf_free(&p.space);
	free(reasons);
	json_reader_free(reader);
	json_reader_free(time_reader);
	return status;
}
