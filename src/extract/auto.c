/*
 * The default: `dana` for pages whose content is mostly not ASCII, `danag` for all others. Both run on the same tokens, and the
 * choice is made at the end (interface.md 5).
 */
#include <stdlib.h>

#include "base/status.h"
#include "extract/methods.h"
#include "html/run_scan.h"

/*
 * Share of non-ASCII characters among the characters of the content that are no white space, in percent, from which on `dana`
 * is taken. doc/METHODS.md has the measurement.
 */
enum { AUTO_PERCENT = 101 };

struct automatic {
	void *dana, *danag;
	uint64_t chars, high; /* characters of content that are no white space; those above 127 */
	bool took_dana;
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

static int auto_run(void *state, const struct html_run *run)
{
	struct automatic *a = state;
	if (run->kind == HTML_TEXT && !run->skipped)
		html_run_content(run, &a->chars, &a->high);
	int status = method_dana.run(a->dana, run);
	return status < 0 ? status : method_danag.run(a->danag, run);
}

static int auto_unit(void *state, const struct html_unit *unit)
{
	struct automatic *a = state;
	if (unit->text != unit->code) {
		struct html_run text = unit_text_run(unit);
		html_run_content(&text, &a->chars, &a->high);
	}
	int status = method_dana.unit(a->dana, unit);
	return status < 0 ? status : method_danag.unit(a->danag, unit);
}

static int auto_tag(void *state, const struct html_tag_event *event)
{
	struct automatic *a = state;
	int status = method_dana.tag(a->dana, event);
	return status < 0 ? status : method_danag.tag(a->danag, event);
}

static int auto_finish(void *state, struct text_writer *out)
{
	struct automatic *a = state;
	a->took_dana = a->chars && a->high * 100 >= a->chars * AUTO_PERCENT;
	return a->took_dana ? method_dana.finish(a->dana, out) : method_danag.finish(a->danag, out);
}

static const char *auto_chosen(const void *state)
{
	return ((const struct automatic *)state)->took_dana ? method_dana.name : method_danag.name;
}

static void auto_reset(void *state)
{
	struct automatic *a = state;
	method_dana.reset(a->dana);
	method_danag.reset(a->danag);
	a->chars = a->high = 0;
	a->took_dana = false;
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
	.summary = "dana for pages mostly in other scripts than Latin, else danag; decided in the same pass",
	.state_size = sizeof(struct automatic),
	.init = auto_init,
	.set = auto_set,
	.run = auto_run,
	.tag = auto_tag,
	.unit = auto_unit,
	.finish = auto_finish,
	.reset = auto_reset,
	.destroy = auto_destroy,
	.chosen = auto_chosen,
};
