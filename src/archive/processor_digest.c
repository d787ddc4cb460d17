/* SPDX-License-Identifier: MIT */
/*
 * The digest of a record's block, where it is worth something: SHA-1 costs half of what inflating does, and where a
 * checksum of the compression has shown that the bytes are as they were written, it could only find a digest that was
 * wrong then. What is refused by its head is not hashed.
 */
#include "archive/processor_state.h"

void processor_digest_begin(struct processor *p)
{
	const struct record *rec = p->record;
	const bool checked = p->check_digests == DIGESTS_ALWAYS || (p->check_digests == DIGESTS_AUTO && !rec->verified);
	p->digest_stage = checked && rec->block_digest.len ? DIGEST_WANTED : DIGEST_UNWANTED;
	p->digest_result = BLOCK_DIGEST_NONE;
}

/* The first one loads libcrypto, which takes as long as many a page. */
static int digest_open(struct processor *p)
{
	struct error err = { 0 };
	if (!p->digest)
		p->digest = block_digest_new(&err);
	p->digest_stage = p->digest ? DIGEST_OPEN : DIGEST_LACKS;
	if (p->digest)
		return block_digest_begin(p->digest, p->record->block_digest, p->record->content_length);
	return p->digest_optional && err.status == DANA_ELIBRARY ? DANA_OK : (int)err.status;
}

int processor_digest_write(struct processor *p, struct slice bytes)
{
	int status = p->digest_stage == DIGEST_WANTED ? digest_open(p) : DANA_OK;
	return status == DANA_OK && p->digest_stage == DIGEST_OPEN ? block_digest_write(p->digest, bytes) : status;
}

int processor_digest_end(struct processor *p, const struct record_end *end)
{
	int result = processor_digest_write(p, slice_of(NULL, 0)); /* a block without bytes has a digest, too */
	if (result == DANA_OK && p->digest_stage == DIGEST_OPEN)
		result = block_digest_end(p->digest, end->wrong_length && !end->block_cut);
	if (result < 0)
		return result;
	p->digest_result = (enum block_digest_result)result;
	return DANA_OK;
}
