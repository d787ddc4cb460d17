/* SPDX-License-Identifier: MIT */
/*
 * Pieces of files on servers, one after the other in the order of a list, each like a source of its own: opened,
 * chunks, end. Which requests bring them is planned (piece_plan.h).
 */
#ifndef DANA_IO_NET_PIECE_SOURCE_H
#define DANA_IO_NET_PIECE_SOURCE_H

#include "io/piece.h"
#include "io/source.h"

struct network_session;

struct piece_list {
	const struct piece *pieces;
	size_t n;
	const char *const *inputs;    /* in messages */
	const char *const *addresses; /* where they are to be had */
	bool *failed;                 /* for each input: it cannot be read; set here, and not asked again then */
};

/**
 * Borrows what the list points to. source_start is not called: piece_source_begin is, for each piece. Returns as
 * source_open.
 */
int piece_source_open(struct source **out, struct network_session *s, const struct piece_list *list,
		      const struct source_events *events, struct error *err);
/**
 * Delivers piece `number`, which is greater than those before; one that was under way is over. `failed` has an empty
 * text for an input of which it was called before.
 */
void piece_source_begin(struct source *s, size_t number);

#endif
