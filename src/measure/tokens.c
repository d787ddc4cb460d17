#include "measure/tokens.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/grow.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/utf8.h"

struct slot {
	struct slice spelling;
	uint32_t hash, id; /* id + 1; 0 = free */
};

struct token_table {
	struct arena *spellings;
	struct slot *slots; /* open addressing, a power of two */
	size_t size;
	uint32_t count;
	struct buf word; /* the token that is being read, without its invisible characters */
};

enum { TABLE_START = 1024 };

struct token_table *token_table_new(void)
{
	struct token_table *table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	table->spellings = arena_new();
	table->slots = calloc(TABLE_START, sizeof(*table->slots));
	table->size = TABLE_START;
	if (!table->spellings || !table->slots) {
		token_table_free(table);
		return NULL;
	}
	return table;
}

void token_table_reset(struct token_table *table)
{
	memset(table->slots, 0, table->size * sizeof(*table->slots));
	arena_reset(table->spellings);
	table->count = 0;
}

uint32_t token_table_count(const struct token_table *table)
{
	return table->count;
}

void token_table_free(struct token_table *table)
{
	if (!table)
		return;
	arena_free(table->spellings);
	free(table->slots);
	buf_free(&table->word);
	free(table);
}

static struct slot *table_slot(struct slot *slots, size_t size, struct slice spelling, uint32_t hash)
{
	size_t at = hash & (size - 1);
	while (slots[at].id && !(slots[at].hash == hash && slice_equal(slots[at].spelling, spelling)))
		at = (at + 1) & (size - 1);
	return &slots[at];
}

static int table_grow(struct token_table *table)
{
	size_t size = table->size * 2;
	struct slot *slots = calloc(size, sizeof(*slots));
	if (!slots)
		return DANA_ENOMEM;
	for (size_t i = 0; i < table->size; i++) {
		const struct slot *old = &table->slots[i];
		if (old->id)
			*table_slot(slots, size, old->spelling, old->hash) = *old;
	}
	free(table->slots);
	table->slots = slots;
	table->size = size;
	return DANA_OK;
}

static int table_intern(struct token_table *table, struct slice spelling, uint32_t *id)
{
	uint32_t hash = hash_fnv32(spelling, HASH_FNV32_START);
	struct slot *slot = table_slot(table->slots, table->size, spelling, hash);
	if (!slot->id) {
		if (table->count == UINT32_MAX - 1)
			return DANA_ENOMEM;
		if (table->count >= table->size / 2) {
			int status = table_grow(table);
			if (status < 0)
				return status;
			slot = table_slot(table->slots, table->size, spelling, hash);
		}
		struct slice copy = arena_copy(table->spellings, spelling);
		if (!copy.data)
			return DANA_ENOMEM;
		*slot = (struct slot){ copy, hash, ++table->count };
	}
	*id = slot->id - 1;
	return DANA_OK;
}

int tokens_append_whole(struct tokens *tokens, struct token_table *table, struct slice token)
{
	uint32_t *ids = grow_items(tokens->ids, tokens->len, &tokens->cap, sizeof(*ids));
	if (!ids)
		return DANA_ENOMEM;
	tokens->ids = ids;
	int status = table_intern(table, token, &tokens->ids[tokens->len]);
	if (status == DANA_OK)
		tokens->len++;
	return status;
}

bool token_is_space(uint32_t c)
{
	if (c < 0x85)
		return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F);
	return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
	       c == 0x202F || c == 0x205F || c == 0x3000;
}

bool token_is_invisible(uint32_t c)
{
	if (c < 0x200B)
		return c == 0xAD;
	return c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

/* Scripts that put no space between words: a white space token would be a whole paragraph. */
static bool stands_alone(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0E00, 0x0EFF }, { 0x1000, 0x109F }, { 0x1780, 0x17FF }, { 0x3005, 0x3007 }, { 0x3040, 0x30FF },
		{ 0x31F0, 0x31FF }, { 0x3400, 0x4DBF }, { 0x4E00, 0x9FFF }, { 0xF900, 0xFAFF }, { 0x20000, 0x3FFFF },
	};
	if (c < ranges[0].first)
		return false;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (c <= ranges[i].last)
			return c >= ranges[i].first;
	}
	return false;
}

static int end_word(struct tokens *tokens, struct token_table *table)
{
	if (table->word.len == 0)
		return DANA_OK;
	int status = tokens_append_whole(tokens, table, buf_slice(&table->word));
	buf_clear(&table->word);
	return status;
}

int tokens_append(struct tokens *tokens, struct token_table *table, struct slice text)
{
	int status = DANA_OK;
	buf_clear(&table->word);
	while (text.len && status == DANA_OK) {
		uint32_t c;
		size_t n = utf8_decode(text, &c);
		uint8_t bytes[4];
		size_t len = utf8_put(c, bytes); /* not the source's bytes: a fault must read as U+FFFD */
		text = slice_skip(text, n);
		if (token_is_invisible(c))
			continue;
		if (token_is_space(c)) {
			status = end_word(tokens, table);
		} else if (stands_alone(c)) {
			status = end_word(tokens, table);
			if (status == DANA_OK)
				status = tokens_append_whole(tokens, table, slice_of(bytes, len));
		} else {
			status = buf_append(&table->word, bytes, len);
		}
	}
	return status == DANA_OK ? end_word(tokens, table) : status;
}

void tokens_clear(struct tokens *tokens)
{
	tokens->len = 0;
}

void tokens_free(struct tokens *tokens)
{
	free(tokens->ids);
	*tokens = (struct tokens){ 0 };
}
