/* SPDX-License-Identifier: MIT */
/*
 * A record runs through a chain of byte sinks: HTTP, the media type, the charset converter, the extractor
 * (processor_body.c), and ends as a document, or with a reason (processor_document.c). Each filter is asked as soon as
 * its question can be answered; a record that is refused gets no more bytes, and the framer skips the rest.
 */
#include "archive/processor.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/charset/convert.h"
#include "archive/plugin/chain.h"
#include "archive/processor_state.h"
#include "base/ascii.h"
#include "dana/dana.h"

enum { HTTP_LEAD = 5 /* "HTTP/" */ };

/* The head has no WARC-Target-URI; or an empty one, where the output needs one. */
static bool lacks_uri(const struct record *rec, bool needs_uri)
{
	return rec->target_uri.len == 0 && (needs_uri || !rec->target_uri.data);
}

int processor_refuses(struct plugin_chain *gate, bool needs_uri, const struct record *rec)
{
	int answer = plugin_chain_head(gate, rec, "");
	return answer == PLUGIN_KEEPS && lacks_uri(rec, needs_uri) ? RECORD_UNWANTED : answer;
}

static bool is_http(struct slice content_type)
{
	static const char name[] = "application/http";
	const size_t len = sizeof(name) - 1;
	if (content_type.len < len || !slice_is(slice_of(content_type.data, len), name))
		return false;
	return content_type.len == len || content_type.data[len] == ';' || ascii_is_space(content_type.data[len]);
}

static void block_begin(struct processor *p, bool bare)
{
	p->stage = STAGE_BLOCK;
	p->bare = bare;
	http_response_reset(p->http, bare);
	http_response_on_head(p->http, processor_http_head, p);
}

static int record_begin(struct record_sink *self, const struct record *rec)
{
	struct processor *p = (struct processor *)self;
	if (p->dates) {
		int status = archive_dates_note(p->dates, rec);
		if (status < 0)
			return status;
		p->warcinfo_date = buf_slice(&p->dates->warcinfo_date);
	}
	p->record = rec;
	p->media_known = p->rests = p->unread = false;
	p->lead_len = 0;
	p->detail[0] = 0;
	processor_digest_begin(p);
	p->skip = SKIP_NONE;
	p->failed = DANA_OK;
	int answer = processor_refused_by(p, plugin_chain_head(p->plugins, rec, p->file));
	if (answer == PLUGIN_KEEPS && lacks_uri(rec, p->needs_uri)) {
		p->skip = SKIP_NO_URI;
		answer = PLUGIN_DROPS;
	}
	if (answer != PLUGIN_KEEPS) {
		p->stage = STAGE_REFUSED;
		return answer;
	}
	if (is_http(rec->content_type) && !rec->is_arc)
		block_begin(p, false);
	else if (rec->type == RECORD_RESPONSE || rec->is_arc)
		p->stage = STAGE_LEAD; /* ARC does not say what the block is, and some writers of WARC do not either */
	else
		block_begin(p, true);
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

/* Decides by the first five bytes of a block whether it is an HTTP message, then writes them as its beginning. */
static int lead_decide(struct processor *p)
{
	size_t n = p->lead_len;
	p->lead_len = 0;
	block_begin(p, n < HTTP_LEAD || memcmp(p->lead, "HTTP/", HTTP_LEAD) != 0);
	uint8_t lead[HTTP_LEAD];
	memcpy(lead, p->lead, n);
	return n ? block_write(p, slice_of(lead, n)) : RECORD_WANTED;
}

static int block_part(struct processor *p, struct slice bytes)
{
	if (p->stage == STAGE_LEAD) {
		if (!processor_lead_fill(p, &bytes, HTTP_LEAD))
			return RECORD_WANTED;
		int result = lead_decide(p);
		if (result != RECORD_WANTED)
			return result;
	}
	return bytes.len ? block_write(p, bytes) : RECORD_WANTED;
}

/* A piece that makes a record refused, as the one with its HTTP head may, does not go into a digest. */
static int record_body(struct record_sink *self, struct slice bytes)
{
	struct processor *p = (struct processor *)self;
	if (p->stage == STAGE_REFUSED)
		return RECORD_UNWANTED;
	int result = block_part(p, bytes);
	int status = result == RECORD_WANTED ? processor_digest_write(p, bytes) : DANA_OK;
	return status < 0 ? status : result;
}

/* Flushes every stage. Returns 0 or a negative status; a reason to skip may have turned up. */
static int block_finish(struct processor *p)
{
	int status = p->stage == STAGE_LEAD ? lead_decide(p) : 0;
	if (status < 0 || p->stage == STAGE_REFUSED)
		return status < 0 ? status : 0;
	status = http_response_finish(p->http);
	if (status < 0 || p->failed < 0)
		return status < 0 ? status : p->failed;
	return p->unread ? 0 : processor_body_end(p);
}

static int emit(struct processor *p, struct outcome *outcome)
{
	return p->next->ops->outcome(p->next, outcome);
}

/* The record is damaged, which shows only here. */
static int emit_damage(struct processor *p, enum damage_reason reason, const char *detail, struct outcome *outcome)
{
	struct record_end damage = { .damaged = true, .reason = reason };
	(void)snprintf(damage.detail, sizeof(damage.detail), "%s", detail);
	outcome->kind = OUTCOME_DAMAGED;
	outcome->damage = &damage;
	return emit(p, outcome);
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
		return emit(p, &outcome);
	}
	int status = p->stage == STAGE_REFUSED ? 0 : block_finish(p);
	if (status == 0 && p->stage != STAGE_REFUSED && !p->unread)
		status = processor_digest_end(p, end);
	if (status == 0 && p->digest_result == BLOCK_DIGEST_UNKNOWN && p->require_digest)
		return emit_damage(p, DAMAGE_BAD_DIGEST,
				   "WARC-Block-Digest cannot be checked: its algorithm or form is not known", &outcome);
	if (status == 0 && p->digest_result == BLOCK_DIGEST_BAD && p->require_digest)
		return emit_damage(p, DAMAGE_BAD_DIGEST, "the block is not the one of WARC-Block-Digest", &outcome);
	if (status == 0 && p->skip == SKIP_NONE)
		status = processor_document(p, end, &doc);
	if (status < 0)
		return status;
	if (end->wrong_length && p->skip != SKIP_NONE)
		return emit_damage(p, DAMAGE_BAD_LENGTH, end->detail, &outcome);
	outcome.kind = p->skip == SKIP_NONE ? OUTCOME_DOCUMENT : OUTCOME_SKIPPED;
	outcome.skipped = p->skip;
	outcome.detail = slice_from_text(end->wrong_length ? end->detail : p->detail);
	outcome.marks = plugin_chain_marks(p->plugins);
	outcome.document = p->skip == SKIP_NONE ? &doc : NULL;
	return emit(p, &outcome);
}

