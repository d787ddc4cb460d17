/* SPDX-License-Identifier: MIT */
#include "run/model_reader.h"

#include <errno.h>

#include "base/file/whole_file.h"
#include "base/printable.h"
#include "extract/table.h"
#include "run/model_fault.h"

bool model_reader_init(struct model_reader *r, const char *method)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(method), &keys);
	*r = (struct model_reader){ .method = slice_from_text(m ? m->name : "") };
	(void)pthread_mutex_init(&r->lock, NULL);
	return m != NULL;
}

/* A missing file is not a fault if it may be missing (site-models): another one's fault counts more. */
static bool has_fault(const struct model_reader *r)
{
	return r->fault || (r->error && r->error != ENOENT);
}

int model_reader_read(void *reader, const char *name, char **data, size_t *len)
{
	struct model_reader *r = reader;
	int status = whole_file_read(NULL, name, data, len);
	int error = status == DANA_OK ? 0 : errno;
	const char *fault = error ? NULL : model_fault(r->method, slice_of(*data, *len));

	(void)pthread_mutex_lock(&r->lock);
	if ((error || fault) && !has_fault(r)) {
		printable(slice_from_text(name), r->file, sizeof(r->file));
		r->error = error;
		r->fault = fault;
	}
	(void)pthread_mutex_unlock(&r->lock);
	return status;
}

int model_reader_refused(struct model_reader *r, struct error *err)
{
	(void)pthread_mutex_lock(&r->lock);
	const char *fault = r->error ? system_text(r->error) : r->fault;
	(void)error_set(err, DANA_ECONFIG, "--method: %s: %s%s", r->file, r->error ? "cannot be read: " : "",
			fault ? fault : "not a name of a file");
	(void)pthread_mutex_unlock(&r->lock);
	return DANA_ECONFIG;
}

void model_reader_free(struct model_reader *r)
{
	(void)pthread_mutex_destroy(&r->lock);
}
