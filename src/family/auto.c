/*
 * The default: `dana` for pages whose content has no ASCII, `danag` for all others. The design asks for a share of non-ASCII
 * characters from which on `dana` is taken, by measurement; measured it is 100 percent: below, `danag` is the better one, on real
 * right-to-left pages too (doc/METHODS.md has the figures). So the first ASCII character settles the matter, and nearly every page
 * shows one soon: up to there its bytes are kept, and `dana` reads them only when there is none, or when they become too many.
 */

#include <stdlib.h>

#include "base/buf.h"
#include "base/status.h"
#include "family/methods.h"
#include "html/run_scan.h"

enum {
	HEAD_MOST = 256 << 10
}; /* bytes without ASCII content that are kept before `dana` reads them; no window is longer */

struct automatic {
	void *dana, *danag;
	struct html_tokenizer *tokens; /* tells `dana` the page, up to `head` */
	struct buf head;
	bool content; /* the page has shown content */
	bool ascii;   /* it has shown a character of content below 128 that is no white space: danag it is */
};

static int auto_init(void *state, const struct method_env *env)
{
	struct automatic *a = state;
	a->dana = calloc(1, method_dana.state_size);
	a->danag = calloc(1, method_danag.state_size);
	if (!a->dana || !a->danag)
		return DANA_ENOMEM;
	const struct html_handler handler = { .run = method_dana.run,
					      .tag = method_dana.tag,
					      .arg = a->dana,
					      .stretch = method_dana.stretch };
	a->tokens = html_tokenizer_new(&handler, NULL);
	if (!a->tokens)
		return DANA_ENOMEM;
	int status = method_dana.init(a->dana, env);
	return status < 0 ? status : method_danag.init(a->danag, env);
}

static int auto_set(void *state, struct slice key, struct slice value)
{
	struct automatic *a = state;
	int status = method_dana.set(a->dana, key, value);
	return status < 0 ? status : method_danag.set(a->danag, key, value);
}

/* `dana` reads what is kept. */
static int head_read(struct automatic *a)
{
	int status = html_tokenizer_feed(a->tokens, buf_slice(&a->head));
	buf_clear(&a->head);
	return status;
}

static int head_keep(struct automatic *a, struct slice bytes)
{
	int status = a->head.len + bytes.len > HEAD_MOST ? head_read(a) : DANA_OK;
	return status < 0 ? status : buf_append(&a->head, bytes.data, bytes.len);
}

static void look(struct automatic *a, const struct html_run *text)
{
	uint64_t chars = 0, high = 0;
	html_run_content(text, &chars, &high);
	a->content |= chars != 0;
	a->ascii |= chars != high;
}

static int auto_run(void *state, const struct html_run *run)
{
	struct automatic *a = state;
	if (!a->ascii && run->kind == HTML_TEXT && !run->skipped)
		look(a, run);
	int status = a->ascii ? DANA_OK : head_keep(a, run->bytes);
	return status < 0 ? status : method_danag.run(a->danag, run);
}

/* A text of the stretch: as look, but white space does not begin a content. */
static void look_stretch(struct automatic *a, const struct html_stretch *h)
{
	for (size_t block = h->from / 64; block * 64 < h->to && !a->ascii; block++) {
		const struct byte_mask *m = &h->masks[block];
		uint64_t words = ~(h->code[block] | h->voids[block] | m->space);
		a->content |= (words & ~m->cont) != 0;
		a->ascii |= (words & ~m->high) != 0;
	}
}

static int auto_stretch(void *state, const struct html_stretch *stretch)
{
	struct automatic *a = state;
	if (!a->ascii)
		look_stretch(a, stretch);
	struct slice bytes = slice_of(stretch->window + stretch->from, stretch->to - stretch->from);
	int status = a->ascii ? DANA_OK : head_keep(a, bytes);
	return status < 0 ? status : method_danag.stretch(a->danag, stretch);
}

static int auto_tag(void *state, const struct html_tag_event *event)
{
	return method_danag.tag(((struct automatic *)state)->danag, event);
}

static bool takes_dana(const struct automatic *a)
{
	return a->content && !a->ascii;
}

static int auto_finish(void *state, struct text_writer *out)
{
	struct automatic *a = state;
	if (!takes_dana(a))
		return method_danag.finish(a->danag, out);
	int status = head_read(a);
	if (status >= 0)
		status = html_tokenizer_finish(a->tokens);
	return status < 0 ? status : method_dana.finish(a->dana, out);
}

static const char *auto_chosen(const void *state)
{
	return takes_dana(state) ? method_dana.name : method_danag.name;
}

static void auto_reset(void *state)
{
	struct automatic *a = state;
	method_dana.reset(a->dana);
	method_danag.reset(a->danag);
	html_tokenizer_reset(a->tokens);
	buf_clear(&a->head);
	a->content = a->ascii = false;
}

static void auto_destroy(void *state)
{
	struct automatic *a = state;
	if (a->dana)
		method_dana.destroy(a->dana);
	if (a->danag)
		method_danag.destroy(a->danag);
	html_tokenizer_free(a->tokens);
	buf_free(&a->head);
	free(a->dana);
	free(a->danag);
}

const struct method method_auto = {
	.name = "auto",
	.source = "dana or danag",
	.memory = "four buffers + 256 KiB",
	.summary = "dana for pages without ASCII in their content, else danag; decided in the same pass",
	.state_size = sizeof(struct automatic),
	.init = auto_init,
	.set = auto_set,
	.run = auto_run,
	.tag = auto_tag,
	.stretch = auto_stretch,
	.voids_unread = true,
	.finish = auto_finish,
	.reset = auto_reset,
	.destroy = auto_destroy,
	.chosen = auto_chosen,
};
