/* SPDX-License-Identifier: MIT */
/*
 * Example: <math><mi>x</mi><annotation encoding="application/x-tex">x</annotation></math> has the TeX "x", and
 * <math><mi>a</mi> <mo>=</mo> <mi>b</mi></math> the letters "a=b".
 */
#include "extract/html/formula.h"

#include "base/ascii.h"
#include "base/status.h"
#include "extract/html/attribute.h"

const char *const formula_classes[FORMULA_CLASSES] = { "MathJax_Preview", "MathJax",   "MathJax_Display", "MathJax_SVG",
						       "MathJax_CHTML",   "mjx-chtml", "katex-html" };

/* Appends what there is room for. */
static int append(struct formula_reader *f, struct buf *to, struct slice bytes, size_t most)
{
	if (bytes.len > most - to->len) {
		f->cut = true;
		bytes.len = most - to->len;
	}
	return buf_append(to, bytes.data, bytes.len);
}

static void begin(struct formula_reader *f, uint64_t start)
{
	buf_clear(&f->tex);
	buf_clear(&f->alternative);
	buf_clear(&f->text);
	f->start = start;
	f->in_tex = f->muted = f->has_tex = f->display = f->cut = false;
}

int formula_math_tag(struct formula_reader *f, const struct html_tag_event *event, bool *ends)
{
	*ends = f->in_math && event->closing && event->tag == HTML_TAG_MATH;
	if (*ends)
		f->in_math = false;
	if (!f->in_math) {
		if (event->closing || event->tag != HTML_TAG_MATH)
			return DANA_OK;
		begin(f, event->start);
		f->in_math = true;
		f->display = slice_is(html_attr_named(event, "display"), "block");
		return append(f, &f->alternative, html_attr_named(event, "alttext"), FORMULA_MOST);
	}
	bool plain = slice_is(event->name, "annotation");
	if (!plain && !slice_is(event->name, "annotation-xml"))
		return DANA_OK;
	f->in_tex = !event->closing && plain && slice_has(html_attr_named(event, "encoding"), "tex");
	f->muted = !event->closing && !f->in_tex;
	f->has_tex |= f->in_tex;
	return DANA_OK;
}

int formula_math_text(struct formula_reader *f, struct slice text)
{
	int status = DANA_OK;
	if (f->in_tex)
		return append(f, &f->tex, text, FORMULA_MOST);
	while (!f->muted && text.len && status == DANA_OK) {
		size_t len = 0;
		while (len < text.len && !ascii_is_space(text.data[len]))
			len++;
		status = append(f, &f->text, slice_first(text, len), FORMULA_MOST);
		text = slice_skip(text, len + (len < text.len));
	}
	return status;
}

/* The script's own end tag is in its bytes: what comes after the last "</" is not TeX. */
static void script_end(struct formula_reader *f)
{
	f->in_script = false;
	f->has_tex = true;
	for (size_t i = f->tex.len; i > 1; i--) {
		if (f->tex.data[i - 2] != '<' || f->tex.data[i - 1] != '/')
			continue;
		f->tex.len = i - 2;
		break;
	}
	f->cut |= f->tex.len > FORMULA_MOST;
}

void formula_end(struct formula_reader *f)
{
	f->in_math = false;
	if (f->in_script)
		script_end(f);
}

bool formula_script_likely(const struct html_tag_event *event)
{
	static const char kind[] = "math/tex";
	struct slice rest = event->source;
	while (rest.len >= sizeof(kind)) {
		const uint8_t *m = memchr(rest.data, kind[0], rest.len - (sizeof(kind) - 1));
		if (!m)
			return false;
		if (memcmp(m, kind, sizeof(kind) - 1) == 0)
			return !event->closing;
		rest = slice_skip(rest, (size_t)(m - rest.data) + 1);
	}
	return false;
}

/* Looks for "mathj" and "math/" by their rarest letter. */
bool formula_mathjax_likely(struct slice source)
{
	enum { BEFORE = 3 };
	const uint8_t *const end = source.data + source.len, *h;
	if (source.len < sizeof("<script src=math"))
		return false;
	for (const uint8_t *p = source.data + BEFORE; p + 1 < end; p = h + 1) {
		h = memchr(p, 'h', (size_t)(end - p) - 1);
		if (!h)
			break;
		const bool names = h[1] == '/' || ascii_lower(h[1]) == 'j';
		if (names && slice_equal_nocase(slice_of(h - BEFORE, BEFORE), slice_from_text("mat")))
			return true;
	}
	return false;
}

void formula_script_tag(struct formula_reader *f, const struct html_tag_event *event, bool *ends)
{
	static const char kind[] = "math/tex";
	*ends = event->closing && f->in_script;
	if (*ends)
		script_end(f);
	if (event->closing)
		return;
	struct slice type = html_attr_named(event, "type");
	if (!slice_is(slice_first(type, sizeof(kind) - 1), kind))
		return;
	begin(f, event->start);
	f->in_script = true;
	f->display = slice_has(type, "mode=display");
}

int formula_script_bytes(struct formula_reader *f, struct slice bytes)
{
	bool cut = f->cut;
	int status = append(f, &f->tex, bytes, FORMULA_MOST + HTML_TAG_BYTES);
	f->cut = cut; /* the end tag may be long */
	return status;
}

struct slice formula_tex(const struct formula_reader *f)
{
	struct slice tex = slice_trim(f->has_tex && f->tex.len ? buf_slice(&f->tex) : buf_slice(&f->alternative));
	return slice_first(tex, f->cut ? 0 : tex.len);
}

struct slice formula_letters(const struct formula_reader *f)
{
	return buf_slice(&f->text);
}

void formula_free(struct formula_reader *f)
{
	buf_free(&f->tex);
	buf_free(&f->alternative);
	buf_free(&f->text);
}
