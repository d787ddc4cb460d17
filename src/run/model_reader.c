/* SPDX-License-Identifier: MIT */
#include "run/model_reader.h"

#include <errno.h>

#include "base/file/whole_file.h"
#include "base/printable.h"
#include "extract/table.h"
#include "run/model_fault.h"

void model_reader_init(struct model_reader *r, const char *const *methods, size_t n_methods)
{
	*r = (struct model_reader){ .methods = methods, .n_methods = n_methods };
	(void)pthread_mutex_init(&r->lock, NULL);
}

/* Returns whether a key of the method names the file, or the folder that it is in. */
static bool names_file(struct slice keys, struct slice file)
{
	while (keys.len) {
		const struct slice pair = method_next_pair(&keys);
		const struct slice value = slice_skip(pair, slice_until(pair, "=") + 1);
		const bool begins = value.len && value.len <= file.len && memcmp(file.data, value.data, value.len) == 0;
		if (begins && (value.len == file.len || file.data[value.len] == '/'))
			return true;
	}
	return false;
}

/* The name of the method whose model it is. */
static struct slice method_of(const struct model_reader *r, const char *file)
{
	for (size_t i = 0; i < r->n_methods; i++) {
		struct slice keys;
		const struct method *m = method_find(slice_from_text(r->methods[i]), &keys);
		if (m && names_file(keys, slice_from_text(file)))
			return slice_from_text(m->name);
	}
	return slice_of(NULL, 0);
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
	const char *fault = error ? NULL : model_fault(method_of(r, name), slice_of(*data, *len));

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
