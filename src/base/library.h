/* SPDX-License-Identifier: MIT */
/*
 * A shared library that is loaded when its first function is needed, and the table of those that are in use. What the
 * library's header declares is the type of each member of the table, so the compiler checks calls as it would
 * otherwise:
 *
 *     #define PSL_FUNCTIONS(X) X(psl_builtin) X(psl_registrable_domain)
 *     struct psl_library { PSL_FUNCTIONS(LIBRARY_MEMBER) };
 *
 * A part of `dana` itself may be loaded so, too: a module, in the folder `lib/dana/1` beside the program's.
 */
#ifndef DANA_BASE_LIBRARY_H
#define DANA_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct library_function {
	const char *name;     /* as the library exports it */
	size_t offset;        /* of its member of the table */
	void (*linked)(void); /* the function itself, where libraries are linked (configure --without-cli); else NULL */
};

/** Static; the members from `state` on are zero. */
struct library {
	const char *file;    /* SONAME, as "libpsl.so.5"; of a module its name, as "uchardet.so" */
	const char *title;   /* for messages, as "libpsl" */
	const char *package; /* of Debian, that has it; of a module: of what it needs */
	bool module;
	const struct library_function *functions;
	size_t n;
	void *table;
	_Atomic int state;
	char fault[sizeof(((struct error *)0)->text)];
};

#define LIBRARY_MEMBER(name) __typeof__(&(name)) name;
/** A row of `functions`; `table` is the name of the struct. */
#ifdef LIBRARIES_LINKED
#define LIBRARY_ROW(table, name) { #name, offsetof(struct table, name), (void (*)(void))(name) },
#else
#define LIBRARY_ROW(table, name) { #name, offsetof(struct table, name), NULL },
#endif
/** The last members of a struct library. */
#define LIBRARY_TABLE(rows, to) .functions = (rows), .n = sizeof(rows) / sizeof((rows)[0]), .table = &(to)

/**
 * Loads the library at the first call, and keeps it until the process ends. Threads: any. 0, or DANA_ELIBRARY with a
 * text in `err` (which may be NULL), at this call and all later ones; or DANA_ENOMEM, after which the next call tries
 * again.
 */
int library_load(struct library *l, struct error *err);
/** As status_text; of DANA_ELIBRARY it says which library is missing (the first that was) and why. */
const char *library_status_text(int status);
/** For main: as exit. After the loader ran out of memory it runs no exit handlers, and only flushes what stdio holds.
 */
_Noreturn void library_exit(int status);
/** Notes that the system's loader ran out of memory in a call that is not one of these (iconv_open). Any thread. */
void library_loader_failed(void);
/** Folder `i` in which modules are looked for, without a '/' at its end. False: there are no more. */
bool library_folder(size_t i, char *folder, size_t size);

#endif
