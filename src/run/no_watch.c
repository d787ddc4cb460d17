/* SPDX-License-Identifier: MIT */
/* Windows, where nothing tells whether another program is still writing a file: --watch is refused. */
#include "config.h"

#include <stddef.h>

#include "run/watch.h"

static int refuse(struct error *err)
{
	return error_set(err, DANA_ECONFIG,
			 "--watch: not on Windows; run dana in WSL, or this command again with --resume when there are "
			 "new files");
}

int watch_list_read(struct name_list *names, const char *folder, struct error *err)
{
	(void)names;
	(void)folder;
	return refuse(err);
}

int watch_check(const struct run_settings *s, struct error *err)
{
	(void)s;
	return refuse(err);
}

/* Nobody has a watch. */

int watch_open(struct watch **out, const struct run_settings *s, struct error *err)
{
	(void)out;
	(void)s;
	return refuse(err);
}

int watch_start(struct watch *w, struct error *err)
{
	(void)w;
	return refuse(err);
}

struct watch_file *watch_next(struct watch *w)
{
	(void)w;
	return NULL;
}

void watch_over(struct watch *w, struct watch_file *file)
{
	(void)w;
	(void)file;
}

void watch_stop(void *watch)
{
	(void)watch;
}

bool watch_end(struct watch *w, size_t *done_before)
{
	(void)w;
	*done_before = 0;
	return true;
}

void watch_free(struct watch *w)
{
	(void)w;
}
