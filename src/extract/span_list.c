/* SPDX-License-Identifier: MIT */
/* Example: the parts 3..5 and 9..12 of a page become: 0..3 dropped, 3..5 kept, 5..9 dropped, 9..12 kept. */
#include "extract/span_list.h"

static int add(struct buf *spans, uint64_t from, uint64_t to, enum span_fate fate)
{
	const struct method_span span = { .from = from, .to = to, .fate = (uint8_t)fate };
	return from < to ? buf_append(spans, &span, sizeof(span)) : DANA_OK;
}

/* Returns where the list ends; the rest of the page, if it is listed as dropped, is taken off. */
static uint64_t list_end(struct buf *spans)
{
	struct method_span last;
	if (spans->len < sizeof(last))
		return 0;
	memcpy(&last, spans->data + spans->len - sizeof(last), sizeof(last));
	if (last.fate != SPAN_DROPPED)
		return last.to;
	spans->len -= sizeof(last);
	return last.from;
}

int span_list_keep(struct buf *spans, uint64_t from, uint64_t to)
{
	const uint64_t end = list_end(spans);
	from = from > end ? from : end;
	int status = add(spans, end, from, SPAN_DROPPED);
	return status < 0 ? status : add(spans, from, to, SPAN_SHOWN);
}

int span_list_drop_rest(struct buf *spans, uint64_t to)
{
	return add(spans, list_end(spans), to, SPAN_DROPPED);
}
