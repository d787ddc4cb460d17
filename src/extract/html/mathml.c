/* SPDX-License-Identifier: MIT */
/*
 * Turns presentation MathML into TeX.
 *
 * The TeX is written as the elements come. An element that needs its children apart (a fraction, a script) remembers
 * where each began, and when it ends, what they have written becomes what it is: <mfrac>ab</mfrac> has written "ab" and
 * becomes
 * "\frac{a}{b}". So each byte is moved at most once for each element around it, and those are at most MATHML_DEPTH.
 */
#include "extract/html/mathml.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/attribute.h"
#include "extract/html/entity.h"
#include "extract/html/formula.h"

enum kind {
	ROW, /* and elements that are not known */
	TOKEN_IDENTIFIER,
	TOKEN_NUMBER,
	TOKEN_OPERATOR,
	TOKEN_TEXT,
	FRACTION,
	SQUARE_ROOT,
	ROOT,
	SUPERSCRIPT,
	SUBSCRIPT,
	SUB_AND_SUPERSCRIPT,
	UNDER,
	OVER,
	UNDER_AND_OVER,
	SCRIPTS,
	BEFORE_SCRIPTS, /* <mprescripts> */
	NO_SCRIPT,      /* <none> */
	TABLE,
	TABLE_ROW,
	CELL,
	FENCED,
	SPACE,
	PHANTOM,
};

static const struct {
	const char *name;
	enum kind kind;
} elements[] = {
	{ "mi", TOKEN_IDENTIFIER },
	{ "mo", TOKEN_OPERATOR },
	{ "mn", TOKEN_NUMBER },
	{ "mtext", TOKEN_TEXT },
	{ "ms", TOKEN_TEXT },
	{ "mfrac", FRACTION },
	{ "msqrt", SQUARE_ROOT },
	{ "mroot", ROOT },
	{ "msup", SUPERSCRIPT },
	{ "msub", SUBSCRIPT },
	{ "msubsup", SUB_AND_SUPERSCRIPT },
	{ "munder", UNDER },
	{ "mover", OVER },
	{ "munderover", UNDER_AND_OVER },
	{ "mmultiscripts", SCRIPTS },
	{ "mprescripts", BEFORE_SCRIPTS },
	{ "none", NO_SCRIPT },
	{ "mtable", TABLE },
	{ "mtr", TABLE_ROW },
	{ "mlabeledtr", TABLE_ROW },
	{ "mtd", CELL },
	{ "mfenced", FENCED },
	{ "mspace", SPACE },
	{ "mphantom", PHANTOM },
};

