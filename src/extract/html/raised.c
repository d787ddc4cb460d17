/* SPDX-License-Identifier: MIT */
/*
 * Unicode has raised and lowered forms of digits, signs and most letters (Superscripts and Subscripts, Phonetic
 * Extensions, Spacing Modifier Letters). Where it has one for each character they are used, else ^(...) and _(...).
 */
#include "extract/html/raised.h"

#include <string.h>

#include "base/ascii.h"
#include "base/status.h"
#include "base/utf8.h"
#include "extract/html/entity.h"

enum { NOTE_MOST = 12 }; /* bytes of the mark of a note */

/* Pairs: what is raised or lowered, and how it is written. */
static const char raised_forms[] =
	"0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻−⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻAᴬBᴮDᴰEᴱGᴳHᴴIᴵJᴶKᴷLᴸMᴹNᴺ"
	"OᴼPᴾRᴿTᵀUᵁVⱽWᵂβᵝγᵞδᵟθᶿφᵠχᵡ";
static const char lowered_forms[] = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋−₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓβᵦγᵧρᵨφᵩχᵪ";

/* Endings of ordinal numbers, which stay as they are. */
static const char *const ordinals[] = { "st", "nd",  "rd",  "th",  "er",  "re", "ère", "eme", "ème",
					"me", "nde", "ers", "res", "ier", "TH", "ST",  "ND",  "RD" };

/* Marks of trade, which have characters of their own. */
static const char *const marks[][2] = { { "TM", "™" }, { "SM", "℠" } };

/* Returns whether a text has a letter or digit; signs such as "®" and "†" are not glued to what is before them. */
static bool has_words(struct slice text)
{
	bool found = false;
	for (size_t i = 0; i < text.len && !found;) {
		uint32_t c;
		i += utf8_decode(slice_skip(text, i), &c);
		found = c < 0x80 ? ascii_is_alpha((uint8_t)c) || ascii_is_digit((uint8_t)c)
				 : c >= 0xC0 && (c < 0x2000 || c >= 0x2C00);
	}
	return found;
}

/* Appends the form of each character of `text`. Returns false, and appends nothing, if one has none. */
static bool append_forms(struct buf *to, struct slice text, bool lowered)
{
	const char *forms = lowered ? lowered_forms : raised_forms;
	const size_t before = to->len;
	for (size_t i = 0; i < text.len;) {
		const size_t len = utf8_length(text.data[i]);
		const char *at = forms;
		if (len == 0 || len > text.len - i)
			break;
		while (*at) {
			const size_t plain = utf8_length((uint8_t)*at), form = utf8_length((uint8_t)at[plain]);
			if (plain == len && memcmp(at, text.data + i, len) == 0) {
				(void)buf_append(to, at + plain, form);
				break;
			}
			at += plain + form;
		}
		if (!*at)
			break;
		i += len;
		if (i == text.len)
			return true;
	}
	to->len = before;
	return false;
}

int raised_form(struct buf *to, struct slice text, struct slice written, bool lowered, bool note)
{
	text = slice_trim(text);
	written = slice_trim(written);
	bool stays =
		text.len == 0 || text.len > RAISED_MOST || text.data[0] == '[' || memchr(text.data, '\n', text.len);
	for (size_t i = 0; i < sizeof(ordinals) / sizeof(*ordinals) && !lowered; i++)
		stays |= slice_is(text, ordinals[i]);
	if (stays)
		return 0;
	const char *mark = NULL;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks) && !lowered; i++)
		mark = slice_is(text, marks[i][0]) ? marks[i][1] : mark;
	const bool bracket = note && !lowered && text.len <= NOTE_MOST && !memchr(text.data, ' ', text.len);
	const size_t before = to->len;
	if (mark) {
		(void)buf_append_text(to, mark);
	} else if (bracket || (!append_forms(to, text, lowered) && has_words(text))) {
		(void)buf_append_text(to, bracket ? "[" : lowered ? "_(" : "^(");
		(void)buf_append(to, written.data, written.len);
		(void)buf_append_byte(to, bracket ? ']' : ')');
	}
	return buf_status(to) < 0 ? DANA_ENOMEM : to->len > before;
}

int raised_text(struct buf *to, struct slice source, bool lowered, bool note)
{
	struct buf decoded = { 0 };
	if (source.len > RAISED_MOST)
		return 0;
	const int status = html_entity_append(&decoded, source);
	const int made = status < 0 ? DANA_ENOMEM : raised_form(to, buf_slice(&decoded), source, lowered, note);
	buf_free(&decoded);
	return made;
}
