/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

int buf_status(const struct buf *b)
{
	return b->failed ? DANA_ENOMEM : DANA_OK;
}

/* Leaves no spare room, so that every later append calls buf_reserve, and appends that fit need not check `failed`. */
static int fail(struct buf *b)
{
	b->failed = true;
	b->cap = b->len;
	return DANA_ENOMEM;
}

void buf_latch(struct buf *b, int status)
{
	if (status < 0)
		(void)fail(b);
}

int buf_reserve(struct buf *b, size_t extra)
{
	size_t need;
	if (__builtin_add_overflow(b->len, extra, &need))
		return fail(b);
	if (need <= b->cap)
		return DANA_OK;
	if (b->failed)
		return DANA_ENOMEM;

	size_t cap = b->cap < 64 ? 64 : b->cap;
	while (cap < need) {
		if (__builtin_mul_overflow(cap, (size_t)2, &cap))
			return fail(b);
	}

	uint8_t *data = realloc(b->data, cap);
	if (!data)
		return fail(b);
	b->data = data;
	b->cap = cap;
	return DANA_OK;
}

int buf_append(struct buf *b, const void *data, size_t len)
{
	if (len == 0)
		return buf_status(b);
	if (len > b->cap - b->len) {
		int status = buf_reserve(b, len);
		if (status < 0)
			return status;
	}
	/* copy in pieces for which memcpy uses vectors. For long ones it may use "rep movsb", which is ten times slower
	 * on some processors where the place is not aligned; so may the compiler, if it sees that they are short. */
	uint8_t *to = b->data + b->len;
	const uint8_t *from = data;
	enum { PIECE = 1024 };
	size_t part;
	b->len += len;
	for (; len; len -= part, to += part, from += part) {
		part = len < PIECE ? len : PIECE;
		__asm__("" : "+r"(part));
		memcpy(to, from, part);
	}
	return DANA_OK;
}

int buf_append_byte(struct buf *b, uint8_t byte)
{
	if (b->len == b->cap) {
		int status = buf_reserve(b, 1);
		if (status < 0)
			return status;
	}
	b->data[b->len++] = byte;
	return DANA_OK;
}

int buf_vprintf(struct buf *b, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	const size_t room = b->cap - b->len;
	int n = vsnprintf(room ? (char *)b->data + b->len : NULL, room, format, args);
	int status = n < 0 ? fail(b) : buf_reserve(b, (size_t)n + 1);
	if (status == DANA_OK && (size_t)n >= room)
		(void)vsnprintf((char *)b->data + b->len, (size_t)n + 1, format, again);
	b->len += status == DANA_OK ? (size_t)n : 0;
	va_end(again);
	return status;
}

int buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int status = buf_vprintf(b, format, args);
	va_end(args);
	return status;
}

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

void buf_consume(struct buf *b, size_t n)
{
	if (n >= b->len) {
		b->len = 0;
		return;
	}
	memmove(b->data, b->data + n, b->len - n);
	b->len -= n;
}

void buf_shrink(struct buf *b, size_t keep)
{
	if (b->cap > keep)
		buf_free(b);
	else
		buf_clear(b);
}

/*
 * A pointer to any type of array is stored by memcpy: C does not allow writing a `struct item *` through a `void **`.
 * If a later array fails to grow, the earlier ones keep their extra room, which does no harm: `*cap` is still what all
 * of them have.
 */

static int resize(const struct grow_array *array, size_t n, bool keep)
{
	void *items;
	size_t bytes;
	if (__builtin_mul_overflow(n, array->size, &bytes))
		return DANA_ENOMEM;
	memcpy(&items, array->pointer, sizeof(items));
	if (!keep) {
		free(items);
		items = NULL;
		memcpy(array->pointer, &items, sizeof(items));
	}
	items = realloc(items, bytes);
	if (!items)
		return DANA_ENOMEM;
	memcpy(array->pointer, &items, sizeof(items));
	return DANA_OK;
}

static int make_room(const struct grow_array *arrays, size_t count, size_t n, size_t *cap, bool keep)
{
	size_t more = *cap ? *cap : GROW_FIRST;
	int status = DANA_OK;
	if (n <= *cap)
		return DANA_OK;
	while (more < n) {
		if (__builtin_add_overflow(more, more, &more))
			return DANA_ENOMEM;
	}

	for (size_t i = 0; i < count && status == DANA_OK; i++)
		status = resize(&arrays[i], more, keep);
	if (status == DANA_OK)
		*cap = more;
	else if (!keep)
		*cap = 0;
	return status;
}

int grow_arrays(const struct grow_array *arrays, size_t count, size_t n, size_t *cap)
{
	return make_room(arrays, count, n, cap, true);
}

int renew_arrays(const struct grow_array *arrays, size_t count, size_t n, size_t *cap)
{
	return make_room(arrays, count, n, cap, false);
}
