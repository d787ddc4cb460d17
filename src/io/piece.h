/* SPDX-License-Identifier: MIT */
/* A part of an input: the bytes of a record, as an index names them. */
#ifndef DANA_IO_PIECE_H
#define DANA_IO_PIECE_H

#include <stddef.h>
#include <stdint.h>

struct piece {
	uint64_t from;   /* offset of the first byte */
	uint64_t length; /* in bytes; 0: not known, one record */
	size_t input;    /* in the list of inputs that it is used with */
};

#endif