/* Characters with a name in TeX, in their order. Others stand for themselves, as readers of TeX take Unicode. */
static const struct {
	uint32_t c;
	const char *tex;
} characters[] = {
	{ 0x23, "\\#" },
	{ 0x24, "\\$" },
	{ 0x25, "\\%" },
	{ 0x26, "\\&amp;" },
	{ 0x3C, "\\lt" },
	{ 0x5C, "\\backslash" },
	{ 0x5E, "\\hat{}" },
	{ 0x5F, "\\_" },
	{ 0x60, "{}^\\backprime" },
	{ 0x7B, "\\{" },
	{ 0x7D, "\\}" },
	{ 0x7E, "\\sim" },
	{ 0xA0, "\\ " },
	{ 0xAC, "\\neg" },
	{ 0xB1, "\\pm" },
	{ 0xB5, "\\mu" },
	{ 0xB7, "\\cdot" },
	{ 0xD7, "\\times" },
	{ 0xF7, "\\div" },
	{ 0x393, "\\Gamma" },
	{ 0x394, "\\Delta" },
	{ 0x398, "\\Theta" },
	{ 0x39B, "\\Lambda" },
	{ 0x39E, "\\Xi" },
	{ 0x3A0, "\\Pi" },
	{ 0x3A3, "\\Sigma" },
	{ 0x3A6, "\\Phi" },
	{ 0x3A8, "\\Psi" },
	{ 0x3A9, "\\Omega" },
	{ 0x3B1, "\\alpha" },
	{ 0x3B2, "\\beta" },
	{ 0x3B3, "\\gamma" },
	{ 0x3B4, "\\delta" },
	{ 0x3B5, "\\varepsilon" },
	{ 0x3B6, "\\zeta" },
	{ 0x3B7, "\\eta" },
	{ 0x3B8, "\\theta" },
	{ 0x3B9, "\\iota" },
	{ 0x3BA, "\\kappa" },
	{ 0x3BB, "\\lambda" },
	{ 0x3BC, "\\mu" },
	{ 0x3BD, "\\nu" },
	{ 0x3BE, "\\xi" },
	{ 0x3C0, "\\pi" },
	{ 0x3C1, "\\rho" },
	{ 0x3C2, "\\varsigma" },
	{ 0x3C3, "\\sigma" },
	{ 0x3C4, "\\tau" },
	{ 0x3C5, "\\upsilon" },
	{ 0x3C6, "\\varphi" },
	{ 0x3C7, "\\chi" },
	{ 0x3C8, "\\psi" },
	{ 0x3C9, "\\omega" },
	{ 0x3D1, "\\vartheta" },
	{ 0x3D5, "\\phi" },
	{ 0x3D6, "\\varpi" },
	{ 0x3F1, "\\varrho" },
	{ 0x3F5, "\\epsilon" },
	{ 0x2002, "\\ " },
	{ 0x2003, "\\quad" },
	{ 0x2009, "\\," },
	{ 0x200A, "\\," },
	{ 0x200B, "" },
	{ 0x2010, "-" },
	{ 0x2013, "-" },
	{ 0x2016, "\\Vert" },
	{ 0x2026, "\\ldots" },
	{ 0x2032, "\\prime" },
	{ 0x2033, "\\prime\\prime" },
	{ 0x2034, "\\prime\\prime\\prime" },
	{ 0x2044, "/" },
	{ 0x2061, "" }, /* function application, invisible times, separator and plus */
	{ 0x2062, "" },
	{ 0x2063, "" },
	{ 0x2064, "" },
	{ 0x210F, "\\hbar" },
	{ 0x2111, "\\Im" },
	{ 0x2113, "\\ell" },
	{ 0x2118, "\\wp" },
	{ 0x211C, "\\Re" },
	{ 0x2135, "\\aleph" },
	{ 0x2145, "D" },
	{ 0x2146, "d" },
	{ 0x2147, "e" },
	{ 0x2148, "i" },
	{ 0x2190, "\\leftarrow" },
	{ 0x2191, "\\uparrow" },
	{ 0x2192, "\\to" },
	{ 0x2193, "\\downarrow" },
	{ 0x2194, "\\leftrightarrow" },
	{ 0x21A6, "\\mapsto" },
	{ 0x21CC, "\\rightleftharpoons" },
	{ 0x21D0, "\\Leftarrow" },
	{ 0x21D2, "\\Rightarrow" },
	{ 0x21D4, "\\Leftrightarrow" },
	{ 0x2200, "\\forall" },
	{ 0x2202, "\\partial" },
	{ 0x2203, "\\exists" },
	{ 0x2204, "\\nexists" },
	{ 0x2205, "\\emptyset" },
	{ 0x2206, "\\Delta" },
	{ 0x2207, "\\nabla" },
	{ 0x2208, "\\in" },
	{ 0x2209, "\\notin" },
	{ 0x220B, "\\ni" },
	{ 0x220F, "\\prod" },
	{ 0x2210, "\\coprod" },
	{ 0x2211, "\\sum" },
	{ 0x2212, "-" },
	{ 0x2213, "\\mp" },
	{ 0x2215, "/" },
	{ 0x2216, "\\setminus" },
	{ 0x2217, "*" },
	{ 0x2218, "\\circ" },
	{ 0x2219, "\\bullet" },
	{ 0x221A, "\\surd" },
	{ 0x221D, "\\propto" },
	{ 0x221E, "\\infty" },
	{ 0x2220, "\\angle" },
	{ 0x2223, "\\mid" },
	{ 0x2224, "\\nmid" },
	{ 0x2225, "\\parallel" },
	{ 0x2226, "\\nparallel" },
	{ 0x2227, "\\wedge" },
	{ 0x2228, "\\vee" },
	{ 0x2229, "\\cap" },
	{ 0x222A, "\\cup" },
	{ 0x222B, "\\int" },
	{ 0x222C, "\\iint" },
	{ 0x222D, "\\iiint" },
	{ 0x222E, "\\oint" },
	{ 0x2234, "\\therefore" },
	{ 0x2235, "\\because" },
	{ 0x223C, "\\sim" },
	{ 0x2243, "\\simeq" },
	{ 0x2245, "\\cong" },
	{ 0x2248, "\\approx" },
	{ 0x2250, "\\doteq" },
	{ 0x2260, "\\neq" },
	{ 0x2261, "\\equiv" },
	{ 0x2264, "\\leq" },
	{ 0x2265, "\\geq" },
	{ 0x226A, "\\ll" },
	{ 0x226B, "\\gg" },
	{ 0x227A, "\\prec" },
	{ 0x227B, "\\succ" },
	{ 0x2282, "\\subset" },
	{ 0x2283, "\\supset" },
	{ 0x2286, "\\subseteq" },
	{ 0x2287, "\\supseteq" },
	{ 0x2288, "\\nsubseteq" },
	{ 0x228A, "\\subsetneq" },
	{ 0x2295, "\\oplus" },
	{ 0x2297, "\\otimes" },
	{ 0x22A2, "\\vdash" },
	{ 0x22A4, "\\top" },
	{ 0x22A5, "\\perp" },
	{ 0x22A8, "\\models" },
	{ 0x22C0, "\\bigwedge" },
	{ 0x22C1, "\\bigvee" },
	{ 0x22C2, "\\bigcap" },
	{ 0x22C3, "\\bigcup" },
	{ 0x22C5, "\\cdot" },
	{ 0x22C6, "\\star" },
	{ 0x22EE, "\\vdots" },
	{ 0x22EF, "\\cdots" },
	{ 0x22F1, "\\ddots" },
	{ 0x2308, "\\lceil" },
	{ 0x2309, "\\rceil" },
	{ 0x230A, "\\lfloor" },
	{ 0x230B, "\\rfloor" },
	{ 0x2329, "\\langle" },
	{ 0x232A, "\\rangle" },
	{ 0x2758, "\\mid" },
	{ 0x27E8, "\\langle" },
	{ 0x27E9, "\\rangle" },
	{ 0x27F5, "\\longleftarrow" },
	{ 0x27F6, "\\longrightarrow" },
	{ 0x27F9, "\\implies" },
	{ 0x27FA, "\\iff" },
	{ 0x2A01, "\\bigoplus" },
	{ 0x2A02, "\\bigotimes" },
	{ 0x2A2F, "\\times" },
	{ 0x2A7D, "\\leq" },
	{ 0x2A7E, "\\geq" },
};

