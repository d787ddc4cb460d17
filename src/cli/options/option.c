/* SPDX-License-Identifier: MIT */
/*
 * Values of options in a settings struct. A row of the table has the offset and size of its member, so one function
 * stores numbers of any width; the largest number of that width means that the option was not given.
 */
#include "cli/options/option.h"

#include "archive/plugin/settings.h"
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/near_name.h"
#include "base/printable.h"

static void *member(const struct option *o, void *settings)
{
	return (char *)settings + o->offset;
}

static void store_number(const struct option *o, void *settings, uint64_t number)
{
	uint8_t *at = member(o, settings);
	uint16_t half = (uint16_t)number;
	uint32_t word = (uint32_t)number;
	if (o->size == sizeof(number))
		memcpy(at, &number, sizeof(number));
	else if (o->size == sizeof(word))
		memcpy(at, &word, sizeof(word));
	else if (o->size == sizeof(half))
		memcpy(at, &half, sizeof(half));
	else
		*at = (uint8_t)number;
}

static uint64_t load_number(const struct option *o, const void *settings)
{
	const uint8_t *at = (const uint8_t *)settings + o->offset;
	uint64_t number;
	uint32_t word;
	uint16_t half;
	if (o->size == sizeof(number))
		return memcpy(&number, at, sizeof(number)), number;
	if (o->size == sizeof(word))
		return memcpy(&word, at, sizeof(word)), word;
	if (o->size == sizeof(half))
		return memcpy(&half, at, sizeof(half)), half;
	return *at;
}

/* The value that means unset; no option can be set to it. */
static uint64_t number_unset(const struct option *o)
{
	return UINT64_MAX >> (64 - 8 * o->size);
}

static uint64_t number_most(const struct option *o)
{
	return o->most ? o->most : number_unset(o) - 1;
}

/* The shortest text that decimal_with_unit reads as that number: 65536 is "64K". */
static int put_number(uint64_t number, struct buf *out)
{
	static const char letters[] = "GMK";
	for (unsigned i = 0; i < 3; i++) {
		unsigned shift = 30 - 10 * i;
		if (number && (number & (((uint64_t)1 << shift) - 1)) == 0)
			return buf_printf(out, "%llu%c", (unsigned long long)(number >> shift), letters[i]);
	}
	return buf_printf(out, "%llu", (unsigned long long)number);
}

void option_set_flag(const struct option *o, void *settings, bool on)
{
	memcpy(member(o, settings), &on, sizeof(on));
}

static int set_number(const struct option *o, void *settings, const char *value, const char *where, struct error *err)
{
	char shown[64];
	uint64_t number;
	if (!decimal_with_unit(slice_from_text(value), &number))
		return error_set(err, DANA_ECONFIG,
				 "%s: '%s' is not a number; expected a number, optionally followed by K, M or G", where,
				 printable(slice_from_text(value), shown, sizeof(shown)));
	if (number >= o->least && number <= number_most(o)) {
		store_number(o, settings, number);
		return DANA_OK;
	}
	struct buf range = { 0 };
	put_number(o->least, &range);
	buf_append_text(&range, " to ");
	int status = put_number(number_most(o), &range);
	if (status == DANA_OK)
		status = error_set(err, DANA_ECONFIG, "%s: %s is out of range; expected %.*s", where,
				   printable(slice_from_text(value), shown, sizeof(shown)), (int)range.len,
				   (const char *)range.data);
	buf_free(&range);
	return status;
}

/* Number of `value` among the words of "a|b|c"; -1. */
static int choice_index(const char *words, const char *value)
{
	size_t len = strlen(value);
	for (int i = 0;; i++) {
		size_t n = strcspn(words, "|");
		if (n == len && memcmp(words, value, n) == 0)
			return i;
		if (words[n] == 0)
			return -1;
		words += n + 1;
	}
}

static int unknown_word(const struct option *o, const char *value, const char *where, struct error *err)
{
	struct near_name near = near_name_of(slice_from_text(value));

	near_name_offer_words(&near, o->argument);
	return near_name_refuse(&near, where, o->argument, err);
}

static int set_choice(const struct option *o, void *settings, const char *value, const char *where, struct error *err)
{
	int i = choice_index(o->argument, value);
	if (i < 0)
		return unknown_word(o, value, where, err);
	memcpy(member(o, settings), &i, sizeof(i));
	return DANA_OK;
}

static bool has_empty_item(const char *list)
{
	return list[0] == ',' || list[strlen(list) - 1] == ',' || strstr(list, ",,");
}

