/* SPDX-License-Identifier: MIT */
/*
 * A record runs through a chain of byte sinks. The HTTP reader writes the body to `body`, which waits for 512 bytes to
 * decide on the media type and then feeds the charset converter; this one writes to `utf8`, which feeds the extractor.
 *
 * At its end the record becomes a document, or is skipped for a reason. Each filter is applied as soon as what it needs
 * is known; a record that is refused gets no more bytes, and the framer skips the rest. Example: a PNG is refused after
 * the first 512 bytes of its body, whatever its head has.
 *
 * Problems of the charset or of HTTP are collected even when the extractor wants no more, because which bytes of a
 * block have been seen by then depends on the split.
 */
#include "archive/processor.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/byte_sink.h"
#include "archive/charset/convert.h"
#include "archive/http/media_type.h"
#include "archive/http/response.h"
#include "archive/mhtml.h"
#include "archive/plugin/chain.h"
#include "archive/texts.h"
#include "archive/url.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "dana/dana.h"
#include "extract/extractor.h"

enum {
	MEDIA_LEAD = MEDIA_SNIFF_BYTES,
	KEPT_HTML = 1 << 20,
};

/* How far a record has come. */
enum stage {
	STAGE_REFUSED, /* the reason is in `skip`; nothing more is looked at */
	STAGE_BLOCK,   /* bytes go to the HTTP reader */
};

/* What is known of the digest of a record's block. */
enum digest_stage {
	DIGEST_UNWANTED,
	DIGEST_WANTED, /* no byte of the block has been kept so far, and it may still be refused */
	DIGEST_OPEN,
	DIGEST_LACKS, /* it is wanted, and libcrypto is missing */
};

struct processor {
	struct record_sink records;
	struct byte_sink body; /* after HTTP: decides on the media type, then feeds the charset converter */
	struct byte_sink part; /* the page of a message (MHTML): feeds the charset converter */
	struct byte_sink utf8; /* after the charset converter: feeds the extractor */
	struct document_sink *next;
	struct plugin_chain *plugins;
	struct processor_config config;
	bool list_blocks;
	struct http_response *http;
	struct mhtml *mhtml; /* NULL until a body is a message */
	struct charset_convert *charset;
	struct dana_extractor *extractor;
	struct text_head head;
	struct other_texts *others;     /* NULL: no other method is asked for */
	const struct site_source *site; /* NULL: nothing is known of sites */
	void *revisits;                 /* what config.revisits has opened */
	struct block_digest *digest;    /* NULL until it is needed */
	struct media_urls media;
	struct buf html;           /* the page for plugins, when one of them asks for it */
	bool keep_html, pass_html; /* to plugins: whole, as it goes by */
	uint64_t max_html;
	const char *file;
	struct slice warcinfo_date;

	/* Of the record under way. */
	const struct record *record;
	enum stage stage;
	enum skip_reason skip;
	bool media_known;
	bool is_text;  /* the body is plain text, not HTML */
	bool is_mhtml; /* a message that holds the page */
	bool unread;   /* refused on the way: the rest of the block is not read */
	int failed;    /* a plugin, by the HTTP head */
	enum digest_stage digest_stage;
	enum block_digest_result digest_result; /* at the block's end */
	size_t segment;                         /* the one whose digest is under way ... */
	uint64_t segment_left;                  /* ... and how many bytes of it are to come */
	bool rests;                             /* the page is beyond the work limit: the extractor is fed no more */
	uint8_t lead[MEDIA_LEAD];               /* first bytes of the body */
	size_t lead_len;
	char detail[160]; /* why it was skipped, where SKIP_LIST does not say all */
};

/*
 * The digest of a record's block, where it is worth something: SHA-1 costs half of what inflating does, and where a
 * checksum of the compression has shown that the bytes are as they were written, it could only find a digest that was
 * wrong then. What is refused by its head is not hashed. The first one loads libcrypto, which takes as long as many a
 * page; DANA_ELIBRARY: it is missing.
 */
/* The first segment of a record, or the next one, begins. */
static int digest_begin(struct processor *p)
{
	const struct record *rec = p->record;
	const struct record_segment whole = { rec->content_length, rec->block_digest };
	const struct record_segment *segment = rec->n_segments ? &rec->segments[p->segment] : &whole;
	p->segment_left = p->segment + 1 < rec->n_segments ? segment->length : UINT64_MAX;
	return block_digest_begin(p->digest, segment->block_digest, segment->length);
}

