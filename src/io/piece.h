/* SPDX-License-Identifier: MIT */
/* A part of an input: the bytes of a record, as a line of an index names them. */
#ifndef DANA_IO_PIECE_H
#define DANA_IO_PIECE_H

#include <stddef.h>
#include <stdint.h>

struct piece {
	uint64_t from;   /* offset of the first byte */
	uint64_t length; /* in bytes; 0: not known, one record */
	size_t input;    /* in the list of inputs that it is used with */
	unsigned index;  /* in the list of indexes that it is used with */
	unsigned line;   /* of that index, from 1; UINT_MAX: this one or a later one */
};

#endif