/* Names of functions that TeX knows; `limits`: what is under and over them are their limits. */
static const struct {
	const char *name;
	bool limits;
} functions[] = {
	{ "arccos", 0 }, { "arcsin", 0 }, { "arctan", 0 }, { "arg", 0 },  { "cos", 0 },    { "cosh", 0 },
	{ "cot", 0 },    { "coth", 0 },   { "csc", 0 },    { "deg", 0 },  { "det", 1 },    { "dim", 0 },
	{ "exp", 0 },    { "gcd", 1 },    { "hom", 0 },    { "inf", 1 },  { "ker", 0 },    { "lg", 0 },
	{ "lim", 1 },    { "liminf", 1 }, { "limsup", 1 }, { "ln", 0 },   { "log", 0 },    { "max", 1 },
	{ "min", 1 },    { "Pr", 1 },     { "sec", 0 },    { "sin", 0 },  { "sinh", 0 },   { "sup", 1 },
	{ "tan", 0 },    { "tanh", 0 },   { "sum", 1 },    { "prod", 1 }, { "coprod", 1 }, { "bigwedge", 1 },
	{ "bigvee", 1 }, { "bigcap", 1 }, { "bigcup", 1 }, { "int", 1 },  { "iint", 1 },   { "iiint", 1 },
	{ "oint", 1 },
};

