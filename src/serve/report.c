/* SPDX-License-Identifier: MIT */
/*
 * GET /report: the report of all pages since the service began. The pages are with the workers, which end and are
 * started anew; so a worker adds to each answer a note of its page, from which the service makes the outcome that its
 * counters and its survey take. Both are the same program: a note is numbers as they are in memory, then texts.
 */
#include "config.h"

#include "serve/report.h"

#include "archive/report_page.h"
#include "archive/single_page.h"
#include "archive/stats.h"
#include "archive/survey.h"
#include "base/utf8.h"
#include "dana/dana.h"
#include "serve/request.h"

/* The texts of a note, each with a NUL after it. */
enum note_text {
	NOTE_URL,
	NOTE_TITLE,
	NOTE_START, /* of the text */
	NOTE_METHOD,
	NOTE_KIND,
	NOTE_CHARSET,
	NOTE_LANGUAGE,
	NOTE_DETAIL, /* why the page gave no document */
	NOTE_TEXTS
};

enum { NOTE_TEXT_MOST = 512 };

struct note {
	uint64_t text_chars, html_bytes, words, words_kept;
	uint32_t margin, problems;
	uint32_t skipped; /* enum skip_reason; SKIP_NONE: a document */
	uint32_t with_language;
	uint32_t len[NOTE_TEXTS]; /* without the NULs */
};

/* ---- in the worker ---- */

static enum skip_reason skip_of(int status)
{
	switch (status) {
	case DANA_EFORMAT:
		return SKIP_MIME;
	case DANA_ELIMIT:
		return SKIP_WORK_LIMIT;
	case SINGLE_PAGE_DROPPED:
		return SKIP_PLUGIN;
	default:
		return SKIP_NONE;
	}
}

int page_note_write(int status, const struct document *doc, struct slice url, const struct error *err, struct buf *note)
{
	struct note n = { .skipped = skip_of(status) };
	struct slice texts[NOTE_TEXTS] = { [NOTE_URL] = url };
	if (status != DANA_OK && n.skipped == SKIP_NONE)
		return DANA_OK;
	if (status == DANA_OK) {
		n.text_chars = doc->text_chars;
		n.html_bytes = doc->html_bytes;
		n.words = doc->words;
		n.words_kept = doc->words_kept;
		n.margin = doc->margin;
		n.problems = doc->problems;
		n.with_language = doc->with_language;
		texts[NOTE_TITLE] = doc->title;
		texts[NOTE_START] = doc->text;
		texts[NOTE_METHOD] = slice_from_text(doc->method ? doc->method : "");
		texts[NOTE_KIND] = slice_from_text(doc->page_kind ? doc->page_kind : "");
		texts[NOTE_CHARSET] = slice_from_text(doc->charset ? doc->charset : "");
		texts[NOTE_LANGUAGE] = doc->language;
	} else {
		texts[NOTE_DETAIL] = slice_from_text(err->text);
	}
	for (unsigned i = 0; i < NOTE_TEXTS; i++) {
		const struct slice first = slice_first(texts[i], NOTE_TEXT_MOST);
		texts[i] = first.len < texts[i].len ? slice_first(first, utf8_without_cut(first)) : first;
		n.len[i] = (uint32_t)texts[i].len;
	}
	buf_append(note, &n, sizeof(n));
	for (unsigned i = 0; i < NOTE_TEXTS; i++) {
		buf_append(note, texts[i].data, texts[i].len);
		buf_append_byte(note, 0);
	}
	return buf_status(note);
}

/* ---- in the service ---- */

static const char *method_name(struct slice name)
{
	for (size_t i = 0; i < dana_method_count(); i++) {
		if (slice_equal(name, slice_from_text(dana_method_name(i))))
			return dana_method_name(i);
	}
	return NULL;
}

static const char *or_null(struct slice text)
{
	return text.len ? (const char *)text.data : NULL;
}

static int add_note(struct server *s, const struct note *n, const struct slice texts[NOTE_TEXTS])
{
	struct document doc = { .title = texts[NOTE_TITLE],
				.text = texts[NOTE_START],
				.method = method_name(texts[NOTE_METHOD]),
				.page_kind = or_null(texts[NOTE_KIND]),
				.charset = or_null(texts[NOTE_CHARSET]),
				.language = texts[NOTE_LANGUAGE],
				.with_language = n->with_language != 0,
				.text_chars = n->text_chars,
				.html_bytes = n->html_bytes,
				.problems = n->problems,
				.words = n->words,
				.words_kept = n->words_kept,
				.margin = n->margin };
	const bool skipped = n->skipped != SKIP_NONE;
	const struct outcome outcome = { .kind = skipped ? OUTCOME_SKIPPED : OUTCOME_DOCUMENT,
					 .seq = s->counts.records,
					 .offset = s->counts.records, /* its number: all are in one place */
					 .uri = texts[NOTE_URL],
					 .type = RECORD_RESPONSE,
					 .document = skipped ? NULL : &doc,
					 .skipped = (enum skip_reason)n->skipped,
					 .detail = texts[NOTE_DETAIL] };
	s->counts.bytes_in += n->html_bytes;
	stats_outcome(&s->counts, &outcome);
	return survey_outcome(s->survey, &outcome, "", NULL);
}

int server_report_add(struct server *s, struct slice notes)
{
	int status = DANA_OK;
	while (s->survey && notes.len && status == DANA_OK) {
		struct note n;
		struct slice texts[NOTE_TEXTS];
		if (notes.len < sizeof(n))
			return DANA_EFORMAT;
		memcpy(&n, notes.data, sizeof(n));
		notes = slice_skip(notes, sizeof(n));
		for (unsigned i = 0; i < NOTE_TEXTS; i++) {
			texts[i] = slice_first(notes, n.len[i]);
			if (notes.len <= n.len[i] || notes.data[n.len[i]])
				return DANA_EFORMAT;
			notes = slice_skip(notes, (size_t)n.len[i] + 1);
		}
		if (n.skipped >= SKIP_REASONS || n.problems >> PROBLEM_WORDS)
			return DANA_EFORMAT;
		status = add_note(s, &n, texts);
	}
	return status;
}

static void show_report(struct request *r)
{
	const struct server *s = r->server;
	struct buf report = { 0 }, line = { 0 }, page = { 0 };
	struct error err = { 0 };
	if (!s->survey) {
		request_reply_reason(r, 404, "the service keeps no report; start it with --report");
		return;
	}
	int status = survey_json(s->survey, &report);
	if (status == DANA_OK)
		status = stats_json(&s->counts, slice_of(NULL, 0), buf_slice(&report), &line);
	if (status == DANA_OK)
		status = report_page(buf_slice(&line), slice_of(NULL, 0), &page, &err);
	buf_free(&report);
	buf_free(&line);
	if (status < 0) {
		buf_free(&page);
		request_reply_reason(r, 503, status_text(DANA_ENOMEM));
		return;
	}
	/* the policy in the page itself allows its own style alone, by its digest */
	request_add_policy(r, "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
			      "frame-ancestors 'none'");
	request_reply(r, 200, "text/html; charset=utf-8", &page);
}

const struct route report_route = { .path = "/report", .get = true, .end = show_report };
