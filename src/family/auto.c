/* SPDX-License-Identifier: MIT */
/*
 * The system of the papers: the byte scan `dana` for pages whose content is written mostly outside ASCII, the count of
 * characters with tags, `danag`, for the others. What decides is the share of the content's letters that are outside
 * ASCII.
 *
 * The share is known for certain only at the end of the page, but it is clear long before on nearly every page. So it
 * is looked at after 1,024 letters, after 2,048, after 4,096 and so on: where it is at most a quarter of the
 * threshold, or at least three quarters of the way from the threshold to 100 percent, the page is decided, and only
 * the chosen method reads on. Until then one of the two, the leader, reads the page and counts its letters; the bytes are
 * kept for the other one, and when they become too many, both read. With the default of 50 percent, an Arabic page with
 * English menus, 700 of its first 1,024 letters Arabic (68 percent, below 87.5), stays open; at 2,048 letters it may
 * have 1,800 (88 percent) and is decided.
 *
 * `danag` leads first. Where half of the first 32 letters or more, or of the first 64, 128 and so on, are outside ASCII,
 * `dana` will most likely be the choice: it reads what was kept, counting from the beginning, and leads from there.
 *
 * The looks are at fixed counts of letters, not at ends of pieces, and both methods see the same letters, so the choice
 * is the same for every split.
 */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/status.h"
#include "family/methods.h"
#include "family/segmenter.h"
#include "html/run_scan.h"

enum {
	FIRST_LOOK = 1024,     /* letters */
	FIRST_GUESS = 32,      /* letters after which the leader may change */
	HEAD_MOST = 256 << 10, /* bytes of an undecided page that are kept before the other method reads them */
	UNDECIDED_STEP = 8192, /* bytes that an undecided page goes on by, so that the loser stops soon */
	DEFAULT_SHARE = 50,    /* percent */
};

enum choice { DANA, DANAG, OPEN };

/* One of the two methods. */
struct reader {
	struct automatic *automatic;
	const struct method *method;
	void *state;
	struct html_tokenizer *tokens;
};

struct automatic {
	struct reader readers[2];  /* DANA, DANAG */
	enum choice leader;        /* it reads an open page, and counts */
	bool guessed;              /* from the letters so far: `dana` should lead */
	struct buf head;           /* bytes that the other one has not read, while it may have to */
	bool head_whole;           /* from the page's first byte on */
	unsigned long share;       /* percent of the letters from which on it is `dana` */
	uint64_t letters, foreign; /* letters of the content so far, those outside ASCII */
	uint64_t next_look, next_guess;
	enum choice choice;
};

/* ---- letters ---- */

static bool is_ascii_letter(uint8_t c)
{
	return (uint8_t)((c | 0x20) - 'a') < 26;
}

/*
 * First byte of a character outside ASCII that may be a letter: neither of U+0080 to U+00BF (no-break space, quotes)
 * nor of U+2000 to U+2FFF (dashes, quotes, arrows).
 */
static bool is_foreign_letter(uint8_t c)
{
	return c >= 0xC3 && c != 0xE2;
}

static bool reaches_share(const struct automatic *a)
{
	return a->foreign * 100 >= a->letters * a->share;
}

static void look(struct automatic *a)
{
	const uint64_t percent400 = a->foreign * 400, share = a->share;
	if (percent400 <= a->letters * share && share)
		a->choice = DANAG;
	else if (percent400 >= a->letters * (share + 300))
		a->choice = DANA;
	a->next_look *= 2;
}

static void count_letter(struct automatic *a, uint8_t c)
{
	const bool foreign = is_foreign_letter(c);
	if (!foreign && !is_ascii_letter(c))
		return;
	a->letters++;
	a->foreign += foreign;
	if (a->letters == a->next_guess) {
		a->guessed |= a->foreign * 2 >= a->letters;
		a->next_guess *= 2;
	}
	if (a->letters == a->next_look)
		look(a);
}

/* The bytes with a bit in `text`. Where no look falls among them, they are counted without one after each letter. */
static void count_block(struct automatic *a, const uint8_t *bytes, uint64_t text)
{
	const uint64_t next = a->next_look < a->next_guess ? a->next_look : a->next_guess;
	if (a->letters + 64 >= next) {
		for (; text && a->choice == OPEN; text &= text - 1)
			count_letter(a, bytes[__builtin_ctzll(text)]);
		return;
	}
	unsigned letters = 0, foreign = 0;
	for (; text; text &= text - 1) {
		const uint8_t c = bytes[__builtin_ctzll(text)];
		letters += (unsigned)is_ascii_letter(c) + (unsigned)is_foreign_letter(c);
		foreign += is_foreign_letter(c);
	}
	a->letters += letters;
	a->foreign += foreign;
}

static void start_counting(struct automatic *a, enum choice leader)
{
	a->leader = leader;
	a->letters = a->foreign = 0;
	a->next_look = FIRST_LOOK;
	a->next_guess = FIRST_GUESS;
	a->guessed = false;
}

/* ---- what the tokenisers say ---- */

static bool counts(const struct reader *r)
{
	const struct automatic *a = r->automatic;
	return a->choice == OPEN && r == &a->readers[a->leader];
}

static int on_run(void *arg, const struct html_run *run)
{
	const struct reader *r = arg;
	struct automatic *a = r->automatic;
	if (counts(r) && run->kind == HTML_TEXT && !run->skipped) {
		for (size_t i = 0; i < run->bytes.len && a->choice == OPEN; i++)
			count_letter(a, run->bytes.data[i]);
	}
	return r->method->run(r->state, run);
}

