#include "base/bits.h"
#include "html/run_scan.h"

BITS_INLINE struct html_run_count run_sum(const struct html_run *run, bool after_space)
{
	struct html_run_count sum = { 0 };
	size_t at = run->at, end = run->at + run->bytes.len, cont = 0;
	uint64_t before = after_space; /* the byte before was white space */
	while (at < end) {
		size_t block = at / 64, from = at % 64, to = end - block * 64 < 64 ? end - block * 64 : 64;
		uint64_t range = mask_range(from, to);
		const struct byte_mask *m = &run->masks[block];
		uint64_t space = m->space & range, twice = space & (space << 1 | before << from), high = m->high & range;
		/* most runs have neither: counting bits is dear where the processor has no instruction for it */
		if (twice)
			sum.spaces += bits_count(twice);
		if (high) {
			sum.high += bits_count(high);
			cont += bits_count(m->cont & range);
		}
		before = space >> (to - 1) & 1;
		at = block * 64 + to;
	}
	sum.chars = run->bytes.len - cont;
	return sum;
}

static struct html_run_count run_sum_plain(const struct html_run *run, bool after_space)
{
	return run_sum(run, after_space);
}

BITS_FAST static struct html_run_count run_sum_fast(const struct html_run *run, bool after_space)
{
	return run_sum(run, after_space);
}

/* Bytes from which on it is worth to ask for the processor. */
enum { LONG = 256 };

struct html_run_count html_run_sum(const struct html_run *run, bool after_space)
{
	return run->bytes.len > LONG && bits_fast() ? run_sum_fast(run, after_space) : run_sum_plain(run, after_space);
}

void html_run_content(const struct html_run *run, uint64_t *chars, uint64_t *high)
{
	for (size_t at = run->at, end = run->at + run->bytes.len; at < end;) {
		size_t block = at / 64, to = end - block * 64 < 64 ? end - block * 64 : 64;
		uint64_t range = mask_range(at % 64, to);
		const struct byte_mask *m = &run->masks[block];
		*chars += (uint64_t)__builtin_popcountll(~(m->space | m->cont) & range);
		*high += (uint64_t)__builtin_popcountll(m->high & ~m->cont & range);
		at = block * 64 + to;
	}
}

int html_unit_replay(const struct html_unit *u, const struct html_handler *handler)
{
	struct html_run run = unit_text_run(u);
	int status = run.bytes.len ? handler->run(handler->arg, &run) : 0;
	if (status < 0)
		return status;
	size_t len = u->end - u->code;
	run = unit_code_run(u);
	status = handler->run(handler->arg, &run);
	if (status < 0)
		return status;
	struct html_tag_event event = { .tag = u->tag,
					.closing = u->closing,
					.self_closing = u->self_closing,
					.name = slice_of(u->window + u->code + 1 + u->closing, u->name_len),
					.source = slice_of(u->window + u->code, len < HTML_TAG_BYTES ? len : HTML_TAG_BYTES),
					.start = u->base + u->code,
					.end = u->base + u->end };
	return handler->tag(handler->arg, &event);
}