enum { FIRST_SIGN = 32 }; /* of functions: from here on they are signs, not words */

/* What a child above or below another one is, if it is no text: an accent. */
static const struct {
	uint32_t c;
	const char *over, *under;
} accents[] = {
	{ 0x5E, "\\hat", NULL },
	{ 0x5F, "\\overline", "\\underline" },
	{ 0x7E, "\\tilde", NULL },
	{ 0xA8, "\\ddot", NULL },
	{ 0xAF, "\\overline", "\\underline" },
	{ 0xB4, "\\acute", NULL },
	{ 0x2C6, "\\hat", NULL },
	{ 0x2C7, "\\check", NULL },
	{ 0x2D8, "\\breve", NULL },
	{ 0x2D9, "\\dot", NULL },
	{ 0x2DC, "\\tilde", NULL },
	{ 0x302, "\\hat", NULL },
	{ 0x303, "\\tilde", NULL },
	{ 0x304, "\\bar", NULL },
	{ 0x307, "\\dot", NULL },
	{ 0x308, "\\ddot", NULL },
	{ 0x332, NULL, "\\underline" },
	{ 0x203E, "\\overline", "\\underline" },
	{ 0x20D7, "\\vec", NULL },
	{ 0x2192, "\\vec", NULL },
	{ 0x23DE, "\\overbrace", NULL },
	{ 0x23DF, NULL, "\\underbrace" },
	{ 0xFE37, "\\overbrace", NULL },
	{ 0xFE38, NULL, "\\underbrace" },
};

static const struct {
	const char *name, *tex;
} variants[] = {
	{ "", "" },
	{ "normal", "\\mathrm" },
	{ "bold", "\\mathbf" },
	{ "bold-italic", "\\boldsymbol" },
	{ "double-struck", "\\mathbb" },
	{ "script", "\\mathcal" },
	{ "fraktur", "\\mathfrak" },
	{ "sans-serif", "\\mathsf" },
	{ "monospace", "\\mathtt" },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { WORD_MOST = 16 }; /* letters of a control word; none here has more */

/* Appends TeX; after a control word a letter needs a blank before it. */
static void put(struct buf *out, struct slice tex)
{
	size_t i = out->len;
	while (i && out->len - i <= WORD_MOST && ascii_is_alpha(out->data[i - 1]))
		i--;
	if (tex.len && ascii_is_alpha(*tex.data) && i && i < out->len && out->data[i - 1] == '\\')
		(void)buf_append_byte(out, ' ');
	(void)buf_append(out, tex.data, tex.len);
}

static void put_text(struct buf *out, const char *tex)
{
	put(out, slice_from_text(tex));
}

static void put_group(struct buf *out, struct slice tex)
{
	put_text(out, "{");
	put(out, slice_trim(tex));
	put_text(out, "}");
}

static void put_character(struct buf *out, uint32_t c)
{
	size_t low = 0, high = COUNT(characters);
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (characters[middle].c < c)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < COUNT(characters) && characters[low].c == c) {
		put_text(out, characters[low].tex);
		return;
	}
	uint8_t bytes[4];
	put(out, slice_of(bytes, utf8_put(c, bytes)));
}

/* Text for \text{}: only what TeX itself reads is escaped. */
static void put_words(struct buf *out, struct slice words)
{
	for (size_t i = 0; i < words.len; i++) {
		const uint8_t c = words.data[i];
		if (c == '&' || c == '<')
			(void)buf_append_text(out, c == '&' ? "\\&amp;" : "&lt;");
		else if (c == '\\' || c == '^' || c == '~')
			(void)buf_append_text(out, c == '\\' ? "\\textbackslash{}" : c == '^' ? "\\^{}" : "\\~{}");
		else if (strchr("#$%_{}", c) && c)
			(void)buf_append(out, (const char[]){ '\\', (char)c }, 2);
		else
			(void)buf_append_byte(out, c);
	}
}

