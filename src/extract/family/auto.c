/* SPDX-License-Identifier: MIT */
/*
 * The system of the papers: the byte scan `dana` for pages whose content is written mostly outside ASCII, the count of
 * characters with tags, `danag`, for the others. The choice depends on the share of the content's letters that are
 * outside ASCII.
 *
 * The final share is known only at the end of the page, but on nearly every page it is clear long before.
 *
 * So it is checked after 256 letters and at each doubling. `dana` is chosen if the share is within an eighth of the way
 * from 100 percent down to the threshold; at 512 letters within a quarter, at 1,024 within half, from 2,048 on if it
 * reaches the threshold.
 *
 * Example: with the default of 50 percent, an Arabic page with English menus, with 200 of its first 256
 * letters in Arabic (78 percent, below 93.75), stays open; at 512 letters it may have 450 (88 percent, above 87.5) and
 * is decided.
 *
 * `danag` is chosen only from 1,024 letters on, because many pages in other scripts begin with menus and notices in
 * English: if the share is at most a quarter of the threshold, at 2,048 half of it, at 4,096 three quarters; 8,192
 * letters decide in any case.
 *
 * Until then one of the two, the leader, reads the page and counts its letters; the bytes are kept for the other one,
 * and when they become too many, both read.
 *
 * Which one leads affects only the time, so it is guessed. `dana` leads from the start if eight bytes above 127 follow
 * each other in the page's first 2 KiB (a word of its title), or if one in 16 of more bytes is above 127.
 *
 * Otherwise `danag` leads; but if at least half of the first 64 letters, or of the first 128, 256 and so on, are
 * outside ASCII, `dana` reads the page from its beginning and leads from there. The leader that gives way stops at
 * once, by a status that its tokeniser returns.
 *
 * The checks are at fixed counts of letters, not at ends of pieces, and both methods see the same letters, so the
 * choice is the same for every split.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "extract/family/letters.h"
#include "extract/family/methods.h"
#include "extract/family/segmenter.h"
#include "extract/html/tokenizer.h"

enum {
	GUESS_WORD = 2 << 10,  /* bytes searched for a word, */
	GUESS_LEAST = 2 << 10, /* least for the share of bytes above 127, */
	GUESS_MOST = 64 << 10, /* and most, */
	GUESS_WORDS = 32,      /* words of 8 bytes in each part: their sum fits into a byte */
	GUESS_SHARE = 16,      /* one byte in so many is above 127 */
	HEAD_MOST = 256 << 10, /* bytes of an undecided page that are kept before the other method reads them */
	DEFAULT_SHARE = 50,    /* percent */
	GIVES_WAY = -1000,     /* status used only in this file: the leader stops, and the other method reads */
};

/* One of the two methods. */
struct auto_reader {
	struct automatic *automatic;
	const struct method *method;
	void *state;
	struct html_tokenizer *tokens;
};

struct automatic {
	struct auto_reader readers[2]; /* DANA, DANAG */
	enum choice leader;     /* reads and counts while the page is open; the chosen method once it is decided */
	struct letters letters; /* letters that the leader has read; they decide */
	enum choice choice;
	struct buf head; /* bytes that the other method has not read, while it may have to */
	bool head_whole; /* from the page's first byte on */
	bool begun;      /* a leader has been guessed */
};

static void page_begin(struct automatic *a)
{
	a->leader = DANAG;
	a->choice = OPEN;
	a->head_whole = true;
	a->begun = false;
	letters_begin(&a->letters);
}

/* ---- what the tokenisers call ---- */

static enum choice other(enum choice which)
{
	return which == DANA ? DANAG : DANA;
}

static bool counts(const struct auto_reader *r)
{
	const struct automatic *a = r->automatic;
	return a->choice == OPEN && r == &a->readers[a->leader];
}

/* Called after the leader has counted. Returns 0 if it continues, otherwise GIVES_WAY. */
static int goes_on(const struct automatic *a)
{
	if (a->choice == other(a->leader))
		return GIVES_WAY;
	bool misled = a->choice == OPEN && a->leader == DANAG && a->letters.foreign_half && a->head_whole;
	return misled ? GIVES_WAY : DANA_OK;
}

