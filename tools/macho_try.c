/* SPDX-License-Identifier: MIT */
/*
 * macho_try LIBRARY FILE...: what a libdana-archive writes for each file: of a page (.html) the text, Markdown and
 *blocks of all methods, of an archive the lines of its documents, with plugins. LIBRARY is a .so of this machine, or a
 *.dylib for macOS, whose code runs on Linux as well: it is brought into memory and bound to functions of this C
 *library, as far as both are alike. One thread. AArch64 runs by qemu-user. Built by
 *
 *	cc -rdynamic -Iinclude -o macho_try tools/macho_try.c
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dana/archive.h"

static void fail(const char *what, const char *name)
{
	(void)fprintf(stderr, "macho_try: %s%s\n", name, what);
	exit(2);
}

static uint8_t *whole(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	if (!file || fseek(file, 0, SEEK_END) < 0)
		fail(": cannot be read", path);
	*len = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*len + 1);
	if (!bytes || fread(bytes, 1, *len, file) != *len)
		fail(": cannot be read", path);
	(void)fclose(file);
	return bytes;
}

/* ---- what macOS has in another way ---- */

/* Threads find their variables by a call for a descriptor: function, key, offset. It keeps all registers but one. */
uint8_t *variables_of_thread;
extern void find_variable(void);
#ifdef __aarch64__
/* Arguments after the "..." are on the stack there, where a va_list is their address. */
__asm__("find_variable:\n stp x16, x17, [sp, -16]!\n ldr x16, [x0, 16]\n adrp x17, variables_of_thread\n"
	" ldr x17, [x17, :lo12:variables_of_thread]\n add x0, x16, x17\n ldp x16, x17, [sp], 16\n ret\n"
	"print_some:\n mov x3, sp\n b print_list\n"
	"print_all:\n mov x2, sp\n b print_list_of_any_length\n");
extern void print_some(void), print_all(void);

int print_list(char *to, size_t size, const char *format, void *at)
{
	va_list list;
	memset(&list, 0, sizeof(list)); /* no argument is in a register */
	memcpy(&list, &at, sizeof(at));
	return vsnprintf(to, size, format, list);
}

int print_list_of_any_length(char *to, const char *format, void *at)
{
	return print_list(to, SIZE_MAX >> 1, format, at);
}
#else
__asm__("find_variable:\n mov 16(%rdi), %rax\n add variables_of_thread(%rip), %rax\n ret\n");
#endif

static int zero(void)
{
	return 0;
}

/* hw.optional.X: all that this processor may have; the emulated one has it all. */
static int look_up(const char *name, int *value, size_t *size)
{
	(void)name;
	if (!value || !size || *size != sizeof(*value))
		return -1;
	*value = 1;
	return 0;
}

static int once(long *state, void (*call)(void))
{
	enum { NEW = 0x30B1BCBA };
	if (*state == NEW) {
		*state = 0;
		call();
	}
	return 0;
}

struct order {
	int (*compare)(void *arg, const void *a, const void *b);
	void *arg;
};

static int compare(const void *a, const void *b, void *order)
{
	const struct order *o = order;
	return o->compare(o->arg, a, b);
}

static void sort(void *items, size_t n, size_t size, void *arg, int (*by)(void *, const void *, const void *))
{
	struct order order = { by, arg };
	qsort_r(items, n, size, compare, &order);
}

static void fill(uint8_t *to, const uint8_t *pattern, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = pattern[i % 16];
}

static uint64_t guard = 0x5bd1e995;
static uint8_t classes[8 << 10];

/* clang-format off */
static const struct {
	const char *name;
	const void *is;
} own[] = {
	{ "__DefaultRuneLocale", classes }, { "___stack_chk_guard", &guard },
	{ "___stderrp", &stderr }, { "___stdinp", &stdin }, { "___stdoutp", &stdout }, { "___error", __errno_location },
	{ "__tlv_bootstrap", find_variable }, { "_malloc_size", malloc_usable_size }, { "_memset_pattern16", fill },
	{ "_pthread_once", once }, { "_qsort_r", sort }, { "_sysctlbyname", look_up }, { "___maskrune", zero }, { "_atexit", zero },
	{ "___cxa_atexit", zero }, { "_issetugid", zero }, { "_pthread_atfork", zero }, { "_pthread_mutex_destroy", zero },
	{ "_pthread_mutex_init", zero }, { "_pthread_mutex_lock", zero }, { "_pthread_mutex_unlock", zero },
	{ "_pthread_rwlock_destroy", zero }, { "_pthread_rwlock_init", zero }, { "_pthread_rwlock_rdlock", zero },
	{ "_pthread_rwlock_unlock", zero }, { "_pthread_rwlock_wrlock", zero }, { "_sigaction", zero }, { "_sigprocmask", zero },
	{ "_sigsetjmp", zero },
#ifdef __aarch64__
	{ "_snprintf", print_some }, { "_sprintf", print_all }, { "_vsnprintf", print_list }, { "_vsprintf", print_list_of_any_length },
#endif
};
/* clang-format on */

/* ---- the loader ---- */

