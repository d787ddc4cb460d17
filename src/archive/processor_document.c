/* SPDX-License-Identifier: MIT */
/* What becomes of a record at its end: a document with its problems, or the reason why it is skipped. */
#include "archive/charset/convert.h"
#include "archive/plugin/chain.h"
#include "archive/processor_state.h"
#include "base/utf8.h"
#include "dana/dana.h"

static unsigned problems(const struct processor *p, const struct record_end *end, const struct dana_text *text)
{
	const enum block_digest_result digest = p->digest_result;
	unsigned set = http_response_problems(p->http) | charset_convert_problems(p->charset);
	if (p->record->truncated.len)
		set |= PROBLEM_TRUNCATED_SOURCE;
	if (end->block_cut) /* by our limit: the length that the server has sent may be right */
		set = (set & ~(unsigned)PROBLEM_BODY_LENGTH) | PROBLEM_TRUNCATED_LIMIT;
	if (text->flags & DANA_TEXT_TRUNCATED)
		set |= PROBLEM_TRUNCATED_TEXT;
	if (p->record->head_cut)
		set |= PROBLEM_HEAD_CUT;
	if (end->wrong_length)
		set |= PROBLEM_BAD_LENGTH;
	if (digest == BLOCK_DIGEST_BAD)
		set |= PROBLEM_BAD_DIGEST;
	if ((end->unverified && digest != BLOCK_DIGEST_GOOD) || p->digest_stage == DIGEST_LACKS)
		set |= PROBLEM_UNVERIFIED;
	return set;
}

static int document_fill(struct processor *p, const struct record_end *end, const struct dana_text *text,
			 struct document *doc)
{
	*doc = (struct document){
		.record = p->record,
		.file = p->file,
		.length = end->length,
		.length_known = end->length_known,
		.http_status = p->bare ? 0 : http_response_head(p->http)->status,
		.content_type = processor_sent_type(p),
		.charset = charset_convert_name(p->charset),
		.title = slice_of(text->title, text->title_len),
		.has_title = (text->flags & DANA_HAS_TITLE) != 0,
		.text = slice_of(text->data, text->len),
		.page_kind = dana_page_kind(p->extractor),
		.method = text->method,
		.html_bytes = http_response_body_bytes(p->http),
		.problems = problems(p, end, text),
		.with_media = (text->flags & DANA_LISTS_MEDIA) != 0,
		.warcinfo_date = p->warcinfo_date,
		.html = buf_slice(&p->html),
		.http_lines = p->bare ? slice_of(NULL, 0) : http_response_head(p->http)->lines,
	};
	doc->blocks = p->list_blocks ? dana_blocks(p->extractor, &doc->n_blocks) : NULL;
	doc->text_chars = utf8_count(doc->text);
	texts_fill(&p->texts, p->extractor, text->flags, doc);
	int status = media_urls_resolve(&p->media, p->record->target_uri, text->media, text->n_media);
	doc->media = media_urls_list(&p->media);
	doc->n_media = p->media.count;
	return status;
}

/*
 * Random bytes that are sent as a page in UTF-8 give a text of which half is U+FFFD; a page in another charset than it
 * says hardly more than a tenth, unless it has few letters of ASCII: then it cannot be read either.
 */
static bool is_unreadable(const struct document *doc)
{
	enum { READABLE = 3 }; /* a third of the characters */
	return doc->text_chars > 0 && utf8_count_replaced(doc->text) >= (doc->text_chars + READABLE - 1) / READABLE;
}

int processor_document(struct processor *p, const struct record_end *end, struct document *doc)
{
	struct dana_text text;
	int status = dana_finish(p->extractor, &text);
	if (status == DANA_LIMIT) {
		p->skip = SKIP_WORK_LIMIT;
		return 0;
	}
	if (status < 0)
		return status;
	status = document_fill(p, end, &text, doc);
	if (status == DANA_OK && p->others)
		status = other_texts_finish(p->others, doc);
	if (status < 0)
		return status;
	if (!p->take_unreadable && is_unreadable(doc)) {
		p->skip = SKIP_UNREADABLE;
		return 0;
	}
	int answer = processor_refused_by(p, plugin_chain_document(p->plugins, doc));
	texts_choose(&p->texts, doc);
	return answer < 0 ? answer : 0;
}