static int on_run(void *arg, const struct html_run *run)
{
	const struct auto_reader *r = arg;
	struct automatic *a = r->automatic;
	int status = DANA_OK;
	if (counts(r)) {
		a->choice = letters_run(&a->letters, run);
		status = goes_on(a);
	}
	return status < 0 ? status : r->method->run(r->state, run);
}

static int on_stretch(void *arg, const struct html_stretch *h)
{
	const struct auto_reader *r = arg;
	struct automatic *a = r->automatic;
	int status = DANA_OK;
	if (counts(r)) {
		a->choice = letters_stretch(&a->letters, h);
		status = goes_on(a);
	}
	return status < 0 ? status : r->method->stretch(r->state, h);
}

static int on_tag(void *arg, const struct html_tag_event *event)
{
	const struct auto_reader *r = arg;
	return r->method->tag(r->state, event);
}

/* ---- the method ---- */

static int reader_init(struct auto_reader *r, struct automatic *a, const struct method *method,
		       const struct method_env *env)
{
	const struct html_handler handler = { .run = on_run,
					      .tag = on_tag,
					      .arg = r,
					      .stretch = env->spans ? NULL : on_stretch, /* places need runs */
					      .voids_unread = method->voids_unread,
					      .white_space = true,
					      .formulas = true };
	*r = (struct auto_reader){ a, method, calloc(1, method->state_size), html_tokenizer_new(&handler) };
	return r->state && r->tokens ? method->init(r->state, env) : DANA_ENOMEM;
}

static int auto_init(void *state, const struct method_env *env)
{
	struct automatic *a = state;
	a->letters.share = DEFAULT_SHARE;
	page_begin(a);
	int status = reader_init(&a->readers[DANA], a, &method_dana, env);
	return status < 0 ? status : reader_init(&a->readers[DANAG], a, &method_danag, env);
}

/* Unless set, most are each method's own default. */
static const struct method_key keys[] = {
	{ .name = "share",
	  .most = 100,
	  .standard = "50",
	  .help = "lowest percentage of letters outside ASCII for which dana is chosen" },
	SEGMENTER_KEYS(NULL, NULL, NULL),
	SEGMENTER_KEYS_MENDED(NULL, NULL),
	{ .name = NULL },
};

static int auto_set(void *state, const struct method_setting *setting)
{
	struct automatic *a = state;
	if (method_setting_is(setting, "share")) {
		a->letters.share = setting->number;
		return DANA_OK;
	}
	int status = DANA_OK;
	if (method_setting_is(setting, "literal"))
		a->letters.literal = setting->number == 1;
	for (size_t i = 0; i < 2 && status >= 0; i++) {
		struct auto_reader *r = &a->readers[i];
		status = r->method->set(r->state, setting);
		if (r->method->reads_voids)
			html_tokenizer_read_voids(r->tokens, r->method->reads_voids(r->state));
	}
	return status;
}

/* Returns whether the first bytes look like a page for `dana`: by a word, or by the first 2 KiB, or 4, and so on. */
static bool looks_foreign(struct slice bytes)
{
	size_t high = 0, looked = 0;
	/* in Latin text accented letters are isolated */
	const uint64_t tops = 0x8080808080808080;
	for (size_t i = 0; i + 8 <= bytes.len && i < GUESS_WORD; i += 8) {
		if ((little_endian_64(bytes.data + i) & tops) == tops)
			return true;
	}

	for (size_t at = 0, end = GUESS_LEAST; at < bytes.len && end <= GUESS_MOST; at = end, end *= 2) {
		const size_t to = end < bytes.len ? end : bytes.len - bytes.len % 8, step = end / GUESS_WORDS;
		uint64_t sums = 0; /* eight, a byte each */
		for (size_t i = at; i < to; i += step, looked += 8)
			sums += little_endian_64(bytes.data + i) >> 7 & 0x0101010101010101;
		high += (size_t)(sums * 0x0101010101010101 >> 56);
		if (high * GUESS_SHARE > looked)
			return true;
	}
	return false;
}