/* A segment ends: the worst result of all segments counts for the record. */
static int digest_end(struct processor *p, bool whole)
{
	static const int rank[] = { [BLOCK_DIGEST_GOOD] = 0,
				    [BLOCK_DIGEST_NONE] = 1,
				    [BLOCK_DIGEST_UNKNOWN] = 2,
				    [BLOCK_DIGEST_BAD] = 3 };
	const int result = block_digest_end(p->digest, whole);
	if (result < 0)
		return result;
	if (p->segment == 0 || rank[result] > rank[p->digest_result])
		p->digest_result = (enum block_digest_result)result;
	return DANA_OK;
}

static int digest_write(struct processor *p, struct slice bytes)
{
	int status = DANA_OK;
	if (p->digest_stage == DIGEST_WANTED) {
		struct error err = { 0 };
		if (!p->digest)
			p->digest = block_digest_new(&err);
		p->digest_stage = p->digest ? DIGEST_OPEN : DIGEST_LACKS;
		if (!p->digest &&
		    !(p->config.digest_optional && !p->config.choice.require_digest && err.status == DANA_ELIBRARY))
			return (int)err.status;
		status = p->digest ? digest_begin(p) : DANA_OK;
	}
	if (p->digest_stage != DIGEST_OPEN)
		return status;
	while (status == DANA_OK && bytes.len > p->segment_left) {
		status = block_digest_write(p->digest, slice_first(bytes, (size_t)p->segment_left));
		bytes = slice_skip(bytes, (size_t)p->segment_left);
		if (status == DANA_OK)
			status = digest_end(p, false);
		p->segment++;
		if (status == DANA_OK)
			status = digest_begin(p);
	}
	p->segment_left -= p->segment_left == UINT64_MAX ? 0 : bytes.len;
	return status == DANA_OK ? block_digest_write(p->digest, bytes) : status;
}

/* Content-Type of the page: of the HTTP head, or of the record when the block is the page itself. */
static struct slice sent_type(const struct processor *p)
{
	return http_response_head(p->http)->content_type;
}

/* Notes why a plugin drops the record, when it does. Returns `answer`, which is what the chain returned. */
static int refused_by(struct processor *p, int answer)
{
	if (answer == PLUGIN_DROPS) {
		p->skip = plugin_chain_skip(p->plugins);
		(void)snprintf(p->detail, sizeof(p->detail), "%s", plugin_chain_rule(p->plugins));
	}
	return answer;
}

static unsigned problems(const struct processor *p, const struct record_end *end, const struct dana_text *text)
{
	const enum block_digest_result digest = p->digest_result;
	unsigned set = http_response_problems(p->http) | charset_convert_problems(p->charset);
	if (p->record->truncated.len || p->record->missing_segment)
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
		.http_status = http_response_head(p->http)->status,
		.content_type = sent_type(p),
		.charset = charset_convert_name(p->charset),
		.title = slice_of(text->title, text->title_len),
		.has_title = (text->flags & DANA_HAS_TITLE) != 0,
		.page_kind = dana_page_kind(p->extractor),
		.method = text->method,
		.html_bytes = http_response_body_bytes(p->http),
		.problems = problems(p, end, text),
		.with_media = (text->flags & DANA_LISTS_MEDIA) != 0,
		.with_resolved = p->config.revisits != NULL,
		.resolved = p->record->resolved,
		.warcinfo_date = p->warcinfo_date,
		.html = buf_slice(&p->html),
		.http_lines = http_response_head(p->http)->lines,
	};
	if (p->config.want_survey) {
		const struct page_decision d = dana_page_decision(p->extractor);
		doc->words = d.words;
		doc->words_kept = d.kept;
		doc->margin = d.margin;
	}
	doc->blocks = p->list_blocks ? dana_blocks(p->extractor, &doc->n_blocks) : NULL;
	document_set_text(doc, slice_of(text->data, text->len));
	texts_fill(&p->config.texts, p->extractor, text->flags, doc);
	int status = media_urls_resolve(&p->media, p->record->target_uri, text->media, text->n_media);
	doc->media = media_urls_list(&p->media);
	doc->n_media = p->media.count;
	return status;
}