static const char *function_name(struct slice word)
{
	for (size_t i = 0; i < FIRST_SIGN; i++) {
		if (slice_is(word, functions[i].name))
			return functions[i].name;
	}
	return NULL;
}

/* Empties a buffer; that it could not grow is remembered. */
static void empty(struct mathml *m, struct buf *b)
{
	m->no_memory |= buf_status(b) < 0;
	buf_clear(b);
}

/* Writes the token that ends, of an element of this kind. */
static void put_token(struct mathml *m, enum kind kind, unsigned variant)
{
	struct buf *out = &m->tex;
	empty(m, &m->scratch);
	if (html_entity_append(&m->scratch, buf_slice(&m->token)) < 0)
		return;
	struct slice text = kind == TOKEN_TEXT ? buf_slice(&m->scratch) : slice_trim(buf_slice(&m->scratch));
	empty(m, &m->token);
	if (text.len == 0)
		return;
	if (kind == TOKEN_TEXT) {
		if (slice_trim(text).len == 0) {
			put_text(out, "\\ ");
			return;
		}
		put_text(out, "\\text{");
		put_words(out, text);
		put_text(out, "}");
		return;
	}
	size_t letters = 0;
	bool word = true;
	for (size_t i = 0; i < text.len; i++) {
		letters += (text.data[i] & 0xC0) != 0x80;
		word &= ascii_is_alpha(text.data[i]) || text.data[i] == ' ';
	}
	const bool names = kind == TOKEN_IDENTIFIER || kind == TOKEN_OPERATOR; /* a word in it is a name */
	const char *function = names ? function_name(text) : NULL;
	if (function) {
		put_text(out, "\\");
		(void)buf_append_text(out, function);
		return;
	}
	const bool named = names && word && letters > 1;
	if (named && variant <= 1)
		put_text(out, kind == TOKEN_OPERATOR ? "\\operatorname{" : "\\mathrm{");
	else if (variant) {
		put_text(out, variants[variant].tex);
		put_text(out, "{");
	}
	for (size_t i = 0; i < text.len;) {
		uint32_t c;
		i += utf8_decode(slice_skip(text, i), &c);
		if (c < 0x80 && ascii_is_space((uint8_t)c))
			put_text(out, kind == ROW ? "" : "\\ ");
		else
			put_character(out, c);
	}
	if ((named && variant <= 1) || variant)
		put_text(out, "}");
}

static bool is_row(enum kind kind)
{
	return kind == ROW || kind == SQUARE_ROOT || kind == PHANTOM || kind == CELL || kind == TABLE ||
	       kind == TABLE_ROW || kind == FENCED || kind <= TOKEN_TEXT;
}

/* Begins a child of the innermost element. */
static void begin_child(struct mathml *m, enum kind kind)
{
	if (!m->depth)
		return;
	struct mathml_element *parent = &m->open[m->depth - 1];
	if (parent->kind == SCRIPTS && kind == BEFORE_SCRIPTS) {
		parent->before = parent->children;
		return;
	}
	if (parent->children && parent->kind == TABLE && kind == TABLE_ROW)
		put_text(&m->tex, "\\\\ ");
	else if (parent->children && parent->kind == TABLE_ROW && kind == CELL)
		put_text(&m->tex, "&amp;");
	else if (parent->children && parent->kind == FENCED)
		put_text(&m->tex, parent->separator);
	if (parent->children < MATHML_CHILDREN)
		parent->child[parent->children++] = (uint32_t)m->tex.len;
	else
		m->failed |= !is_row(parent->kind);
}

/* Writes text that is open: of a token, or between elements, where it counts as one. */
static void flush(struct mathml *m)
{
	if (!m->token.len)
		return;
	const struct mathml_element *top = m->depth ? &m->open[m->depth - 1] : NULL;
	if (top && top->kind >= TOKEN_IDENTIFIER && top->kind <= TOKEN_TEXT) {
		put_token(m, (enum kind)top->kind, top->variant);
	} else if (slice_trim(buf_slice(&m->token)).len == 0) {
		empty(m, &m->token);
	} else {
		begin_child(m, TOKEN_OPERATOR);
		put_token(m, ROW, 0);
	}
}

