/* SPDX-License-Identifier: MIT */
/*
 * Example: <math><mi>x</mi><annotation encoding="application/x-tex">x</annotation></math> has the TeX "x", and
 * <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math> the letters "ab" and, made, the TeX "\frac{a}{b}".
 */
#include "extract/html/formula.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/entity.h"
#include "extract/html/raised.h"

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
	mathml_begin(&f->made);
	f->start = start;
	f->in_tex = f->muted = f->has_tex = f->display = f->cut = false;
}

int formula_math_tag(struct formula_reader *f, const struct html_tag_event *event, bool *ends)
{
	*ends = f->in_math && event->closing && event->tag == HTML_TAG_MATH;
	if (*ends)
		return formula_end(f);
	if (!f->in_math) {
		if (event->closing || event->tag != HTML_TAG_MATH)
			return DANA_OK;
		begin(f, event->start);
		f->in_math = true;
		f->display = slice_is(html_attr_named(event, "display"), "block");
		return append(f, &f->alternative, html_attr_named(event, "alttext"), FORMULA_MOST);
	}
	bool plain = slice_is(event->name, "annotation");
	if (!plain && !slice_is(event->name, "annotation-xml")) {
		if (!f->muted && !f->in_tex)
			mathml_tag(&f->made, event);
		return DANA_OK;
	}
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
	if (!f->muted)
		mathml_text(&f->made, text);
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

int formula_end(struct formula_reader *f)
{
	const int status = f->in_math ? mathml_end(&f->made) : DANA_OK;
	f->in_math = false;
	if (f->in_script)
		script_end(f);
	return status;
}

static const char kind[] = "math/tex";

bool formula_script_likely(const struct html_tag_event *event)
{
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

static struct slice source_tex(const struct formula_reader *f)
{
	return slice_trim(f->has_tex && f->tex.len ? buf_slice(&f->tex) : buf_slice(&f->alternative));
}

bool formula_has_source(const struct formula_reader *f)
{
	return source_tex(f).len > 0;
}

struct slice formula_tex(const struct formula_reader *f)
{
	const struct slice source = source_tex(f), tex = source.len ? source : mathml_tex(&f->made);
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
	mathml_free(&f->made);
}

/* ---- pictures ---- */

/* Classes of pictures whose text is their TeX. */
static const char *const image_classes[] = { "latex",
					     "latexcenter",
					     "tex",
					     "texrender",
					     "mwe-math-fallback-image-inline",
					     "mwe-math-fallback-image-display",
					     "ql-img-inline-formula",
					     "ql-img-displayed-formula" };

/* Looks for an x: in "tex" and "=tx", or in a length, "2.3ex", of which the pictures of MediaWiki have some. */
bool formula_image_likely(struct slice source)
{
	enum { BEFORE = 2 };
	const uint8_t *const end = source.data + source.len, *x;
	if (source.len <= BEFORE)
		return false;
	for (const uint8_t *p = source.data + BEFORE; p < end; p = x + 1) {
		x = memchr(p, 'x', (size_t)(end - p));
		if (!x)
			break;
		const uint8_t before = ascii_lower(x[-2]);
		if ((x[-1] == 'e' && (before == 't' || ascii_is_digit(before))) || (x[-1] == 't' && before == '='))
			return true;
	}
	return false;
}

static bool has_image_class(struct slice class)
{
	bool found = false;
	while (class.len && !found) {
		const struct slice word = slice_first(class, slice_until(class, " \t\n\f\r"));
		for (size_t i = 0; i < sizeof(image_classes) / sizeof(*image_classes) && !found; i++)
			found = slice_is(word, image_classes[i]);
		class = slice_skip(class, word.len + 1);
	}
	return found;
}

/*
 * Returns the part of a decoded address that is TeX, percent-encoded: the whole query for a program that takes nothing
 * else, or a value of it. *form: '+' is a blank.
 */
static struct slice tex_of_address(struct slice address, bool *form)
{
	static const char *const programs[] = { ".latex", ".image", "tex.cgi", "texrender.cgi" };
	static const char *const names[] = { "latex=", "tex=", "math=", "eq=", "chl=" };
	const struct slice path = slice_first(address, slice_until(address, "?"));
	struct slice rest = slice_skip(address, path.len + 1);
	const bool tx = slice_has(rest, "cht=tx");
	*form = false;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		const size_t len = strlen(programs[i]);
		if (path.len > len && slice_is(slice_skip(path, path.len - len), programs[i]) &&
		    (i != 1 || slice_has(path, "tex")))
			return rest;
	}
	*form = true;
	if (!tx && !slice_has(path, "tex") && !slice_has(path, "math") && !slice_has(path, "equation"))
		return slice_of(NULL, 0);
	while (rest.len) {
		const struct slice value = slice_first(rest, slice_until(rest, "&#"));
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			const size_t len = strlen(names[i]);
			if (value.len > len && slice_is(slice_first(value, len), names[i]))
				return slice_skip(value, len);
		}
		rest = slice_skip(rest, value.len + 1);
	}
	return rest;
}

