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
 * Which one leads only costs time, so it is guessed. `dana` leads from the start where one in 64 of the page's first
 * bytes is above 127: a page in such a script has that many in its title already. Otherwise `danag` does, and where half
 * of the first 64 letters or more, or of the first 128, 256 and so on, are outside ASCII, `dana` reads what was kept,
 * counting from the beginning, and leads from there.
 *
 * The looks are at fixed counts of letters, not at ends of pieces, and both methods see the same letters, so the choice
 * is the same for every split.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "base/little_endian.h"
#include "base/status.h"
#include "family/letters.h"
#include "family/methods.h"
#include "family/segmenter.h"
#include "html/run_scan.h"

enum {
	GUESS_WORDS = 255,            /* words of 8 bytes at the page's start; so many ones fit into a byte */
	GUESS_SHARE = 64,             /* one byte in so many is above 127 */
	HEAD_MOST = 256 << 10,        /* bytes of an undecided page that are kept before the other method reads them */
	UNDECIDED_STEP = HTML_WINDOW, /* bytes that an undecided page goes on by: a window is cut nowhere else */
	DEFAULT_SHARE = 50,           /* percent */
};

/* One of the two methods. */
struct reader {
	struct automatic *automatic;
	const struct method *method;
	void *state;
	struct html_tokenizer *tokens;
};

struct automatic {
	struct reader readers[2]; /* DANA, DANAG */
	enum choice leader;       /* it reads an open page, and counts */
	struct letters letters;   /* that the leader has read; they decide */
	enum choice choice;
	struct buf head; /* bytes that the other one has not read, while it may have to */
	bool head_whole; /* from the page's first byte on */
	bool begun;      /* the leader has been guessed */
};

static void lead(struct automatic *a, enum choice leader)
{
	a->leader = leader;
	a->choice = OPEN;
	letters_begin(&a->letters);
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
	if (counts(r) && run->kind == HTML_TEXT && !run->skipped)
		a->choice = letters_run(&a->letters, run->bytes);
	return r->method->run(r->state, run);
}

static int on_stretch(void *arg, const struct html_stretch *h)
{
	const struct reader *r = arg;
	struct automatic *a = r->automatic;
	if (counts(r))
		a->choice = letters_stretch(&a->letters, h);
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
	a->letters.share = DEFAULT_SHARE;
	a->head_whole = true;
	lead(a, DANAG);
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
		a->letters.share = setting->number;
		return DANA_OK;
	}
	int status = DANA_OK;
	for (size_t i = 0; i < 2 && status >= 0; i++)
		status = a->readers[i].method->set(a->readers[i].state, setting);
	return status;
}

static struct html_tokenizer *tokens_of(const struct automatic *a, enum choice which)
{
	return a->readers[which].tokens;
}

static enum choice other(enum choice which)
{
	return which == DANA ? DANAG : DANA;
}

/* A method reads what was kept for it, and the bytes after that. */
static int catch_up(struct automatic *a, enum choice which, struct slice after)
{
	int status = html_tokenizer_feed(tokens_of(a, which), buf_slice(&a->head));
	buf_clear(&a->head);
	return status < 0 ? status : html_tokenizer_feed(tokens_of(a, which), after);
}

/* Whether the page's first bytes look like a page for `dana`. */
static bool looks_foreign(struct slice bytes)
{
	size_t words = bytes.len / 8 < GUESS_WORDS ? bytes.len / 8 : GUESS_WORDS;
	uint64_t high = 0; /* eight sums, a byte each */
	for (size_t i = 0; i < words; i++)
		high += little_endian_64(bytes.data + 8 * i) >> 7 & 0x0101010101010101;
	high = (high & 0x00FF00FF00FF00FF) + (high >> 8 & 0x00FF00FF00FF00FF);
	return (high * 0x0001000100010001 >> 48) * GUESS_SHARE > words * 8;
}

/* One step of an undecided page: the leader reads bytes[*at..*at + step). *kept: the other one has read up to there. */
static int step_open(struct automatic *a, struct slice bytes, size_t step, size_t *at, size_t *kept)
{
	struct slice behind = slice_of(bytes.data + *kept, *at - *kept);
	int status = DANA_OK;
	if (a->head.len + behind.len + step > HEAD_MOST) {
		a->head_whole = false;
		*kept = *at;
		status = catch_up(a, other(a->leader), behind);
	}
	if (status >= 0)
		status = html_tokenizer_feed(tokens_of(a, a->leader), slice_of(bytes.data + *at, step));
	*at += step;
	if (status < 0 || a->choice != OPEN || a->leader == DANA || !a->letters.foreign_half || !a->head_whole)
		return status;
	/* `dana` reads the page from its beginning; `danag` has read as far as it will have then */
	behind = slice_of(bytes.data + *kept, *at - *kept);
	*kept = *at;
	lead(a, DANA);
	return catch_up(a, DANA, behind);
}

/* Reads until the page is decided, or all of `bytes`. *at: what was read, then by the method that was chosen. */
static int feed_open(struct automatic *a, struct slice bytes, size_t *at)
{
	int status = DANA_OK;
	size_t kept = 0;
	while (*at < bytes.len && a->choice == OPEN && status >= 0) {
		size_t left = bytes.len - *at;
		status = step_open(a, bytes, left < UNDECIDED_STEP ? left : UNDECIDED_STEP, at, &kept);
	}
	struct slice behind = slice_of(bytes.data + kept, *at - kept);
	if (status < 0)
		return status;
	if (a->choice == OPEN)
		return buf_append(&a->head, behind.data, behind.len);
	if (a->choice != a->leader)
		return catch_up(a, a->choice, behind);
	buf_clear(&a->head);
	return DANA_OK;
}

static int auto_feed(void *state, struct slice bytes)
{
	struct automatic *a = state;
	size_t at = 0;
	if (!a->begun && looks_foreign(bytes))
		a->leader = DANA;
	a->begun = true;
	int status = feed_open(a, bytes, &at);
	if (status < 0 || at == bytes.len)
		return status;
	return html_tokenizer_feed(tokens_of(a, a->choice), slice_skip(bytes, at));
}

/* The page ends: an open page is decided by its whole content, one without letters is danag's. */
static int auto_end(void *state)
{
	struct automatic *a = state;
	if (a->choice != OPEN)
		return html_tokenizer_finish(tokens_of(a, a->choice));
	int status = html_tokenizer_finish(tokens_of(a, a->leader));
	if (a->choice == OPEN)
		a->choice = letters_end(&a->letters);
	if (status < 0 || a->choice == a->leader)
		return status;
	status = catch_up(a, a->choice, slice_of(NULL, 0));
	return status < 0 ? status : html_tokenizer_finish(tokens_of(a, a->choice));
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
	a->begun = false;
	lead(a, DANAG);
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