static int on_stretch(void *arg, const struct html_stretch *h)
{
	const struct reader *r = arg;
	struct automatic *a = r->automatic;
	for (size_t block = h->from / 64; block * 64 < h->to && counts(r); block++) {
		const struct byte_mask *m = &h->masks[block];
		uint64_t text = ~(h->code[block] | h->voids[block] | m->space | m->cont);
		count_block(a, h->window + block * 64, text);
	}
	return r->method->stretch(r->state, h);
}

static int on_tag(void *arg, const struct html_tag_event *event)
{
	const struct reader *r = arg;
	return r->method->tag(r->state, event);
}

/* ---- the method ---- */

static int reader_init(struct reader *r, struct automatic *a, const struct method *method, const struct method_env *env)
{
	const struct html_handler handler = { .run = on_run,
					      .tag = on_tag,
					      .arg = r,
					      .stretch = on_stretch,
					      .voids_unread = method->voids_unread,
					      .white_space = true };
	*r = (struct reader){ a, method, calloc(1, method->state_size), html_tokenizer_new(&handler) };
	return r->state && r->tokens ? method->init(r->state, env) : DANA_ENOMEM;
}

static int auto_init(void *state, const struct method_env *env)
{
	struct automatic *a = state;
	a->share = DEFAULT_SHARE;
	a->choice = OPEN;
	a->head_whole = true;
	start_counting(a, DANAG);
	int status = reader_init(&a->readers[DANA], a, &method_dana, env);
	return status < 0 ? status : reader_init(&a->readers[DANAG], a, &method_danag, env);
}

/* The unit of each is its own unless it is set. */
static const struct method_key keys[] = {
	{ .name = "share",
	  .most = 100,
	  .standard = "50",
	  .help = "percent of the letters outside ASCII from which dana is taken" },
	SEGMENTER_KEYS(NULL),
	{ .name = NULL },
};

static int auto_set(void *state, const struct method_setting *setting)
{
	struct automatic *a = state;
	if (method_setting_is(setting, "share")) {
		a->share = setting->number;
		return DANA_OK;
	}
	int status = DANA_OK;
	for (size_t i = 0; i < 2 && status >= 0; i++)
		status = a->readers[i].method->set(a->readers[i].state, setting);
	return status;
}

/* The method that does not lead reads what was kept for it. */
static int read_head(struct automatic *a)
{
	int status = html_tokenizer_feed(a->readers[a->leader == DANA ? DANAG : DANA].tokens, buf_slice(&a->head));
	buf_clear(&a->head);
	return status;
}

/* `dana` reads the page from its beginning; `danag` has read as far as it. */
static int change_leader(struct automatic *a)
{
	start_counting(a, DANA);
	int status = html_tokenizer_feed(a->readers[DANA].tokens, buf_slice(&a->head));
	buf_clear(&a->head);
	return status;
}

static int feed_open(struct automatic *a, struct slice bytes)
{
	int status = DANA_OK;
	if (a->head.len + bytes.len > HEAD_MOST) {
		a->head_whole = false;
		status = read_head(a);
	}
	if (status >= 0)
		status = buf_append(&a->head, bytes.data, bytes.len);
	if (status >= 0)
		status = html_tokenizer_feed(a->readers[a->leader].tokens, bytes);
	if (status >= 0 && a->choice == OPEN && a->leader == DANAG && a->guessed && a->head_whole)
		return change_leader(a);
	if (a->choice == a->leader)
		buf_clear(&a->head);
	else if (status >= 0 && a->choice != OPEN)
		status = read_head(a);
	return status;
}

static int auto_feed(void *state, struct slice bytes)
{
	struct automatic *a = state;
	int status = DANA_OK;
	while (bytes.len && a->choice == OPEN && status >= 0) {
		size_t step = bytes.len < UNDECIDED_STEP ? bytes.len : UNDECIDED_STEP;
		status = feed_open(a, slice_of(bytes.data, step));
		bytes = slice_skip(bytes, step);
	}
	if (bytes.len && status >= 0)
		status = html_tokenizer_feed(a->readers[a->choice].tokens, bytes);
	return status;
}

/* The page ends: an open page is decided by its whole content, one without letters is danag's. */
static int auto_end(void *state)
{
	struct automatic *a = state;
	if (a->choice != OPEN)
		return html_tokenizer_finish(a->readers[a->choice].tokens);
	int status = html_tokenizer_finish(a->readers[a->leader].tokens);
	if (a->choice == OPEN)
		a->choice = a->letters && reaches_share(a) ? DANA : DANAG;
	if (status < 0 || a->choice == a->leader)
		return status;
	status = read_head(a);
	return status < 0 ? status : html_tokenizer_finish(a->readers[a->choice].tokens);
}

static const struct reader *reading(const struct automatic *a)
{
	return &a->readers[a->choice == OPEN ? a->leader : a->choice];
}

static const struct html_tokenizer *auto_tokens(const void *state)
{
	return reading(state)->tokens;
}

static int auto_finish(void *state, struct text_writer *out)
{
	const struct reader *r = reading(state);
	return r->method->finish(r->state, out);
}

static const char *auto_chosen(const void *state)
{
	return reading(state)->method->name;
}

static void auto_reset(void *state)
{
	struct automatic *a = state;
	for (size_t i = 0; i < 2; i++) {
		a->readers[i].method->reset(a->readers[i].state);
		html_tokenizer_reset(a->readers[i].tokens);
	}
	buf_clear(&a->head);
	a->head_whole = true;
	a->choice = OPEN;
	start_counting(a, DANAG);
}

static void auto_destroy(void *state)
{
	struct automatic *a = state;
	for (size_t i = 0; i < 2; i++) {
		struct reader *r = &a->readers[i];
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
	.reset = auto_reset,
	.destroy = auto_destroy,
	.chosen = auto_chosen,
};