static int record_damage(struct record_sink *self, uint64_t seq, uint64_t offset, struct slice id, struct slice uri,
			 const struct record_end *end)
{
	struct processor *p = (struct processor *)self;
	struct outcome outcome = outcome_of_region(seq, offset, id, uri, end);
	return emit(p, &outcome);
}

static const struct record_sink_ops record_ops = {
	.name = "processor",
	.begin = record_begin,
	.body = record_body,
	.end = record_end,
	.damage = record_damage,
};

static void init(struct processor *p, const struct processor_config *config, struct document_sink *next)
{
	p->records.ops = &record_ops;
	p->body.ops = &processor_body_ops;
	p->utf8.ops = &processor_utf8_ops;
	p->next = next;
	p->needs_uri = config->needs_uri;
	p->take_unreadable = config->take_unreadable;
	p->require_digest = config->require_digest;
	p->check_digests = config->require_digest ? DIGESTS_ALWAYS : config->check_digests;
	p->digest_optional = config->digest_optional && !config->require_digest;
	p->list_blocks = config->want_blocks || plugins_want_blocks(config->plugins);
	p->keep_html = config->want_html || plugins_want_html(config->plugins);
	p->pass_html = plugins_read_html(config->plugins);
	p->max_html = plugins_max_html(config->plugins);
	p->page = config->page;
	p->texts = config->texts;
	p->dates = config->dates;
	p->file = "-";
}

static int make_stages(struct processor *p, const struct processor_config *config, struct error *err)
{
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = config->method,
					      .max_text_bytes = config->limits->text,
					      .max_depth = config->limits->depth,
					      .max_work = config->limits->work,
					      .read_file = config->read_file,
					      .read_arg = config->read_arg,
					      .list_blocks = p->list_blocks,
					      .structure = config->texts.structure,
					      .markdown = config->texts.markdown };
	int status = dana_new(&p->extractor, &options);
	if (status == DANA_BAD_OPTION)
		return error_set(err, DANA_ECONFIG,
				 "method %s: unknown, or with a key or value that it does not take, or without the "
				 "structure that is asked for",
				 config->method);
	if (status >= 0)
		status = other_texts_new(&p->others, &config->texts, &options, err);
	if (status == DANA_ECONFIG)
		return status;
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
	init(p, config, next);
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
	charset_convert_free(p->charset);
	dana_free(p->extractor);
	other_texts_free(p->others);
	block_digest_free(p->digest);
	media_urls_free(&p->media);
	plugin_chain_free(p->plugins);
	buf_free(&p->html);
	free(p);
}
