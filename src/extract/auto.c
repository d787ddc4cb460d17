/*
 * The default: `dana` for pages whose content has no ASCII, `danag` for all others. The design asks for a share of non-ASCII
 * characters from which on `dana` is taken, by measurement; measured it is 100 percent: below, `danag` is the better one, on real
 * right-to-left pages too (doc/METHODS.md has the figures). So the first ASCII character settles the matter, and `dana` is fed
 * only up to there.
 */

#include <stdlib.h>

#include "base/status.h"
#include "extract/methods.h"
#include "html/run_scan.h"

struct automatic {
	void *dana, *danag;
	bool content;    /* the page has shown content */
	bool ascii;      /* it has shown a character of content below 128 that is no white space: danag it is */
};

static int auto_init(void *state, const struct method_env *env)
{
	struct automatic *a = state;
	a->dana = calloc(1, method_dana.state_size);
	a->danag = calloc(1, method_danag.state_size);
	if (!a->dana || !a->danag)
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
	int status = a->ascii ? DANA_OK : method_dana.run(a->dana, run);
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
	int status = a->ascii ? DANA_OK : method_dana.stretch(a->dana, stretch);
	return status < 0 ? status : method_danag.stretch(a->danag, stretch);
}

static int auto_tag(void *state, const struct html_tag_event *event)
{
	struct automatic *a = state;
	int status = a->ascii ? DANA_OK : method_dana.tag(a->dana, event);
	return status < 0 ? status : method_danag.tag(a->danag, event);
}

static bool takes_dana(const struct automatic *a)
{
	return a->content && !a->ascii;
}

static int auto_finish(void *state, struct text_writer *out)
{
	struct automatic *a = state;
	return takes_dana(a) ? method_dana.finish(a->dana, out) : method_danag.finish(a->danag, out);
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
	a->content = a->ascii = false;
}

static void auto_destroy(void *state)
{
	struct automatic *a = state;
	if (a->dana)
		method_dana.destroy(a->dana);
	if (a->danag)
		method_danag.destroy(a->danag);
	free(a->dana);
	free(a->danag);
}

const struct method method_auto = {
	.name = "auto",
	.source = "dana or danag",
	.memory = "four buffers",
	.summary = "dana for pages without ASCII in their content, else danag; decided in the same pass",
	.state_size = sizeof(struct automatic),
	.init = auto_init,
	.set = auto_set,
	.run = auto_run,
	.tag = auto_tag,
	.stretch = auto_stretch,
	.finish = auto_finish,
	.reset = auto_reset,
	.destroy = auto_destroy,
	.chosen = auto_chosen,
};
