/* SPDX-License-Identifier: MIT */
/*
 * The parts of the processor: what it keeps, and what processor.c calls in processor_body.c, processor_digest.c and
 * processor_document.c.
 */
#ifndef DANA_ARCHIVE_PROCESSOR_STATE_H
#define DANA_ARCHIVE_PROCESSOR_STATE_H

#include "archive/byte_sink.h"
#include "archive/http/media_type.h"
#include "archive/http/response.h"
#include "archive/media_urls.h"
#include "archive/other_texts.h"
#include "archive/processor.h"
#include "base/buf.h"
#include "base/digest.h"

struct charset_convert;
struct dana_extractor;

enum { MEDIA_LEAD = MEDIA_SNIFF_BYTES };

/* How far a record has come. */
enum stage {
	STAGE_REFUSED, /* the reason is in `skip`; nothing more is looked at */
	STAGE_LEAD,    /* waits for the first bytes of the block: is it an HTTP message? */
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
	struct byte_sink utf8; /* after the charset converter: feeds the extractor */
	struct document_sink *next;
	struct plugin_chain *plugins;
	enum digest_check check_digests;
	bool needs_uri, take_unreadable, require_digest, digest_optional, list_blocks;
	struct http_response *http;
	struct charset_convert *charset;
	struct dana_extractor *extractor;
	struct other_texts *others;  /* NULL: no other method is asked for */
	struct block_digest *digest; /* NULL: none was needed yet */
	struct media_urls media;
	struct texts texts;
	struct buf *page;
	struct buf html;           /* the page for plugins, when one of them asks for it */
	bool keep_html, pass_html; /* to plugins: whole, as it goes by */
	uint64_t max_html;
	struct archive_dates *dates;
	const char *file;
	struct slice warcinfo_date;

	/* Of the record under way. */
	const struct record *record;
	enum stage stage;
	enum skip_reason skip;
	bool bare; /* the block is the body */
	bool media_known;
	bool unread; /* refused on the way: the rest of the block is not read */
	int failed;  /* a plugin, by the HTTP head */
	enum digest_stage digest_stage;
	enum block_digest_result digest_result; /* at the block's end */
	bool rests;                             /* the page is beyond the work limit: the extractor is fed no more */
	uint8_t lead[MEDIA_LEAD];               /* first bytes of the block, then of the body */
	size_t lead_len;
	char detail[160]; /* why it was skipped, where SKIP_LIST does not say all */
};

/** The sinks between HTTP reader and charset converter, and after the charset converter. */
extern const struct byte_sink_ops processor_body_ops, processor_utf8_ops;

/**
 * Collects the first bytes of the block, or of the body, until there are `want`. Returns true then, with the rest in
 * `bytes`.
 */
bool processor_lead_fill(struct processor *p, struct slice *bytes, size_t want);
/** Called by the HTTP reader as soon as the head is read. Nonzero: the rest of the block is not wanted. */
int processor_http_head(void *arg, const struct http_head *head);
/**
 * The body has no more bytes: decides on a short one, and flushes the charset converter. Returns 0, or a negative
 * status.
 */
int processor_body_end(struct processor *p);
/** A record begins (p->record): is its digest to be checked? */
void processor_digest_begin(struct processor *p);
/**
 * Takes a piece of a block that is not refused so far. Returns 0, DANA_ENOMEM, or DANA_ELIBRARY: libcrypto is missing.
 */
int processor_digest_write(struct processor *p, struct slice bytes);
/** The block was read to its end: sets p->digest_result. As processor_digest_write. */
int processor_digest_end(struct processor *p, const struct record_end *end);
/** Content-Type of the page: of the HTTP head, or of the record when the block is the page itself. */
struct slice processor_sent_type(const struct processor *p);
/** Notes why a plugin drops the record, when it does. Returns `answer`, which is what the chain returned. */
int processor_refused_by(struct processor *p, int answer);
/**
 * Ends the extraction. Fills `doc` and leaves SKIP_NONE in `skip`, or sets the reason. Returns 0, or a negative status.
 */
int processor_document(struct processor *p, const struct record_end *end, struct document *doc);

#endif
