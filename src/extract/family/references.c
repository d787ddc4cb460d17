/* SPDX-License-Identifier: MIT */
#include "extract/family/references.h"

#include "base/cpu.h"
#include "base/status.h"

/* Reads the reference that begins at text.data[0], an '&'. */
static struct reference reference_read(struct slice text)
{
	uint8_t out[8];
	size_t len, taken = html_entity_decode(slice_first(text, HTML_ENTITY_LONGEST), out, &len);
	if (taken == 0)
		return (struct reference){ 0 };
	/* of two characters, which a few names mean, the first few bytes count */
	return (struct reference){ taken, out[0], (uint8_t)(len < 4 ? len : 4) };
}

/* Returns whether the reference, of which there are `len` bytes, may continue after them. */
static bool is_open(const uint8_t *source, size_t len)
{
	return len < HTML_ENTITY_LONGEST && (len == 1 || source[len - 1] != ';');
}

static bool is_part(uint8_t c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || c == '#' || c == ';';
}

/* Passes on bytes from..to of the run. */
static int take_part(const struct html_run *run, size_t from, size_t to, const struct reference *reference,
		     reference_taker take, void *arg)
{
	if (from == to)
		return DANA_OK;
	struct html_run part = *run;
	part.bytes = slice_of(run->bytes.data + from, to - from);
	part.at += from;
	part.offset += from;
	return take(arg, &part, reference);
}

/* Passes on what is held. All of it is letters, digits and the like, in no class. */
static int release(struct references *r, reference_taker take, void *arg)
{
	static const struct byte_mask masks[2];
	struct html_run run = r->run;
	const struct reference found = reference_read(slice_of(r->held, r->len));
	run.bytes = slice_of(r->held, r->len);
	run.masks = masks;
	run.at = 0;
	r->len = 0;
	int status = take_part(&run, 0, found.len, &found, take, arg);
	return status < 0 ? status : take_part(&run, found.len, run.bytes.len, NULL, take, arg);
}

int references_end(struct references *r, reference_taker take, void *arg)
{
	return r->len ? release(r, take, arg) : DANA_OK;
}

int references_run(struct references *r, const struct html_run *run, reference_taker take, void *arg)
{
	const uint8_t *p = run->bytes.data;
	const size_t len = run->bytes.len;
	size_t from = 0, at = 0;
	int status = DANA_OK;
	if (r->len) {
		while (at < len && is_open(r->held, r->len) && is_part(p[at]))
			r->held[r->len++] = p[at++];
		from = at;
		status = at < len || !is_open(r->held, r->len) ? release(r, take, arg) : DANA_OK;
	}
	while (at < len && status >= 0) {
		const uint8_t *amp = memchr(p + at, '&', len - at);
		if (!amp)
			break;
		at = (size_t)(amp - p);
		size_t end = at + 1;
		while (end < len && is_open(amp, end - at) && is_part(p[end]))
			end++;
		if (end == len && is_open(amp, end - at)) {
			status = take_part(run, from, at, NULL, take, arg);
			memcpy(r->held, amp, end - at);
			r->len = end - at;
			r->run = *run;
			r->run.offset += at;
			return status;
		}
		const struct reference found = reference_read(slice_of(amp, end - at));
		if (!found.len) {
			at++;
			continue;
		}
		status = take_part(run, from, at, NULL, take, arg);
		if (status >= 0)
			status = take_part(run, at, at + found.len, &found, take, arg);
		from = at = at + found.len;
	}
	return status < 0 ? status : take_part(run, from, len, NULL, take, arg);
}

/* Returns the first byte in window[at..h->to) that is code, or is not. */
static size_t next_of(const struct html_stretch *h, size_t at, bool code)
{
	uint64_t range = ~bits_below(at % 64);
	for (size_t block = at / 64; block * 64 < h->to; block++, range = ~(uint64_t)0) {
		const uint64_t codes = h->code[block] | h->voids[block], bits = (code ? codes : ~codes) & range;
		if (bits) {
			at = block * 64 + bits_lowest(bits);
			return at < h->to ? at : h->to;
		}
	}
	return h->to;
}

/* Returns the first reference in window[at..h->to) outside of code, with *reference set; else h->to. */
static size_t find(const struct html_stretch *h, size_t at, struct reference *reference)
{
	while (at < h->to) {
		const uint8_t *amp = memchr(h->window + at, '&', h->to - at);
		if (!amp)
			break;
		at = (size_t)(amp - h->window);
		if ((h->code[at / 64] | h->voids[at / 64]) >> at % 64 & 1) {
			at = next_of(h, at, false);
			continue;
		}
		*reference = reference_read(slice_of(amp, next_of(h, at, true) - at));
		if (reference->len)
			return at;
		at++;
	}
	return h->to;
}

/* Sets bits from..to of a bit array, whose words are `step` words apart. */
static void bits_set(uint64_t *words, size_t step, size_t from, size_t to)
{
	for (size_t block = from / 64; block * 64 < to; block++)
		words[block * step] |= mask_range(block == from / 64 ? from % 64 : 0, to - block * 64);
}

bool references_mark(const struct html_stretch *h, uint64_t *units, bool scan)
{
	const size_t step = sizeof(*h->masks) / sizeof(h->masks->cont);
	bool letters = false;
	struct reference found = { 0 };
	for (size_t at = h->from; (at = find(h, at, &found)) < h->to; at += found.len) {
		const struct reference counted = scan ? reference_scanned(&found) : found;
		bits_set(&h->masks->cont, step, at + 1, at + found.len);
		if (reference_is_foreign(&found))
			bits_set(&h->masks->high, step, at, at + found.bytes);
		if (units)
			bits_set(units, 1, at + counted.bytes, at + found.len);
		letters |= reference_is_letter(&found);
	}
	return letters;
}