/* Ends the extraction. Fills `doc` and leaves SKIP_NONE in `skip`, or sets the reason. */
static int end_extraction(struct processor *p, const struct record_end *end, struct document *doc)
{
	struct dana_text text;
	int status = dana_finish(p->extractor, &text);
	if (status == DANA_LIMIT) {
		p->skip = SKIP_WORK_LIMIT;
		return 0;
	}
	if (status < 0)
		return status;
	if (p->config.texts.sites && p->config.texts.sites->wants) {
		p->skip = SKIP_TYPE; /* any reason: nobody sees it */
		return 0;
	}
	status = document_fill(p, end, &text, doc);
	if (status == DANA_OK && p->others)
		status = other_texts_finish(p->others, doc);
	if (status < 0)
		return status;
	enum { READABLE = 3 }; /* a third of the characters */
	if (!p->config.take_unreadable && doc->text_chars > 0 &&
	    utf8_count_replaced(doc->text) >= (doc->text_chars + READABLE - 1) / READABLE) {
		p->skip = SKIP_UNREADABLE;
		return 0;
	}
	int answer = refused_by(p, plugin_chain_document(p->plugins, doc));
	return answer < 0 ? answer : texts_end(&p->config.texts, &p->head, p->extractor, doc);
}

/* Collects the first bytes of the body until there are MEDIA_LEAD. Returns true then, with the rest in `bytes`. */
static bool lead_fill(struct processor *p, struct slice *bytes)
{
	struct slice more = slice_first(*bytes, MEDIA_LEAD - p->lead_len);
	memcpy(p->lead + p->lead_len, more.data, more.len);
	p->lead_len += more.len;
	*bytes = slice_skip(*bytes, more.len);
	return p->lead_len == MEDIA_LEAD;
}

static int utf8_write(struct byte_sink *self, struct slice bytes)
{
	struct processor *p = (struct processor *)((char *)self - offsetof(struct processor, utf8));
	if (p->config.page && buf_append(p->config.page, bytes.data, bytes.len) < 0)
		return DANA_ENOMEM;
	if (p->keep_html) {
		struct slice kept = slice_first(bytes, (size_t)(p->max_html - p->html.len));
		if (buf_append(&p->html, kept.data, kept.len) < 0)
			return DANA_ENOMEM;
	}
	int result = p->pass_html && !p->is_text && bytes.len ? plugin_chain_html(p->plugins, bytes) : DANA_OK;
	if (result < 0 || p->rests)
		return result;
	result = dana_feed(p->extractor, bytes.data, bytes.len);
	if (result == DANA_LIMIT)
		p->skip = SKIP_WORK_LIMIT;
	else if (result < 0)
		return result;
	/* HTTP and charset run on all the same, so that problems and sizes do not depend on where the input was cut. */
	p->rests = result != DANA_SUCCESS;
	return p->others && !p->rests ? other_texts_feed(p->others, bytes) : 0;
}

static const struct byte_sink_ops utf8_ops = { .name = "extractor", .write = utf8_write };

/* ---- the page in a message ---- */

static int part_write(struct byte_sink *self, struct slice bytes)
{
	struct processor *p = (struct processor *)((char *)self - offsetof(struct processor, part));
	return charset_convert_write(p->charset, bytes);
}

static const struct byte_sink_ops part_ops = { .name = "part", .write = part_write };

/* Its links are relative to its own address, if the message has it. */
static int page_found(void *arg, const struct mhtml_page *page)
{
	struct processor *p = arg;
	const struct slice url = page->location.len ? page->location : p->record->target_uri;
	charset_convert_reset(p->charset, media_type_charset(page->content_type));
	return url.len ? dana_page_url(p->extractor, (const char *)url.data, url.len) : DANA_SUCCESS;
}

/* By what it was sent as; where that says nothing, by its first bytes. */
static bool media_is_mhtml(const struct processor *p, struct slice first)
{
	const struct slice sent = sent_type(p);
	return mhtml_is_type(sent) ||
	       (!media_type_is_html(media_type_of_header(sent)) && !media_type_may_be_text(sent) &&
		mhtml_begins(first)) ||
	       (media_type_of_header(sent).len == 0 && mhtml_begins(first));
}

static int begin_mhtml(struct processor *p, struct slice first)
{
	const struct mhtml_target target = { page_found, p, &p->part };
	if (!p->mhtml)
		p->mhtml = mhtml_new(&target);
	return p->mhtml ? mhtml_begin(p->mhtml, sent_type(p), first) : DANA_ENOMEM;
}

