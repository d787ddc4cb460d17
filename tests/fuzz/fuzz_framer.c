/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the framer. First byte: pipe or file, small or default limits and room for going back, all bytes plain
 * or cut into members, whose content every run tells; second: how many of the following bytes are sizes of the pieces
 * (or of the members); the rest is the input. Oracle: the outcome of the pieces is the outcome of the whole, where
 * every other run tells the content of members (records that end inside of them are then verified, which is left out of
 * the comparison), and the record log finds no breach of the sink's contract.
 */
#include "archive/warc/framer.h"
#include "support/record_log.h"
#include "support/split_feed.h"

enum { SEEKABLE = 1, SMALL_LIMITS = 2, MEMBERS = 4, SMALL_REPLAY = 8, TELLS_ALWAYS = 16 };

struct target {
	struct record_log log;
	struct limits limits;
	struct warc_framer *framer;
	struct slice input, sizes;
	uint8_t kind;
	size_t at;    /* bytes taken */
	size_t next;  /* the member under way ends here */
	size_t count; /* members so far */
	bool tells;   /* what good members hold */
	bool sought;
};

static void settle(struct target *t, int answer)
{
	while (answer == FRAMER_SEEK) {
		t->sought = true;
		answer = warc_framer_write(t->framer, slice_skip(t->input, (size_t)warc_framer_seek_offset(t->framer)));
	}
	must_be(answer == 0, "the framer failed");
}

static void begin_member(struct target *t)
{
	uint8_t n = t->sizes.len ? t->sizes.data[t->count % t->sizes.len] : 50;
	t->next = t->at + (n == 0 ? t->count % 2 : n); /* empty ones too, but not for ever */
	settle(t, warc_framer_member_begin(t->framer, t->at));
	t->count++;
	if (t->tells && t->count % 5 && t->next <= t->input.len)
		warc_framer_member_content(t->framer, slice_of(t->input.data + t->at, t->next - t->at), true);
}

static void begin(void *arg)
{
	struct target *t = arg;
	bool seekable = t->kind & SEEKABLE && !(t->kind & MEMBERS);
	record_log_start(&t->log);
	t->log.offsets = true;
	t->framer = warc_framer_new(&t->log.sink, &t->limits, seekable);
	must(t->framer != NULL);
	if (t->kind & SMALL_REPLAY)
		warc_framer_keep_most(t->framer, 400);
	t->at = t->count = 0;
	t->sought = false;
	t->tells = !t->tells || t->kind & TELLS_ALWAYS;
	t->log.hides_unverified = !(t->kind & TELLS_ALWAYS);
	if (t->kind & MEMBERS)
		begin_member(t);
	else
		settle(t, warc_framer_plain(t->framer, 0, seekable ? t->input.len : UINT64_MAX));
}

static void piece(void *arg, struct slice bytes)
{
	struct target *t = arg;
	while (bytes.len && !t->sought) {
		size_t n = bytes.len;
		if (t->kind & MEMBERS && n > t->next - t->at)
			n = t->next - t->at;
		if (n)
			settle(t, warc_framer_write(t->framer, slice_of(bytes.data, n)));
		t->at += n;
		bytes = slice_skip(bytes, n);
		if (t->kind & MEMBERS && t->at == t->next) {
			/* every fifth member is damaged, and garbage follows every seventh */
			if (t->count % 5 == 0)
				settle(t, warc_framer_member_bad(t->framer, DAMAGE_BAD_MEMBER, "fuzz"));
			else
				settle(t, warc_framer_member_end(t->framer, t->at));
			if (t->count % 7 == 0)
				settle(t, warc_framer_garbage(t->framer, t->at, "fuzz"));
			begin_member(t);
		}
	}
}

static void end(void *arg, struct buf *outcome)
{
	struct target *t = arg;
	if (t->kind & MEMBERS)
		settle(t, warc_framer_member_end(t->framer, t->at));
	for (int answer; (answer = warc_framer_finish(t->framer)) != 0;)
		settle(t, answer);
	must_be(!t->log.open, "a record without end");
	must_be(warc_framer_records(t->framer) == t->log.records + t->log.damaged, "records do not add up");
	must_be(warc_framer_bytes(t->framer) == t->input.len, "bytes do not add up");
	warc_framer_free(t->framer);
	must(buf_append(outcome, t->log.text.data, t->log.text.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const struct slice rest = slice_of(data + 2, size - 2), sizes = slice_first(rest, data[1] % 16);
	struct target t = { .limits = LIMITS_DEFAULT,
			    .kind = data[0],
			    .sizes = sizes,
			    .input = slice_skip(rest, sizes.len) };
	const struct split_subject subject = { begin, piece, end, &t };
	if (t.kind & SMALL_LIMITS) {
		t.limits.head = 300;
		t.limits.head_line = 40;
		t.limits.block = 20;
	}
	split_check_sizes(&subject, t.input, t.sizes);
	buf_free(&t.log.text);
	return 0;
}