static struct html_tokenizer *leading(const struct automatic *a)
{
	return a->readers[a->leader].tokens;
}

static void reader_reset(struct auto_reader *r)
{
	r->method->reset(r->state);
	html_tokenizer_reset(r->tokens);
}

/* Makes the leader give way: the other method reads what was kept for it, then `bytes`. May return GIVES_WAY again. */
static int give_way(struct automatic *a, struct slice bytes)
{
	/* if `danag` reads again, it is from the page's beginning */
	reader_reset(&a->readers[a->leader]);
	a->leader = other(a->leader);
	if (a->choice == OPEN)
		letters_begin(&a->letters);
	int status = html_tokenizer_feed(leading(a), buf_slice(&a->head));
	return status < 0 ? status : html_tokenizer_feed(leading(a), bytes);
}

/* For an undecided page: keeps its bytes for the method that does not lead, or has it read them. */
static int keep(struct automatic *a, struct slice bytes)
{
	if (a->head.len + bytes.len <= HEAD_MOST)
		return buf_append(&a->head, bytes.data, bytes.len);
	struct html_tokenizer *tokens = a->readers[other(a->leader)].tokens;
	int status = html_tokenizer_feed(tokens, buf_slice(&a->head));
	a->head_whole = false;
	buf_clear(&a->head);
	return status < 0 ? status : html_tokenizer_feed(tokens, bytes);
}

static int auto_feed(void *state, struct slice bytes)
{
	struct automatic *a = state;
	if (!a->begun && looks_foreign(bytes))
		a->leader = DANA;
	a->begun = true;
	int status = html_tokenizer_feed(leading(a), bytes);
	while (status == GIVES_WAY)
		status = give_way(a, bytes);
	if (a->choice == OPEN && status >= 0)
		return keep(a, bytes);
	buf_clear(&a->head);
	return status;
}

/* Ends the page: if it is open, its whole content decides; without letters `danag` is chosen. */
static int auto_end(void *state)
{
	struct automatic *a = state;
	for (;;) {
		int status = html_tokenizer_finish(leading(a));
		if (a->choice == OPEN && status >= 0) {
			a->choice = letters_end(&a->letters);
			status = a->choice == a->leader ? DANA_OK : GIVES_WAY;
		}
		if (status != GIVES_WAY)
			return status;
		while (status == GIVES_WAY)
			status = give_way(a, slice_of(NULL, 0));
		if (status < 0)
			return status;
	}
}

static const struct html_tokenizer *auto_tokens(const void *state)
{
	return leading(state);
}

static const struct auto_reader *reading(const struct automatic *a)
{
	return &a->readers[a->leader];
}

static int auto_finish(void *state, struct text_writer *out)
{
	const struct auto_reader *r = reading(state);
	return r->method->finish(r->state, out);
}

static const char *auto_chosen(const void *state)
{
	return reading(state)->method->name;
}

static void auto_reset(void *state)
{
	struct automatic *a = state;
	for (size_t i = 0; i < 2; i++)
		reader_reset(&a->readers[i]);
	buf_clear(&a->head);
	page_begin(a);
}

static void auto_destroy(void *state)
{
	struct automatic *a = state;
	for (size_t i = 0; i < 2; i++) {
		struct auto_reader *r = &a->readers[i];
		if (r->state)
			r->method->destroy(r->state);
		html_tokenizer_free(r->tokens);
		free(r->state);
	}
	buf_free(&a->head);
}

const struct method method_auto = {
	.name = "auto",
	.source = "DEXA/TIR 2011",
	.memory = "four buffers + 256 KiB",
	.summary = "dana if most letters are not ASCII, else danag",
	.state_size = sizeof(struct automatic),
	.init = auto_init,
	.keys = keys,
	.set = auto_set,
	.feed = auto_feed,
	.end = auto_end,
	.tokens = auto_tokens,
	.finish = auto_finish,
	.lists_spans = true,
	.reset = auto_reset,
	.destroy = auto_destroy,
	.chosen = auto_chosen,
};