static int page_write(struct processor *p, struct slice bytes)
{
	return p->is_mhtml ? mhtml_write(p->mhtml, bytes) : charset_convert_write(p->charset, bytes);
}

static int page_finish(struct processor *p)
{
	int status = p->is_mhtml ? mhtml_finish(p->mhtml) : DANA_OK;
	if (status == MHTML_NO_PAGE) {
		p->skip = SKIP_MIME;
		(void)snprintf(p->detail, sizeof(p->detail), "a message (MHTML) that holds no HTML page");
		status = DANA_OK;
	}
	return status == DANA_OK ? charset_convert_finish(p->charset) : status;
}

/* The first bytes of the body are there, or all of a shorter one. 0, RECORD_UNWANTED or a negative status. */
static int media_decide(struct processor *p, struct slice first)
{
	p->media_known = true;
	p->is_mhtml = media_is_mhtml(p, first);
	const struct slice sent = p->is_mhtml ? slice_from_text("text/html") : sent_type(p);
	int answer = refused_by(p, plugin_chain_media(p->plugins, sent, first));
	p->unread = answer == PLUGIN_DROPS;
	if (answer != PLUGIN_KEEPS)
		return answer;
	struct slice url = p->record->target_uri;
	if (p->config.page)
		buf_clear(p->config.page);
	buf_shrink(&p->html, KEPT_HTML);
	charset_convert_reset(p->charset, media_type_charset(sent_type(p)));
	dana_reset(p->extractor);
	const enum page_form form = texts_form(media_type(sent, p->record->payload_type, first));
	p->is_text = form != FORM_HTML;
	dana_page_stays(p->extractor, p->record->stays);
	int status = p->pass_html ? plugin_chain_html(p->plugins, slice_of(NULL, 0)) : DANA_OK;
	if (status == DANA_OK && p->others)
		status = other_texts_begin(p->others, url);
	if (status < 0)
		return status;
	if (p->is_text) {
		charset_convert_text(p->charset);
		dana_page_form(p->extractor, form);
		if (p->others)
			other_texts_form(p->others, form);
	}
	if (p->is_mhtml)
		return begin_mhtml(p, first);
	return url.len ? dana_page_url(p->extractor, (const char *)url.data, url.len) : DANA_SUCCESS;
}

static int body_write(struct byte_sink *self, struct slice bytes)
{
	struct processor *p = (struct processor *)((char *)self - offsetof(struct processor, body));
	if (p->unread)
		return RECORD_UNWANTED;
	if (p->media_known)
		return page_write(p, bytes);

	bool at_once = p->lead_len == 0 && bytes.len >= MEDIA_LEAD;
	if (!at_once && !lead_fill(p, &bytes))
		return 0;
	int result = media_decide(p, slice_of(at_once ? bytes.data : p->lead, MEDIA_LEAD));
	if (result != 0)
		return result;
	if (!at_once)
		result = page_write(p, slice_of(p->lead, MEDIA_LEAD));
	return result == 0 && bytes.len ? page_write(p, bytes) : result;
}

static const struct byte_sink_ops body_ops = { .name = "body", .write = body_write };

/* Called by the HTTP reader as soon as the head is read. Nonzero: the rest of the block is not wanted. */
static int http_head(void *arg, const struct http_head *head)
{
	struct processor *p = arg;
	const struct plugin_http http = { head->status, head->content_type, head->lines };
	int answer = refused_by(p, plugin_chain_http(p->plugins, &http));
	p->unread = answer != PLUGIN_KEEPS;
	p->failed = answer < 0 ? answer : DANA_OK;
	return p->unread;
}

/* The head has no WARC-Target-URI; or an empty one, where the output needs one. */
static bool lacks_uri(const struct record *rec, bool needs_uri)
{
	return rec->target_uri.len == 0 && (needs_uri || !rec->target_uri.data);
}

/* Enough is learned of the site of the page. */
static bool teaches_nothing(const struct site_sources *sites, const struct record *rec)
{
	return sites && sites->wants && !sites->wants(sites->arg, rec->target_uri);
}