/* The one character that TeX of ours stands for, or that it is. Returns 0 if it is more than one. */
static uint32_t only_character(struct slice tex)
{
	uint32_t c;
	tex = slice_trim(tex);
	if (tex.len == 0)
		return 0;
	for (size_t i = 0; i < COUNT(characters); i++) {
		if (slice_is(tex, characters[i].tex))
			return characters[i].c;
	}
	return utf8_decode(tex, &c) == tex.len ? c : 0;
}

/* Returns whether TeX is one command with its group, and nothing after it: "\\overbrace{...}". */
static bool is_command(struct slice tex, const char *command)
{
	const size_t len = strlen(command);
	size_t depth = 1, i = len;
	if (tex.len <= len || memcmp(tex.data, command, len) != 0)
		return false;
	for (; i < tex.len && depth; i++) {
		if (tex.data[i] == '\\')
			i++;
		else
			depth += (size_t)(tex.data[i] == '{') - (size_t)(tex.data[i] == '}');
	}
	return depth == 0 && i == tex.len;
}

/* Returns whether what is under and over `base` are its limits. */
static bool has_limits(struct slice base)
{
	base = slice_trim(base);
	for (size_t i = 0; base.len > 1 && i < COUNT(functions); i++) {
		if (functions[i].limits && base.data[0] == '\\' && slice_is(slice_skip(base, 1), functions[i].name))
			return true;
	}
	return is_command(base, "\\operatorname{");
}

static void put_base(struct buf *out, struct slice base)
{
	base = slice_trim(base);
	size_t digits = 0;
	while (digits < base.len && ascii_is_digit(base.data[digits]))
		digits++;
	if (only_character(base) || has_limits(base) || digits == base.len)
		put(out, base);
	else
		put_group(out, base);
}

static void put_script(struct buf *out, const char *sign, struct slice script)
{
	if (slice_trim(script).len) {
		put_text(out, sign);
		put_group(out, script);
	}
}

/* Writes `base` with `script` over or under it. */
static void put_stacked(struct buf *out, struct slice base, struct slice script, bool over)
{
	const uint32_t c = only_character(script);
	for (size_t i = 0; c && i < COUNT(accents); i++) {
		const char *accent = over ? accents[i].over : accents[i].under;
		if (accents[i].c != c || !accent)
			continue;
		put_text(out, accent);
		put_group(out, base);
		return;
	}
	const bool brace = is_command(slice_trim(base), over ? "\\overbrace{" : "\\underbrace{");
	if (has_limits(base) || brace) {
		put(out, slice_trim(base));
		put_script(out, over ? "^" : "_", script);
	} else if (slice_trim(script).len == 0) {
		put(out, base);
	} else {
		put_text(out, over ? "\\overset" : "\\underset");
		put_group(out, script);
		put_group(out, base);
	}
}

static void put_scripts(struct buf *out, const struct slice *child, size_t count, size_t before)
{
	const size_t own = before ? before : count;
	for (size_t i = own; i < count; i += 2) {
		put_text(out, "{}");
		put_script(out, "_", child[i]);
		if (i + 1 < count)
			put_script(out, "^", child[i + 1]);
	}
	put_base(out, child[0]);
	for (size_t i = 1; i < own; i += 2) {
		if (i > 1)
			put_text(out, "{}");
		put_script(out, "_", child[i]);
		if (i + 1 < own)
			put_script(out, "^", child[i + 1]);
	}
}