static int hex_digit(uint8_t c)
{
	const uint8_t lower = ascii_lower(c);
	return ascii_is_digit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Decodes percent-encoded bytes, and the two references of CodeCogs, in place. */
static struct slice percent_decoded(uint8_t *data, size_t len, bool form)
{
	size_t to = 0;
	for (size_t i = 0; i < len; i++) {
		uint8_t c = data[i];
		const int high = c == '%' && i + 2 < len ? hex_digit(data[i + 1]) : -1;
		const int low = high >= 0 ? hex_digit(data[i + 2]) : -1;
		if (low >= 0) {
			c = (uint8_t)(high << 4 | low);
			i += 2;
		} else if (c == '&' && slice_is(slice_first(slice_of(data + i, len - i), 6), "&plus;")) {
			c = '+';
			i += 5;
		} else if (c == '&' && slice_is(slice_first(slice_of(data + i, len - i), 7), "&space;")) {
			c = ' ';
			i += 6;
		} else if (form && c == '+') {
			c = ' ';
		}
		data[to++] = c < ' ' ? ' ' : c;
	}
	return slice_of(data, to);
}

/* Returns TeX without how the picture is to look, and without its delimiters. */
static struct slice bare_tex(struct slice tex)
{
	static const char *const looks[] = { "\\dpi{", "\\bg_", "\\fn_", "\\inline" };
	bool found = true;
	while (found) {
		tex = slice_trim(tex);
		found = false;
		for (size_t i = 0; i < sizeof(looks) / sizeof(*looks) && !found; i++) {
			const size_t len = strlen(looks[i]);
			if (!slice_is(slice_first(tex, len), looks[i]))
				continue;
			found = true;
			tex = slice_skip(tex, len);
			if (i < 3)
				tex = slice_skip(tex, slice_until(tex, "} \\") + (i == 0));
		}
	}
	while (tex.len && (tex.data[0] == '$' || ascii_is_space(tex.data[0])))
		tex = slice_skip(tex, 1);
	while (tex.len && (tex.data[tex.len - 1] == '$' || ascii_is_space(tex.data[tex.len - 1])))
		tex.len--;
	return tex;
}

int formula_image_tex(struct html_attr_reader *attrs, struct buf *tex)
{
	struct html_attr attr;
	struct slice class = { 0 }, alt = { 0 }, source = { 0 }, later = { 0 };
	while (html_attr_next(attrs, &attr)) {
		if (slice_is(attr.name, "class"))
			class = attr.value;
		else if (slice_is(attr.name, "alt"))
			alt = attr.value;
		else if (slice_is(attr.name, "src"))
			source = attr.value;
		else if (slice_is(attr.name, "data-src") || slice_is(attr.name, "data-lazy-src"))
			later = attr.value;
	}
	alt = bare_tex(alt);
	buf_clear(tex);
	if (alt.len && alt.len <= FORMULA_MOST && has_image_class(class))
		return buf_append(tex, alt.data, alt.len);
	if (later.len)
		source = later;
	struct buf address = { 0 };
	bool form;
	int status = source.len <= FORMULA_MOST ? html_entity_append(&address, source) : DANA_OK;
	const struct slice encoded = tex_of_address(buf_slice(&address), &form);
	uint8_t *const data = encoded.len ? address.data + (encoded.data - address.data) : NULL;
	const struct slice made = bare_tex(percent_decoded(data, encoded.len, form));
	if (utf8_valid_prefix(made) == made.len) {
		for (size_t i = 0; i < made.len && status >= 0; i++) {
			const uint8_t c = made.data[i];
			status = c == '&'   ? buf_append_text(tex, "&amp;")
				 : c == '<' ? buf_append_text(tex, "&lt;")
					    : buf_append_byte(tex, c);
		}
	}
	buf_free(&address);
	return status;
}

/* ---- the filter ---- */

/*
 * MathJax shows a formula before its script comes, so from there on all is held until the formula comes or something
 * else does: text, or the end of what may be held. Decisions are made at tags, and at places of text, so that they do
 * not depend on how the page is cut.
 */

/* Memory of what was held that is kept for the next page. */
enum { KEEP_BUFFER = 64 << 10 };

/* A run or tag that is held. */
struct held_item {
	struct html_run run;
	struct html_tag_event event;
	bool is_tag;
	bool shown;     /* text that is skipped if its formula comes */
	size_t at, len; /* of its bytes */
};

void formula_filter_reset(struct formula_filter *f)
{
	f->reader.in_math = f->reader.in_script = false;
	f->open = f->mathjax = f->near = f->holds = f->raised = false;
	f->depth = 0;
	buf_shrink(&f->items, KEEP_BUFFER);
	buf_shrink(&f->bytes, KEEP_BUFFER);
}

void formula_filter_free(struct formula_filter *f)
{
	formula_free(&f->reader);
	buf_free(&f->items);
	buf_free(&f->bytes);
	buf_free(&f->text);
	buf_free(&f->made);
}

static int hold(struct formula_filter *f, struct held_item item, struct slice bytes)
{
	item.at = f->bytes.len;
	item.len = bytes.len;
	int status = buf_append(&f->bytes, bytes.data, bytes.len);
	return status < 0 ? status : buf_append(&f->items, &item, sizeof(item));
}

/* Delivers a run whose bytes are not in the window, in pieces for which there are masks. */
static int put_made(struct formula_filter *f, struct html_run run)
{
	int status = DANA_OK;
	for (struct slice rest = run.bytes; rest.len && status >= 0; rest = slice_skip(rest, run.bytes.len)) {
		run.bytes = slice_first(rest, FORMULA_PIECE);
		run.masks = f->masks;
		run.at = 0;
		f->fill(run.bytes.data, run.bytes.len, f->masks);
		f->masks[(run.bytes.len + 63) / 64] = (struct byte_mask){ 0 };
		status = f->to->run(f->to->arg, &run);
		run.offset += run.bytes.len;
		run.first = false;
	}
	return status;
}

static int put_run(struct formula_filter *f, const struct html_run *run, bool shown)
{
	if (f->holds)
		return hold(f, (struct held_item){ .run = *run, .shown = shown }, run->bytes);
	return run->formula ? put_made(f, *run) : f->to->run(f->to->arg, run);
}

/* Delivers what is held. `skips`: the formula has come; else none comes. */
static int release(struct formula_filter *f, bool skips)
{
	struct held_item *all = (struct held_item *)(void *)f->items.data;
	const size_t count = f->items.len / sizeof(*all);
	const bool raised = f->raised;
	int status = DANA_OK;
	f->holds = f->raised = false;
	f->depth = 0;
	for (size_t i = 0; i < count && status >= 0; i++) {
		const struct slice bytes = slice_of(f->bytes.data + all[i].at, all[i].len);
		struct html_tag_event *event = &all[i].event;
		all[i].run.bytes = event->source = bytes;
		event->name.data = bytes.data + 1 + event->closing;
		all[i].run.raised = skips && all[i].shown && raised;
		all[i].run.skipped |= skips && all[i].shown;
		status = all[i].is_tag ? f->to->tag(f->to->arg, event) : put_made(f, all[i].run);
	}
	buf_clear(&f->items);
	buf_clear(&f->bytes);
	return status;
}

/* Delivers the <sup> or <sub> that is held and ends, with what is written for it. */
static int put_raised(struct formula_filter *f)
{
	const struct held_item *all = (const struct held_item *)(const void *)f->items.data;
	const bool lowered = f->shown_tag == HTML_TAG_SUB;
	buf_clear(&f->text);
	for (size_t i = 0; i < f->items.len / sizeof(*all) && f->text.len <= RAISED_MOST; i++) {
		if (all[i].shown)
			(void)buf_append(&f->text, f->bytes.data + all[i].at, all[i].len);
	}
	buf_clear(&f->made);
	const int made = raised_text(&f->made, buf_slice(&f->text), lowered, f->note);
	const struct html_run run = { .kind = HTML_TEXT,
				      .formula = true,
				      .space = f->space,
				      .bytes = buf_slice(&f->made),
				      .offset = f->holds_at };
	if (made < 0 || buf_status(&f->text) < 0)
		return DANA_ENOMEM;
	const int status = release(f, made > 0);
	return status < 0 || made == 0 ? status : put_made(f, run);
}

/* Delivers the formula that is complete. */
static int put_formula(struct formula_filter *f)
{
	/* as of an end tag, of which nothing else is read */
	if (f->reader.in_script && formula_script_bytes(&f->reader, slice_from_text("</")) < 0)
		return DANA_ENOMEM;
	if (formula_end(&f->reader) < 0)
		return DANA_ENOMEM;
	const bool source = formula_has_source(&f->reader);
	const struct slice tex = formula_tex(&f->reader), text = tex.len ? tex : formula_letters(&f->reader);
	const struct slice line = slice_from_text("\n");
	const bool display = f->reader.display;
	int status = f->raised ? release(f, false) : DANA_OK;
	if (status < 0 || text.len == 0 ||
	    (f->depth && !source)) /* for those who hear the page: what is shown is around it */
		return status;
	status = f->holds && f->depth == 0 && source ? release(f, true) : DANA_OK;
	buf_clear(&f->text);
	(void)buf_append(&f->text, line.data, display);
	(void)buf_append(&f->text, text.data, text.len);
	for (size_t i = display; i < f->text.len; i++)
		f->text.data[i] = ascii_is_space(f->text.data[i]) ? ' ' : f->text.data[i];
	(void)buf_append(&f->text, line.data, display);
	if (buf_status(&f->text) < 0)
		return DANA_ENOMEM;
	const bool lines = display && f->space == WHITE_SPACE_COLLAPSES;
	const struct html_run run = { .kind = HTML_TEXT,
				      .formula = true,
				      .space = lines ? WHITE_SPACE_LINES : f->space,
				      .bytes = buf_slice(&f->text),
				      .offset = f->reader.start };
	f->near = true;
	return status < 0 ? status : put_run(f, &run, false);
}

int formula_filter_run(struct formula_filter *f, const struct html_run *run)
{
	const bool text = run->kind == HTML_TEXT && !run->skipped;
	int status = DANA_OK;
	const bool ends = run->first && run->closing; /* of the formula's own tag */
	if (ends &&
	    (run->tag == HTML_TAG_MATH ? f->reader.in_math : run->tag == HTML_TAG_SCRIPT && f->reader.in_script))
		status = put_formula(f);
	else if (run->kind == HTML_TEXT && run->skipped && f->reader.in_math)
		status = formula_math_text(&f->reader, run->bytes);
	else if (run->kind == HTML_VOID && f->reader.in_script)
		status = formula_script_bytes(&f->reader, run->bytes);
	else if (ends && f->raised && f->depth == 1 && run->tag == f->shown_tag)
		status = put_raised(f);
	const uint64_t most = f->raised ? RAISED_HOLDS_MOST : FORMULA_HOLDS_MOST;
	const bool late = run->offset + run->bytes.len > f->holds_at + most;
	const bool other = text && !f->depth && slice_trim(run->bytes).len;
	f->near &= !other;
	if (f->holds && (late || other) && status >= 0)
		status = release(f, false);
	struct html_run copy = *run;
	copy.skipped |= text && f->depth && f->katex;
	return status < 0 ? status : put_run(f, &copy, text && f->depth);
}

/* Returns whether the first class of an element is one of formula_classes[from..to). */
static bool class_is_of(const struct html_tag_event *event, size_t from, size_t to)
{
	struct slice class = slice_trim(html_attr_named(event, "class"));
	class.len = slice_until(class, " \t\n\f\r");
	while (from < to && !slice_equal(class, slice_from_text(formula_classes[from])))
		from++;
	return from < to;
}

/* Follows the element that shows a formula, in which no other one counts. Returns whether all is to be held. */
static bool follow_shown(struct formula_filter *f, const struct html_tag_event *event)
{
	if (f->depth) {
		if (event->tag == f->shown_tag)
			f->depth += event->closing ? -1U : 1U;
		return false;
	}
	if (event->closing)
		return false;
	f->raised = html_tag_is(event->tag, TAG_RAISED) && !event->self_closing && !f->holds;
	if (f->raised) {
		f->note = f->katex = false;
		f->shown_tag = event->tag;
		f->depth = 1;
		return true;
	}
	if (event->tag != HTML_TAG_SPAN && event->tag != HTML_TAG_DIV)
		return false;
	const size_t katex = FORMULA_CLASSES - 1;
	f->katex = f->near && class_is_of(event, katex, FORMULA_CLASSES);
	if (!f->katex && !(f->mathjax && class_is_of(event, 0, katex)))
		return false;
	f->near &= !f->katex;
	f->shown_tag = event->tag;
	f->depth = 1;
	return !f->katex;
}

/* A link to a place of the page. */
static bool is_note_link(const struct html_tag_event *event)
{
	const struct slice href = html_attr_named(event, "href");
	return href.len && href.data[0] == '#';
}

int formula_filter_tag(struct formula_filter *f, const struct html_tag_event *event, bool begins)
{
	bool ends = false;
	int status = DANA_OK;
	f->space = event->space;
	f->reader.in_math &= event->skipped; /* else another tag has ended it */
	if (begins && event->tag == HTML_TAG_SCRIPT) {
		f->mathjax = true;
		formula_script_tag(&f->reader, event, &ends);
	} else if ((begins && event->tag == HTML_TAG_MATH) || f->reader.in_math) {
		status = formula_math_tag(&f->reader, event, &ends);
	}
	if (f->raised && !event->skipped && status >= 0) {
		f->note |= !event->closing && html_tag_is(event->tag, TAG_LINKS) && is_note_link(event);
		status = html_tag_is(event->tag, TAG_INLINE) ? DANA_OK : release(f, false);
	}
	const bool holds = !event->skipped && follow_shown(f, event) && !f->holds;
	if (status >= 0)
		status = f->holds ? hold(f, (struct held_item){ .event = *event, .is_tag = true }, event->source)
				  : f->to->tag(f->to->arg, event);
	if (holds) {
		f->holds = true;
		f->holds_at = event->start;
	}
	f->open = f->mathjax || f->near || f->depth || f->reader.in_math;
	return status;
}

int formula_filter_finish(struct formula_filter *f)
{
	return f->holds ? release(f, false) : DANA_OK;
}