int processor_refuses(struct plugin_chain *gate, const struct processor_config *config, const struct record *rec)
{
	int answer = plugin_chain_head(gate, rec, "");
	const bool refused = lacks_uri(rec, config->needs_uri) || teaches_nothing(config->texts.sites, rec);
	return answer == PLUGIN_KEEPS && refused ? RECORD_UNWANTED : answer;
}

static int record_begin(struct record_sink *self, const struct record *rec)
{
	struct processor *p = (struct processor *)self;
	if (p->config.dates) {
		int status = archive_dates_note(p->config.dates, rec);
		if (status < 0)
			return status;
		p->warcinfo_date = buf_slice(&p->config.dates->warcinfo_date);
	}
	p->record = rec;
	p->media_known = p->rests = p->unread = false;
	p->lead_len = 0;
	p->detail[0] = 0;
	const struct processor_choice *choice = &p->config.choice;
	const bool checks = choice->require_digest || choice->check_digests == DIGESTS_ALWAYS ||
			    (choice->check_digests == DIGESTS_AUTO && !rec->verified);
	p->digest_stage = rec->block_digest.len && checks ? DIGEST_WANTED : DIGEST_UNWANTED;
	p->digest_result = BLOCK_DIGEST_NONE;
	p->segment = 0;
	p->skip = SKIP_NONE;
	p->failed = DANA_OK;
	int answer = refused_by(p, plugin_chain_head(p->plugins, rec, p->file));
	if (answer == PLUGIN_KEEPS && p->revisits && rec->type == RECORD_REVISIT) {
		p->skip = SKIP_REVISIT; /* until its end, whatever --type has: its own block is no page */
		answer = PLUGIN_DROPS;
	}
	if (answer == PLUGIN_KEEPS && lacks_uri(rec, p->config.needs_uri)) {
		p->skip = SKIP_NO_URI;
		answer = PLUGIN_DROPS;
	} else if (answer == PLUGIN_KEEPS && teaches_nothing(p->config.texts.sites, rec)) {
		p->skip = SKIP_TYPE;
		answer = PLUGIN_DROPS;
	}
	if (answer != PLUGIN_KEEPS) {
		p->stage = STAGE_REFUSED;
		return answer;
	}
	static const char http[] = "application/http";
	const struct slice type = rec->content_type;
	const size_t len = sizeof(http) - 1;
	const bool is_http = type.len >= len && slice_is(slice_first(type, len), http) &&
			     (type.len == len || type.data[len] == ';' || ascii_is_space(type.data[len]));
	/* ARC does not say what the block is, and some writers of WARC do not either. */
	const enum http_block block = is_http && !rec->is_arc                       ? BLOCK_MESSAGE
				      : rec->type == RECORD_RESPONSE || rec->is_arc ? BLOCK_EITHER
										    : BLOCK_BODY;
	p->stage = STAGE_BLOCK;
	http_response_reset(p->http, block, type);
	http_response_on_head(p->http, http_head, p);
	return RECORD_WANTED;
}

/* A refusal on the way (status, media type) leaves the rest of the block unread. */
static int block_write(struct processor *p, struct slice bytes)
{
	int result = http_response_write(p->http, bytes);
	if (result < 0 || p->failed < 0)
		return result < 0 ? result : p->failed;
	if (p->unread) {
		p->stage = STAGE_REFUSED;
		return RECORD_UNWANTED;
	}
	return RECORD_WANTED;
}

/* A piece that makes a record refused, as the one with its HTTP head may, does not go into a digest. */
static int record_body(struct record_sink *self, struct slice bytes)
{
	struct processor *p = (struct processor *)self;
	if (p->stage == STAGE_REFUSED)
		return RECORD_UNWANTED;
	const int result = block_write(p, bytes);
	int status = result == RECORD_WANTED ? digest_write(p, bytes) : DANA_OK;
	return status < 0 ? status : result;
}

/* Flushes every stage, after a decision on the media type of a short body; a reason to skip may have turned up. */
static int block_finish(struct processor *p)
{
	int status = http_response_finish(p->http);
	if (status < 0 || p->failed < 0)
		return status < 0 ? status : p->failed;
	if (p->unread)
		return 0;
	if (!p->media_known) {
		struct slice all = slice_of(p->lead, p->lead_len);
		status = media_decide(p, all);
		if (status == RECORD_UNWANTED)
			return 0;
		if (status == 0 && all.len)
			status = page_write(p, all);
		if (status < 0 || p->unread)
			return status < 0 ? status : 0;
	}
	status = page_finish(p);
	return status < 0 ? status : 0;
}