/* A delimiter as TeX takes it after \left; NULL if it is none. */
static const char *delimiter(const char *written)
{
	static const char *const known[][2] = { { "(", "(" },        { ")", ")" },        { "[", "[" },
						{ "]", "]" },        { "{", "\\{" },      { "}", "\\}" },
						{ "|", "|" },        { "‖", "\\Vert" },   { "⟨", "\\langle" },
						{ "⟩", "\\rangle" }, { "⌊", "\\lfloor" }, { "⌋", "\\rfloor" },
						{ "⌈", "\\lceil" },  { "⌉", "\\rceil" },  { "", "." } };
	for (size_t i = 0; i < COUNT(known); i++) {
		if (strcmp(known[i][0], written) == 0)
			return known[i][1];
	}
	return NULL;
}

/* Makes of what the children of `e` have written what the element is. */
static void end_element(struct mathml *m, const struct mathml_element *e)
{
	struct slice child[MATHML_CHILDREN] = { 0 };
	for (unsigned i = 0; i < e->children && i < MATHML_CHILDREN; i++) {
		const size_t end = i + 1 < e->children && i + 1 < MATHML_CHILDREN ? e->child[i + 1] : m->tex.len;
		child[i] = slice_of(m->tex.data + e->child[i], end - e->child[i]);
	}
	const struct slice all = slice_of(m->tex.data + e->at, m->tex.len - e->at);
	struct buf *out = &m->scratch;
	empty(m, out);
	switch ((enum kind)e->kind) {
	case FRACTION:
		put_text(out, e->flat ? "{" : "\\frac");
		if (e->flat) {
			put(out, slice_trim(child[0]));
			put_text(out, "\\atop ");
			put(out, slice_trim(child[1]));
			put_text(out, "}");
		} else {
			put_group(out, child[0]);
			put_group(out, child[1]);
		}
		break;
	case ROOT:
		put_text(out, "\\sqrt");
		if (slice_trim(child[1]).len) {
			const bool bracket = memchr(child[1].data, ']', child[1].len);
			put_text(out, bracket ? "[{" : "[");
			put(out, slice_trim(child[1]));
			put_text(out, bracket ? "}]" : "]");
		}
		put_group(out, child[0]);
		break;
	case SQUARE_ROOT:
	case PHANTOM:
		put_text(out, e->kind == PHANTOM ? "\\phantom" : "\\sqrt");
		put_group(out, all);
		break;
	case SUPERSCRIPT:
	case SUBSCRIPT:
		put_base(out, child[0]);
		put_script(out, e->kind == SUPERSCRIPT ? "^" : "_", child[1]);
		break;
	case SUB_AND_SUPERSCRIPT:
		put_base(out, child[0]);
		put_script(out, "_", child[1]);
		put_script(out, "^", child[2]);
		break;
	case UNDER:
	case OVER:
		put_stacked(out, child[0], child[1], e->kind == OVER);
		break;
	case UNDER_AND_OVER:
		if (has_limits(child[0])) {
			put(out, slice_trim(child[0]));
			put_script(out, "_", child[1]);
			put_script(out, "^", child[2]);
		} else {
			put_text(out, "\\overset");
			put_group(out, child[2]);
			put_text(out, "{");
			put_stacked(out, child[0], child[1], false);
			put_text(out, "}");
		}
		break;
	case SCRIPTS:
		put_scripts(out, child, e->children < MATHML_CHILDREN ? e->children : MATHML_CHILDREN, e->before);
		break;
	case TABLE:
		put_text(out, "\\begin{matrix}");
		put(out, all);
		put_text(out, "\\end{matrix}");
		break;
	case FENCED: {
		const char *open = delimiter(e->open), *close = delimiter(e->close);
		const bool pair = open && close;
		put_text(out, pair ? "\\left" : e->open);
		put_text(out, pair ? open : "");
		put(out, all);
		put_text(out, pair ? "\\right" : e->close);
		put_text(out, pair ? close : "");
		break;
	}
	default:
		return;
	}
	m->tex.len = e->at;
	const struct slice made = buf_slice(out);
	put(&m->tex, made);
	m->failed |= m->tex.len > FORMULA_MOST;
	buf_latch(&m->tex, buf_status(out));
}

