#include "cli/method_check.h"

#include <errno.h>

#include "base/near_name.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/model_fault.h"
#include "extract/dana.h"
#include "extract/table.h"

enum { SHOWN = 200 };

/* The file that a key names: why it could not be read, or what is wrong with it should the method refuse it. */
struct reading {
	struct slice method;
	char file[SHOWN];
	int error;
	const char *fault;
};

static int read_model(void *arg, const char *name, char **data, size_t *len)
{
	struct reading *r = arg;
	int status = command_read_file(NULL, name, data, len);

	printable(slice_from_text(name), r->file, sizeof(r->file));
	if (status < 0)
		r->error = errno;
	else
		r->fault = model_fault(r->method, slice_of(*data, *len));
	return status;
}

/* The name and the keys are known to be right: what may still be wrong are files that keys name. The first wrong one ends it. */
static int check_files(const char *spec, const struct method *m, struct error *err)
{
	struct reading r = { .method = slice_from_text(m->name) };
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = spec,
					      .read_file = read_model,
					      .read_arg = &r };
	struct dana_extractor *x = NULL;
	int status = dana_new(&x, &options);

	dana_free(x);
	if (status == DANA_OK)
		return DANA_OK;
	if (status != DANA_BAD_OPTION)
		return error_set(err, DANA_ENOMEM, "%s", status_text(DANA_ENOMEM));
	if (r.error)
		return error_set(err, DANA_ECONFIG, "--method: %s: cannot be read: %s", r.file, system_text(r.error));
	return error_set(err, DANA_ECONFIG, "--method: %s: %s", r.file, r.fault ? r.fault : "not a name of a file");
}

static int unknown_method(const char *spec, struct error *err)
{
	struct near_name near = near_name_of(slice_of(spec, strcspn(spec, ":")));
	const struct method *m;

	for (size_t i = 0; (m = method_at(i)); i++)
		near_name_offer(&near, m->name);
	return near_name_refuse(&near, "--method", "one of those that dana methods lists", err);
}

int method_check(const char *spec, struct error *err)
{
	struct slice keys;
	const struct method *m = method_find(slice_from_text(spec), &keys);

	if (!m)
		return unknown_method(spec, err);
	while (keys.len) {
		struct method_setting setting;
		struct slice pair = method_next_pair(&keys);
		int status = method_setting_read(m, pair, &setting, err);
		if (status < 0)
			return status;
	}
	return check_files(spec, m, err);
}