static int empty_value(const struct option *o, const char *where, struct error *err)
{
	struct buf argument = { 0 };
	int status = option_argument(o, &argument);

	if (status == DANA_OK)
		status = error_set(err, DANA_ECONFIG, "%s: the value is empty; expected %.*s", where, (int)argument.len,
				   (const char *)argument.data);
	buf_free(&argument);
	return status;
}

static int add_text(void *texts, const char *value, const char *where, struct error *err)
{
	struct text_list *t = texts;
	if (t->standard)
		*t = (struct text_list){ .n = 0 };
	if (t->n == TEXT_LIST_MOST)
		return error_set(err, DANA_ECONFIG, "%s: given more than %d times", where, TEXT_LIST_MOST);
	t->at[t->n++] = value;
	return DANA_OK;
}

int option_set(const struct option *o, void *settings, const char *value, const char *where, struct error *err)
{
	if (o->type == OPTION_NUMBER)
		return set_number(o, settings, value, where, err);
	if (o->type == OPTION_CHOICE)
		return set_choice(o, settings, value, where, err);
	if (*value == 0)
		return empty_value(o, where, err);
	if (o->type == OPTION_PLUGIN)
		return plugin_rows_parse(member(o, settings), value, where, err);
	if (o->type == OPTION_TEXTS)
		return add_text(member(o, settings), value, where, err);
	if (o->type == OPTION_LIST && has_empty_item(value))
		return error_set(err, DANA_ECONFIG, "%s: an item of the list is empty; expected item,item,...", where);
	memcpy(member(o, settings), &value, sizeof(value));
	return DANA_OK;
}

int option_value(const struct option *o, const void *settings, struct buf *out)
{
	const char *at = (const char *)settings + o->offset;
	const char *text;
	bool on;
	int choice;
	switch (o->type) {
	case OPTION_FLAG:
		memcpy(&on, at, sizeof(on));
		return buf_append_text(out, on ? "yes" : "no");
	case OPTION_NUMBER:
		if (load_number(o, settings) == number_unset(o))
			return DANA_OK;
		return put_number(load_number(o, settings), out);
	case OPTION_CHOICE:
		memcpy(&choice, at, sizeof(choice));
		if (choice < 0)
			return DANA_OK;
		text = o->argument;
		while (choice-- > 0)
			text += strcspn(text, "|") + 1;
		return buf_append(out, text, strcspn(text, "|"));
	case OPTION_PLUGIN:
	case OPTION_TEXTS:
		return DANA_OK; /* they are written as sections, and as lines */
	case OPTION_TEXT:
	case OPTION_LIST:
	default:
		memcpy(&text, at, sizeof(text));
		return text ? buf_append_text(out, text) : DANA_OK;
	}
}

static void set_unset(const struct option *o, void *settings)
{
	const char *nothing = NULL;
	int none = -1;
	switch (o->type) {
	case OPTION_FLAG:
		option_set_flag(o, settings, false);
		break;
	case OPTION_NUMBER:
		store_number(o, settings, number_unset(o));
		break;
	case OPTION_CHOICE:
		memcpy(member(o, settings), &none, sizeof(none));
		break;
	case OPTION_PLUGIN:
	case OPTION_TEXTS:
		memset(member(o, settings), 0, o->size);
		break;
	case OPTION_TEXT:
	case OPTION_LIST:
	default:
		memcpy(member(o, settings), &nothing, sizeof(nothing));
		break;
	}
}

void options_defaults(const struct option_table *table, void *settings)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		set_unset(o, settings);
		if (o->standard)
			(void)option_set(o, settings, o->standard, o->name, NULL);
	}
	options_lists_replaced(table, settings);
}

void options_lists_replaced(const struct option_table *table, void *settings)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (o->type == OPTION_TEXTS && o->standard)
			((struct text_list *)member(o, settings))->standard = true;
	}
}

const struct option *option_find(const struct option_table *table, struct slice name)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (slice_equal(slice_from_text(o->name), name))
			return o;
	}
	return NULL;
}

const struct option *option_of_letter(const struct option_table *table, char letter)
{
	for (const struct option *o = table->options; o && o->name; o++) {
		if (o->letter == letter)
			return o;
	}
	return NULL;
}

struct slice option_near(const struct option_table *table, struct slice name)
{
	struct near_name near = near_name_of(name);
	for (const struct option *o = table->options; o && o->name; o++)
		near_name_offer(&near, o->name);
	return near.best;
}

int option_argument(const struct option *o, struct buf *out)
{
	if (o->write_argument)
		return o->write_argument(out);
	return o->argument ? buf_append_text(out, o->argument) : DANA_OK;
}

int option_help(const struct option *o, struct buf *out)
{
	return o->write_help ? o->write_help(out) : buf_append_text(out, o->help);
}