enum { SEGMENTS = 16, SEGMENT = 0x19, SYMBOLS = 0x02, BINDINGS = 0x22, SECTION = 80, FIRST_SECTION = 72 };

static struct {
	uint8_t *file, *memory;
	uint64_t begin, end;            /* the addresses that it was linked for */
	uint64_t segments[SEGMENTS];    /* where each begins */
	const uint8_t *names, *symbols; /* in the file */
	uint32_t n_symbols;
} image;

static uint32_t word(const uint8_t *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t wide(const uint8_t *at)
{
	uint64_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static uint8_t *place(uint64_t address)
{
	return image.memory + (address - image.begin);
}

static void *shown(const char *name)
{
	enum { SHARED = 0x01, DEFINED = 0x0E };
	for (const uint8_t *s = image.symbols; s < image.symbols + 16 * (size_t)image.n_symbols; s += 16) {
		if ((s[4] & SHARED) && (s[4] & DEFINED) == DEFINED &&
		    strcmp((const char *)image.names + word(s), name) == 0)
			return place(wide(s + 8));
	}
	return NULL;
}

/* A function that nobody has is missed when it is called, at an address that cannot be run. */
static const void *found(const char *name)
{
	char plain[256];
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (strcmp(own[i].name, name) == 0)
			return own[i].is;
	}
	(void)snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(name + 1, "$"), name + 1);
	const void *function = dlsym(RTLD_DEFAULT, plain);
	if (!function)
		(void)fprintf(stderr, "macho_try: %s is not here\n", name);
	return function;
}

static uint64_t number(const uint8_t **at)
{
	uint64_t value = 0;
	unsigned bits = 0;
	do {
		value |= (uint64_t)(**at & 0x7F) << bits;
		bits += 7;
	} while (*(*at)++ & 0x80);
	return value;
}

/* A list of addresses of what is elsewhere: its own (`from` NULL), or of a name by the function. */
static void fill_in(const uint8_t *at, const uint8_t *end, bool names, bool many, const void *(*from)(const char *name))
{
	uint64_t where = 0, n, step;
	const char *name = "";
	while (at < end) {
		const unsigned code = *at >> 4, value = *at & 15;
		at++;
		n = step = 0;
		if (code == 0 && !many)
			return;
		if (names && code == 4) {
			name = (const char *)at;
			at += strlen(name) + 1;
		} else if (code == (names ? 7 : 2)) {
			where = image.segments[value] + number(&at);
		} else if (code == (names ? 8 : 3) || (names && (code == 2 || code == 6))) {
			where += number(&at) * (code == 8 || code == 3);
		} else if (!names && code == 4) {
			where += 8 * value;
		} else if (code == (names ? 12 : 8)) {
			n = number(&at);
			step = number(&at);
		} else if (code == (names ? 10 : 7)) {
			n = 1;
			step = number(&at);
		} else if (names && (code == 9 || code == 11)) {
			n = 1;
			step = code == 11 ? 8 * value : 0;
		} else if (!names && (code == 5 || code == 6)) {
			n = code == 5 ? value : number(&at);
		}
		for (; n > 0; n--, where += 8 + step) {
			const uint64_t moved = (uint64_t)(uintptr_t)place(wide(place(where)));
			const uint64_t address = names ? (uint64_t)(uintptr_t)from(name) : moved;
			memcpy(place(where), &address, sizeof(address));
		}
	}
}

static const void *of_library(const char *name)
{
	return shown(name);
}

/* Calls `use` with each command of this kind. */
static void each(uint32_t kind, void (*use)(const uint8_t *command))
{
	const uint8_t *command = image.file + 32;
	for (uint32_t n = word(image.file + 16); n > 0; n--, command += word(command + 4)) {
		if ((word(command) & 0x7FFFFFFF) == kind)
			use(command);
	}
}

static void measure(const uint8_t *segment)
{
	static size_t n;
	const uint64_t begin = wide(segment + 24), end = begin + wide(segment + 32);
	if (n == SEGMENTS)
		fail("", "too many segments");
	image.segments[n++] = begin;
	image.end = end > image.end ? end : image.end;
}

static void copy(const uint8_t *segment)
{
	memcpy(place(wide(segment + 24)), image.file + wide(segment + 40), wide(segment + 48));
}

static void know(const uint8_t *symbols)
{
	image.symbols = image.file + word(symbols + 8);
	image.n_symbols = word(symbols + 12);
	image.names = image.file + word(symbols + 16);
}

static void bind(const uint8_t *lists)
{
	const uint8_t *list[4], *end[4];
	for (unsigned i = 0; i < 4; i++) {
		list[i] = image.file + word(lists + 8 + 8 * i);
		end[i] = list[i] + word(lists + 12 + 8 * i);
	}
	fill_in(list[0], end[0], false, false, NULL);
	fill_in(list[1], end[1], true, false, found);
	fill_in(list[2], end[2], true, false, of_library); /* operators of C++ */
	fill_in(list[3], end[3], true, true, found);       /* when they are called first, on macOS */
}

