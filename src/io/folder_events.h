/* SPDX-License-Identifier: MIT */
/*
 * Reports at once when a name appears in a folder or goes from it, by libuv (inotify). It makes looking into the folder
 * quick, but cannot replace it: on network file systems others' changes make no event, and libuv does not say when the
 * system has dropped events because there were too many. Threads: that of the loop.
 */
#ifndef DANA_IO_FOLDER_EVENTS_H
#define DANA_IO_FOLDER_EVENTS_H

struct error;
struct folder_events;
struct loop;

/**
 * `named` runs on the loop for each name that was made, moved or removed; `name` is NULL if the system does not say
 * which. Returns NULL with the system's text in `err` if it cannot watch the folder.
 */
struct folder_events *folder_events_new(struct loop *l, const char *folder, void (*named)(void *arg, const char *name),
					void *arg, struct error *err);
/** NULL allowed. */
void folder_events_free(struct folder_events *e);

#endif