/* The record is damaged, which shows only here. */
static int emit_damage(struct processor *p, enum damage_reason reason, const char *detail, struct outcome *outcome)
{
	struct record_end damage = { .damaged = true, .reason = reason };
	(void)snprintf(damage.detail, sizeof(damage.detail), "%s", detail);
	outcome->kind = OUTCOME_DAMAGED;
	outcome->damage = &damage;
	return p->next->ops->outcome(p->next, outcome);
}

/* A revisit has ended: the record that it refers to takes its place, or it is skipped. */
static int revisit_end(struct processor *p, const struct record_end *end)
{
	const struct record *revisit = p->record;
	const char *why = "";
	const int result = p->config.revisits->resolve(p->revisits, revisit, end, &p->records, &why);
	if (result != REVISIT_UNRESOLVED)
		return result;
	/* what was begun is forgotten */
	p->record = revisit;
	p->stage = STAGE_REFUSED;
	const int answer = refused_by(p, plugin_chain_head(p->plugins, revisit, p->file));
	const struct outcome outcome = { .kind = OUTCOME_SKIPPED,
					 .seq = revisit->seq,
					 .offset = revisit->offset,
					 .id = revisit->record_id,
					 .uri = revisit->target_uri,
					 .type = revisit->type,
					 .skipped = SKIP_REVISIT,
					 .detail = slice_from_text(why),
					 .marks = plugin_chain_marks(p->plugins) };
	return answer < 0 ? answer : p->next->ops->outcome(p->next, &outcome);
}

static int record_end(struct record_sink *self, const struct record_end *end)
{
	struct processor *p = (struct processor *)self;
	struct document doc;
	struct outcome outcome = { .seq = p->record->seq,
				   .offset = p->record->offset,
				   .id = p->record->record_id,
				   .uri = p->record->target_uri,
				   .type = p->record->type };
	if (end->damaged) {
		outcome.kind = OUTCOME_DAMAGED;
		outcome.damage = end;
		return p->next->ops->outcome(p->next, &outcome);
	}
	if (p->skip == SKIP_REVISIT && p->revisits && !end->wrong_length)
		return revisit_end(p, end);
	int status = p->stage == STAGE_REFUSED ? 0 : block_finish(p);
	if (status == 0 && p->stage != STAGE_REFUSED && !p->unread) {
		status = digest_write(p, slice_of(NULL, 0)); /* a block without bytes has a digest, too */
		if (status == DANA_OK && p->digest_stage == DIGEST_OPEN)
			status = digest_end(p, end->wrong_length && !end->block_cut);
	}
	if (status == 0 && p->digest_result == BLOCK_DIGEST_UNKNOWN && p->config.choice.require_digest)
		return emit_damage(p, DAMAGE_BAD_DIGEST,
				   "WARC-Block-Digest cannot be checked: its algorithm or form is not known", &outcome);
	if (status == 0 && p->digest_result == BLOCK_DIGEST_BAD && p->config.choice.require_digest)
		return emit_damage(p, DAMAGE_BAD_DIGEST, "the block does not match WARC-Block-Digest", &outcome);
	if (status == 0 && p->skip == SKIP_NONE) {
		doc.title = doc.text = slice_of(NULL, 0);
		status = end_extraction(p, end, &doc);
		if (p->skip != SKIP_NONE && p->config.want_survey)
			outcome_keep_start(&outcome, &doc);
	}
	if (status < 0)
		return status;
	if (p->site && p->site->learned && p->site->learned(p->site->arg, &outcome.learned) < 0)
		return DANA_ENOMEM;
	if (end->wrong_length && p->skip != SKIP_NONE)
		return emit_damage(p, DAMAGE_BAD_LENGTH, end->detail, &outcome);
	outcome.kind = p->skip == SKIP_NONE ? OUTCOME_DOCUMENT : OUTCOME_SKIPPED;
	outcome.skipped = p->skip;
	if (p->record->missing_segment && p->detail[0] == '\0' && p->skip != SKIP_TYPE)
		(void)snprintf(p->detail, sizeof(p->detail),
			       "segment %u of the record does not follow in the input, or not within --max-block",
			       p->record->missing_segment);
	outcome.detail = slice_from_text(end->wrong_length ? end->detail : p->detail);
	outcome.marks = plugin_chain_marks(p->plugins);
	outcome.document = p->skip == SKIP_NONE ? &doc : NULL;
	return p->next->ops->outcome(p->next, &outcome);
}