/* Variables of threads, one block of them, and functions that are called at the beginning. */
static void begin(const uint8_t *segment)
{
	enum { INITIALISERS = 0x09, VARIABLES = 0x11, ZEROS = 0x12 };
	static uint64_t first;
	for (uint32_t i = 0; i < word(segment + 64); i++) {
		const uint8_t *section = segment + FIRST_SECTION + SECTION * i;
		const uint64_t address = wide(section + 32), size = wide(section + 40);
		const unsigned kind = section[64];
		if ((kind == VARIABLES || kind == ZEROS) && (!first || address < first)) {
			first = address; /* the others follow */
			variables_of_thread = place(address);
		}
		for (uint64_t at = 0; kind == INITIALISERS && at < size; at += 8)
			((void (*)(void))(uintptr_t)wide(place(address + at)))();
	}
}

static void load(const char *path)
{
	size_t len;
	image.file = whole(path, &len);
	each(SEGMENT, measure);
	image.begin = image.segments[0];
	image.memory = mmap(NULL, image.end - image.begin, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (image.memory == MAP_FAILED)
		fail(": no memory", path);
	each(SEGMENT, copy);
	each(SYMBOLS, know);
	each(BINDINGS, bind);
	__builtin___clear_cache((char *)image.memory, (char *)image.memory + (image.end - image.begin));
	each(SEGMENT, begin);
}

/* ---- the trial ---- */

static void *elf;

static void *function(const char *name)
{
	char there[128];
	(void)snprintf(there, sizeof(there), "_%s", name);
	void *is = elf ? dlsym(elf, name) : shown(there);
	if (!is)
		fail(" is not shown", name);
	return is;
}

#define CALL(name) ((__typeof__(&(name)))(uintptr_t)function(#name))

static void show(struct dana_view text)
{
	(void)fwrite(text.data, 1, text.len, stdout);
	(void)putchar('\n');
}

static void read_page(const uint8_t *page, size_t len)
{
	for (size_t i = 0; i < CALL(dana_method_count)(); i++) {
		struct dana_options options = { .struct_size = sizeof(options), .method = CALL(dana_method_name)(i) };
		struct dana_extractor *x;
		struct dana_text text;
		struct dana_view view;
		options.structure = DANA_MARKDOWN | DANA_BLOCKS | DANA_DROPPED;
		if (CALL(dana_new)(&x, &options) < 0) {
			options.structure = 0;
			if (CALL(dana_new)(&x, &options) < 0)
				continue;
		}
		const int status = CALL(dana_feed)(x, page, len) < 0 ? -1 : CALL(dana_finish)(x, &text);
		(void)printf("%s %d\n", options.method, status);
		if (status == DANA_SUCCESS)
			show((struct dana_view){ text.data, text.len });
		if (status == DANA_SUCCESS && CALL(dana_markdown)(x, &view) == DANA_SUCCESS)
			show(view);
		if (status == DANA_SUCCESS && CALL(dana_structure_json)(x, &view) == DANA_SUCCESS)
			show(view);
		CALL(dana_free)(x);
	}
}

static void read_archive(const uint8_t *bytes, size_t len)
{
	static const char *const plugins[] = { "language", "metadata", "pii", "quality:annotate=yes",
					       "url:substring=nowhere" };
	char why[300] = "";
	struct dana_archive_options options = { .struct_size = sizeof(options),
						.plugins = plugins,
						.n_plugins = sizeof(plugins) / sizeof(*plugins),
						.error = why,
						.error_size = sizeof(why),
						.structure = DANA_MARKDOWN | DANA_BLOCKS };
	struct dana_document document = { .struct_size = sizeof(document) };
	struct dana_view view;
	struct dana_archive *a;
	if (CALL(dana_archive_new)(&a, &options) < 0)
		fail("", why);
	int answer = CALL(dana_archive_push)(a, bytes, len);
	for (bool ended = false; answer == DANA_ARCHIVE_HUNGRY || answer == DANA_ARCHIVE_DOCUMENT;) {
		answer = CALL(dana_archive_next)(a, &document);
		if (answer == DANA_ARCHIVE_DOCUMENT && CALL(dana_archive_line)(a, &view) >= 0)
			show(view);
		if (answer == DANA_ARCHIVE_HUNGRY && ended)
			break;
		if (answer == DANA_ARCHIVE_HUNGRY)
			ended = CALL(dana_archive_end)(a) == DANA_SUCCESS;
	}
	(void)printf("%d %s\n", answer, CALL(dana_archive_error)(a));
	if (CALL(dana_archive_counts)(a, &view) >= 0)
		show(view);
	CALL(dana_archive_free)(a);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		fail("", "expected LIBRARY FILE...");
	(void)dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
	(void)dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_GLOBAL);
	if (strstr(argv[1], ".dylib"))
		load(argv[1]);
	else if (!(elf = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)))
		fail("", dlerror());
	for (int i = 2; i < argc; i++) {
		size_t len;
		uint8_t *bytes = whole(argv[i], &len);
		(void)printf("%s\n", argv[i]);
		if (strstr(argv[i], ".html"))
			read_page(bytes, len);
		else
			read_archive(bytes, len);
		free(bytes);
	}
	return 0;
}
