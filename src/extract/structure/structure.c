/* SPDX-License-Identifier: MIT */
/* Joins recorder, decisions and writers. */
#include "extract/structure/structure.h"

#include <stdlib.h>

#include "extract/structure/compose.h"
#include "extract/structure/keep.h"
#include "extract/structure/list_blocks.h"
#include "extract/structure/page_log.h"
#include "extract/structure/recorder.h"
#include "extract/structure/replay.h"
#include "extract/structure/write_blocks.h"
#include "extract/structure/write_markdown.h"

enum { KEEP_BUFFER = 1 << 20 };

struct structure {
	struct page_log log;
	struct recorder *recorder;
	struct structure_page *page; /* after the end of the page */
	struct composed composed;
	struct style style;
	size_t max_text;
	struct structure_options options;
	struct buf url, markdown, blocks;
	struct block_list list;
	bool listed; /* the list is that of this page */
};

int structure_new(struct structure **out, const struct structure_options *options)
{
	struct structure *s = *out = calloc(1, sizeof(*s));
	if (!s)
		return DANA_ENOMEM;
	s->style = style_default;
	s->max_text = options->max_text;
	s->options = *options;
	page_log_reset(&s->log);
	s->recorder = recorder_new(options->max_text, options->max_depth);
	int status = s->recorder ? method_configure(&style_method, &s->style, options->style) : DANA_ENOMEM;
	if (status < 0) {
		structure_free(s);
		*out = NULL;
	}
	return status;
}

int structure_url(struct structure *s, struct slice url)
{
	buf_clear(&s->url);
	return buf_append(&s->url, url.data, url.len);
}

void structure_stays(struct structure *s, struct slice memory)
{
	s->log.stays = memory;
}

int structure_bytes(struct structure *s, struct slice bytes)
{
	return page_log_bytes(&s->log, bytes);
}

struct page_log *structure_log(struct structure *s)
{
	return &s->log;
}

static int finish_markdown(struct structure *s)
{
	int status = compose(&s->composed, s->page, &s->style, buf_slice(&s->url), false);
	if (status == DANA_OK)
		status = write_markdown(&s->composed, &s->style, &s->markdown, s->max_text);
	return status;
}

static int finish_blocks(struct structure *s)
{
	struct style plain = s->style;
	plain.plain = true;
	int status = compose(&s->composed, s->page, &plain, buf_slice(&s->url), s->options.dropped);
	if (status == DANA_OK)
		status = write_blocks(&s->composed, &s->blocks, s->max_text);
	return status;
}

/*
 * Records what the method keeps and decides about it, or about the whole page if all of it has to be listed. *any: the
 * decisions keep something.
 */
static int record_kept(struct structure *s, struct slice spans, bool *any)
{
	const struct replay_part part = s->options.dropped ? replay_all : replay_part_of(&s->log, spans);
	bool begun;
	int status = replay(s->recorder, &s->log, &part, &begun, &s->page);
	if (status < 0)
		return status;
	*any = keep_pieces(s->page, spans, s->style.headings);
	if (begun || keep_is_sure(s->page))
		return DANA_OK;
	status = replay(s->recorder, &s->log, &(struct replay_part){ 0, part.to }, &begun, &s->page);
	if (status == DANA_OK)
		*any = keep_pieces(s->page, spans, s->style.headings);
	return status;
}

int structure_finish(struct structure *s, struct slice spans, struct slice text)
{
	bool any = false;
	buf_shrink(&s->markdown, KEEP_BUFFER);
	buf_shrink(&s->blocks, KEEP_BUFFER);
	s->listed = false;
	int status = record_kept(s, spans, &any);
	if (status == DANA_OK && !any && text.len)
		status = recorder_take_lines(s->recorder, text, &s->page);
	if (status == DANA_OK && s->options.markdown)
		status = finish_markdown(s);
	return status == DANA_OK && s->options.blocks ? finish_blocks(s) : status;
}

struct slice structure_markdown(const struct structure *s)
{
	return buf_slice(&s->markdown);
}

struct slice structure_blocks(const struct structure *s)
{
	return buf_slice(&s->blocks);
}

int structure_list(struct structure *s, const struct dana_structure_block **blocks, size_t *count)
{
	int status = DANA_OK;
	if (s->page && s->options.blocks && !s->listed) {
		status = list_blocks(&s->composed, &s->list);
		s->listed = status == DANA_OK;
	}
	*count = s->listed ? s->list.blocks.len / sizeof(**blocks) : 0;
	*blocks = *count ? (const struct dana_structure_block *)(const void *)s->list.blocks.data : NULL;
	return status;
}

bool structure_cut(const struct structure *s)
{
	return s->page && (s->page->cut || s->log.cut);
}

void structure_reset(struct structure *s)
{
	page_log_reset(&s->log);
	buf_clear(&s->url);
	s->page = NULL;
	s->listed = false;
	buf_clear(&s->markdown);
	buf_clear(&s->blocks);
}

void structure_free(struct structure *s)
{
	if (!s)
		return;
	page_log_free(&s->log);
	recorder_free(s->recorder);
	compose_free(&s->composed);
	block_list_free(&s->list);
	buf_free(&s->url);
	buf_free(&s->markdown);
	buf_free(&s->blocks);
	free(s);
}