static int record_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			 const struct record_end *end)
{
	struct processor *p = (struct processor *)self;
	struct outcome outcome = outcome_of_region(seq, offset, id, uri, end);
	return p->next->ops->outcome(p->next, &outcome);
}

static const struct record_sink_ops record_ops = {
	.name = "processor",
	.begin = record_begin,
	.body = record_body,
	.end = record_end,
	.damage = record_damage,
};

static int make_stages(struct processor *p, const struct processor_config *config, struct error *err)
{
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = config->method,
					      .max_text_bytes = config->limits->text,
					      .max_depth = config->limits->depth,
					      .max_work = config->limits->work,
					      .read_file = config->read_file,
					      .read_arg = config->read_arg,
					      .list_blocks = p->list_blocks };
	int status = extractor_new(&p->extractor, &options, &config->texts.page, NULL);
	if (status == DANA_BAD_OPTION)
		return error_set(err, DANA_ECONFIG,
				 "method %s: unknown, or with a key or value that it does not take, or without the "
				 "structure that is requested",
				 config->method);
	if (status >= 0)
		status = other_texts_new(&p->others, &config->texts, &options, err);
	if (status == DANA_ECONFIG)
		return status;
	if (status >= 0 && config->texts.sites) {
		p->site = config->texts.sites->open(config->texts.sites->arg);
		status = p->site ? DANA_OK : DANA_ENOMEM;
		dana_site_source(p->extractor, p->site);
		if (p->others && status == DANA_OK && !p->site->learned) /* the first method tells it, once */
			other_texts_site_source(p->others, p->site);
	}
	if (config->revisits && !(p->revisits = config->revisits->open(config->revisits->arg)))
		return error_no_memory(err);
	p->plugins = plugin_chain_new(config->plugins, PLUGIN_WORKER, err);
	if (!p->plugins)
		return (int)err->status;
	p->http = http_response_new(config->limits, &p->body);
	p->charset = charset_convert_new(&p->utf8);
	return status < 0 || !p->http || !p->charset ? error_no_memory(err) : DANA_OK;
}

struct processor *processor_new(const struct processor_config *config, struct document_sink *next, struct error *err)
{
	struct processor *p = calloc(1, sizeof(*p));
	if (!p) {
		(void)error_no_memory(err);
		return NULL;
	}
	p->records.ops = &record_ops;
	p->body.ops = &body_ops;
	p->part.ops = &part_ops;
	p->utf8.ops = &utf8_ops;
	p->next = next;
	p->config = *config;
	const struct plugins_needs needs = plugins_needs(config->plugins);
	p->list_blocks = config->want_blocks || needs.blocks;
	p->keep_html = config->want_html || needs.html;
	p->pass_html = needs.html_stream;
	p->max_html = needs.max_html;
	p->file = "-";
	if (make_stages(p, config, err) == DANA_OK)
		return p;
	processor_free(p);
	return NULL;
}

const char *const *processor_other_methods(const struct processor *p, size_t *n)
{
	return other_texts_methods(p->others, n);
}

struct record_sink *processor_records(struct processor *p)
{
	return &p->records;
}

void processor_input(struct processor *p, const char *file)
{
	p->file = file;
	p->warcinfo_date = slice_of(NULL, 0);
}

const char *processor_fault(const struct processor *p)
{
	return plugin_chain_fault(p->plugins);
}

void processor_warcinfo_date(struct processor *p, struct slice date)
{
	p->warcinfo_date = date;
}

void processor_free(struct processor *p)
{
	if (!p)
		return;
	http_response_free(p->http);
	mhtml_free(p->mhtml);
	charset_convert_free(p->charset);
	dana_free(p->extractor);
	other_texts_free(p->others);
	text_head_free(&p->head);
	if (p->config.texts.sites)
		p->config.texts.sites->close(p->site);
	if (p->revisits)
		p->config.revisits->close(p->revisits);
	block_digest_free(p->digest);
	media_urls_free(&p->media);
	plugin_chain_free(p->plugins);
	buf_free(&p->html);
	free(p);
}