static void pop(struct mathml *m)
{
	flush(m);
	m->depth--;
	m->failed |= m->tex.len > FORMULA_MOST;
	if (!m->failed)
		end_element(m, &m->open[m->depth]);
}

void mathml_begin(struct mathml *m)
{
	buf_clear(&m->tex);
	buf_clear(&m->token);
	m->depth = 0;
	m->failed = false;
	m->no_memory = false;
}

static enum kind kind_of(struct slice name)
{
	for (size_t i = 0; i < COUNT(elements); i++) {
		if (slice_equal_nocase(name, slice_from_text(elements[i].name)))
			return elements[i].kind;
	}
	return ROW;
}

/* Reads one character of an attribute into `to`. */
static void read_character(struct mathml *m, const struct html_tag_event *event, const char *name, const char *usual,
			   char to[5])
{
	const struct slice source = html_attr_named(event, name);
	empty(m, &m->scratch);
	(void)html_entity_append(&m->scratch, source);
	struct slice value = slice_trim(buf_slice(&m->scratch));
	uint32_t c = 0;
	value.len = value.len ? utf8_decode(value, &c) : 0;
	if (!source.data)
		value = slice_from_text(usual);
	value.len = value.len < 5 ? value.len : 0;
	memcpy(to, value.data ? value.data : (const uint8_t *)"", value.len);
	to[value.len] = 0;
}

void mathml_tag(struct mathml *m, const struct html_tag_event *event)
{
	const enum kind kind = kind_of(event->name);
	if (m->failed)
		return;
	if (event->closing) {
		uint32_t i = m->depth;
		while (i && m->open[i - 1].kind != kind)
			i--;
		while (i && m->depth >= i)
			pop(m);
		return;
	}
	flush(m);
	/* a token ends where another element begins, though HTML allows some in it */
	while (m->depth && m->open[m->depth - 1].kind >= TOKEN_IDENTIFIER && m->open[m->depth - 1].kind <= TOKEN_TEXT)
		pop(m);
	begin_child(m, kind);
	if (kind == SPACE)
		put_text(&m->tex, "\\ ");
	if (event->self_closing || kind == SPACE || kind == BEFORE_SCRIPTS || kind == NO_SCRIPT)
		return;
	if (m->depth == MATHML_DEPTH) {
		m->failed = true;
		return;
	}
	struct mathml_element *e = &m->open[m->depth++];
	*e = (struct mathml_element){ .kind = (uint8_t)kind, .at = (uint32_t)m->tex.len };
	if (kind == FENCED) {
		read_character(m, event, "open", "(", e->open);
		read_character(m, event, "close", ")", e->close);
		read_character(m, event, "separators", ",", e->separator);
	} else if (kind == FRACTION) {
		const struct slice thickness = html_attr_named(event, "linethickness");
		e->flat = thickness.len && thickness.data[0] == '0' && !memchr(thickness.data, '.', thickness.len);
	} else if (kind <= TOKEN_TEXT && kind != ROW) {
		const struct slice variant = html_attr_named(event, "mathvariant");
		for (size_t i = 1; i < COUNT(variants); i++)
			e->variant = slice_is(variant, variants[i].name) ? (uint8_t)i : e->variant;
	}
}

void mathml_text(struct mathml *m, struct slice text)
{
	m->failed |= m->token.len + text.len > FORMULA_MOST;
	if (!m->failed)
		(void)buf_append(&m->token, text.data, text.len);
}

int mathml_end(struct mathml *m)
{
	while (m->depth && !m->failed)
		pop(m);
	if (!m->failed)
		flush(m);
	m->failed |= m->tex.len > FORMULA_MOST;
	empty(m, &m->token);
	empty(m, &m->scratch);
	return m->no_memory || buf_status(&m->tex) < 0 ? DANA_ENOMEM : DANA_OK;
}

struct slice mathml_tex(const struct mathml *m)
{
	return m->failed ? slice_of(NULL, 0) : slice_trim(buf_slice(&m->tex));
}

void mathml_free(struct mathml *m)
{
	buf_free(&m->tex);
	buf_free(&m->token);
	buf_free(&m->scratch);
}
