/* SPDX-License-Identifier: MIT */
/*
 * The system of the papers: the byte scan `dana` for pages whose content is written mostly outside ASCII, the count of
 * characters with tags, `danag`, for the others. What decides is the share of the content's letters that are outside
 * ASCII.
 *
 * The share is known for certain only at the end of the page, but it is clear long before on nearly every page. So it
 * is looked at after 1,024 letters, after 2,048, after 4,096 and so on: where it is at most a quarter of the
 * threshold, or at least three quarters of the way from the threshold to 100 percent, the page is decided, and only
 * the chosen method reads on. Until then `danag` reads the page, whose bytes are kept for `dana`; when they become too
 * many, both read. With the default of 50 percent, an Arabic page with English menus, 700 of its first 1,024 letters
 * Arabic (68 percent, below 87.5), stays open; at 2,048 letters it may have 1,800 (88 percent): `dana` reads what was
 * kept, and alone what follows.
 *
 * The looks are at fixed counts of letters, not at ends of pieces, so the choice is the same for every split.
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
	HEAD_MOST = 256 << 10, /* bytes of an undecided page that are kept before `dana` reads them */
	UNDECIDED_STEP = 8192, /* bytes that an undecided page goes on by, so that the loser stops soon */
	DEFAULT_SHARE = 50,    /* percent */
};

enum choice { OPEN, DANA, DANAG };

struct automatic {
	void *dana, *danag;
	struct html_tokenizer *dana_tokens, *danag_tokens;
	struct buf head;                      /* bytes that `dana` has not read, while it may have to */
	unsigned long share;                  /* percent of the letters from which on it is `dana` */
	uint64_t letters, foreign, next_look; /* letters of the content so far, those outside ASCII */
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
	if (a->letters == a->next_look)
		look(a);
}

/* ---- what danag's tokeniser says, while the page is open ---- */

static int on_run(void *arg, const struct html_run *run)
{
	struct automatic *a = arg;
	if (run->kind == HTML_TEXT && !run->skipped) {
		for (size_t i = 0; i < run->bytes.len && a->choice == OPEN; i++)
			count_letter(a, run->bytes.data[i]);
	}
	return method_danag.run(a->danag, run);
}

static int on_stretch(void *arg, const struct html_stretch *h)
{
	struct automatic *a = arg;
	for (size_t block = h->from / 64; block * 64 < h->to && a->choice == OPEN; block++) {
		const struct byte_mask *m = &h->masks[block];
		uint64_t text = ~(h->code[block] | h->voids[block] | m->space | m->cont);
		for (; text && a->choice == OPEN; text &= text - 1)
			count_letter(a, h->window[block * 64 + (size_t)__builtin_ctzll(text)]);
	}
	return method_danag.stretch(a->danag, h);
}

static int on_tag(void *arg, const struct html_tag_event *event)
{
	return method_danag.tag(((struct automatic *)arg)->danag, event);
}

/* ---- the method ---- */

static int auto_init(void *state, const struct method_env *env)
{
	struct automatic *a = state;
	a->share = DEFAULT_SHARE;
	a->next_look = FIRST_LOOK;
	a->dana = calloc(1, method_dana.state_size);
	a->danag = calloc(1, method_danag.state_size);
	if (!a->dana || !a->danag)
		return DANA_ENOMEM;

	const struct html_handler dana = { .run = method_dana.run,
					   .tag = method_dana.tag,
					   .arg = a->dana,
					   .stretch = method_dana.stretch,
					   .white_space = true };
	const struct html_handler danag = { .run = on_run,
					    .tag = on_tag,
					    .arg = a,
					    .stretch = on_stretch,
					    .voids_unread = method_danag.voids_unread,
					    .white_space = true };
	a->dana_tokens = html_tokenizer_new(&dana);
	a->danag_tokens = html_tokenizer_new(&danag);
	if (!a->dana_tokens || !a->danag_tokens)
		return DANA_ENOMEM;

	int status = method_dana.init(a->dana, env);
	return status < 0 ? status : method_danag.init(a->danag, env);
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
	int status = method_dana.set(a->dana, setting);
	return status < 0 ? status : method_danag.set(a->danag, setting);
}

/* `dana` reads what was kept for it. */
static int read_head(struct automatic *a)
{
	int status = html_tokenizer_feed(a->dana_tokens, buf_slice(&a->head));
	buf_clear(&a->head);
	return status;
}

static int feed_open(struct automatic *a, struct slice bytes)
{
	int status = a->head.len + bytes.len > HEAD_MOST ? read_head(a) : DANA_OK;
	if (status >= 0)
		status = buf_append(&a->head, bytes.data, bytes.len);
	if (status >= 0)
		status = html_tokenizer_feed(a->danag_tokens, bytes);
	if (status >= 0 && a->choice == DANA)
		status = read_head(a);
	if (a->choice == DANAG)
		buf_clear(&a->head);
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
		status = html_tokenizer_feed(a->choice == DANA ? a->dana_tokens : a->danag_tokens, bytes);
	return status;
}

/* The page ends: an open page is decided by its whole content, one without letters is danag's. */
static int auto_end(void *state)
{
	struct automatic *a = state;
	int status = DANA_OK;
	if (a->choice != DANA)
		status = html_tokenizer_finish(a->danag_tokens);
	if (status >= 0 && a->choice == OPEN) {
		a->choice = a->letters && reaches_share(a) ? DANA : DANAG;
		if (a->choice == DANA)
			status = read_head(a);
	}
	if (status >= 0 && a->choice == DANA)
		status = html_tokenizer_finish(a->dana_tokens);
	return status;
}

static const struct html_tokenizer *auto_tokens(const void *state)
{
	const struct automatic *a = state;
	return a->choice == DANA ? a->dana_tokens : a->danag_tokens;
}

static int auto_finish(void *state, struct text_writer *out)
{
	struct automatic *a = state;
	return a->choice == DANA ? method_dana.finish(a->dana, out) : method_danag.finish(a->danag, out);
}

static const char *auto_chosen(const void *state)
{
	return ((const struct automatic *)state)->choice == DANA ? method_dana.name : method_danag.name;
}

static void auto_reset(void *state)
{
	struct automatic *a = state;
	method_dana.reset(a->dana);
	method_danag.reset(a->danag);
	html_tokenizer_reset(a->dana_tokens);
	html_tokenizer_reset(a->danag_tokens);
	buf_clear(&a->head);
	a->letters = a->foreign = 0;
	a->next_look = FIRST_LOOK;
	a->choice = OPEN;
}

static void auto_destroy(void *state)
{
	struct automatic *a = state;
	if (a->dana)
		method_dana.destroy(a->dana);
	if (a->danag)
		method_danag.destroy(a->danag);
	html_tokenizer_free(a->dana_tokens);
	html_tokenizer_free(a->danag_tokens);
	buf_free(&a->head);
	free(a->dana);
	free(a->danag);
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
