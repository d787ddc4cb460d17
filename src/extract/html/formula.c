/* SPDX-License-Identifier: MIT */
/*
 * Reads one formula of a page as TeX or, where that is not possible, as its letters.
 *
 * Example: <math><mi>x</mi><annotation encoding="application/x-tex">x</annotation></math> has the TeX "x", and
 * <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math> the letters "ab" and, made, the TeX "\frac{a}{b}".
 */
#include "extract/html/formula.h"

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/entity.h"

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
	enum { BEFORE = 2, PATH_TAG = 128 /* bytes of a tag whose picture has TeX in its path */ };
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
	/* or for an encoded backslash: photographs have long tags */
	for (const uint8_t *p = source.data; source.len <= PATH_TAG && p + BEFORE < end; p++) {
		p = memchr(p, '%', (size_t)(end - p) - BEFORE);
		if (!p)
			break;
		if (p[1] == '5' && ascii_lower(p[2]) == 'c')
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

/* Returns whether percent-encoded text has a command of TeX, and a brace, or that it begins with it and has no dot. */
static bool is_command(struct slice text)
{
	enum { CODE = 3 };
	const bool brace = slice_has(text, "%7b") || slice_until(text, "{") < text.len;
	const bool dot = slice_until(text, ".") < text.len;
	bool found = false;
	for (size_t i = 0; i + CODE < text.len && !found && (brace || (i == 0 && !dot)); i++)
		found = slice_is(slice_first(slice_skip(text, i), CODE), "%5c") && ascii_is_alpha(text.data[i + CODE]);
	return found;
}

/*
 * Returns the part of a decoded address that is TeX, percent-encoded: the whole query for a program that takes nothing
 * else, or a value of it; or the last part of the path, if it has a command. *form: '+' is a blank.
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
	size_t last = path.len;
	while (last && path.data[last - 1] != '/')
		last--;
	if (is_command(slice_skip(path, last))) {
		const struct slice tex = slice_skip(path, last),
				   end = slice_skip(tex, tex.len > 4 ? tex.len - 4 : tex.len);
		*form = false;
		return slice_first(tex, slice_is(end, ".png") || slice_is(end, ".svg") || slice_is(end, ".gif")
						? tex.len - end.len
						: tex.len);
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
