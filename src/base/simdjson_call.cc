/* SPDX-License-Identifier: MIT */
/*
 * Of simdjson only its first stage is needed, which gives the places of the parts. Nothing in it throws: memory that it
 * lacks is an error code. It reads no byte after the text.
 */
#include "base/simdjson_call.h"

#include <simdjson.h>

#include "base/status.h"

using parser = simdjson::internal::dom_parser_implementation;

/* For texts of up to `len` bytes; 4 bytes for each of them are set aside, and used as far as there are parts. */
static int make_room(void **state, size_t len)
{
	constexpr size_t least = 1 << 16, most_kept = 16 << 20;
	const size_t room = *state ? static_cast<parser *>(*state)->capacity() : 0;
	std::unique_ptr<parser> made;

	if (room >= len && room <= most_kept)
		return DANA_OK;
	simdjson_end(state);
	const auto error =
		simdjson::get_active_implementation()->create_dom_parser_implementation(len + len / 2 + least, 1, made);
	if (error)
		return error == simdjson::MEMALLOC ? DANA_ENOMEM : DANA_ELIBRARY;
	*state = made.release();
	return DANA_OK;
}

int simdjson_find(void **state, const uint8_t *text, size_t len, const uint32_t **parts, size_t *n)
{
	if (len > SIZE_MAX / 16) /* parts for so many bytes would not be counted right on 32 bits */
		return DANA_ELIBRARY;
	const int status = make_room(state, len);
	if (status < 0)
		return status;
	parser *p = static_cast<parser *>(*state);
	if (p->stage1(text, len, simdjson::stage1_mode::regular))
		return DANA_EFORMAT;
	*parts = p->structural_indexes.get();
	*n = p->n_structural_indexes;
	return DANA_OK;
}

void simdjson_end(void **state)
{
	delete static_cast<parser *>(*state);
	*state = nullptr;
}
