#include "cli/method_check.h"

#include <errno.h>
#include <stdio.h>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/model_fault.h"
#include "extract/dana.h"

enum { SHOWN = 200, PAIR_MOST = 4096 };

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

static int make(const char *method, struct reading *r)
{
	const struct dana_options options = { .struct_size = sizeof(options),
					      .method = method,
					      .read_file = read_model,
					      .read_arg = r };
	struct dana_extractor *x = NULL;
	*r = (struct reading){ .method = slice_of(method, strcspn(method, ":")) };
	int status = dana_new(&x, &options);
	dana_free(x);
	return status == DANA_BAD_OPTION ? DANA_ECONFIG : status < 0 ? DANA_ENOMEM : DANA_OK;
}

/* `pair`: one key with its value, which may be what is wrong. */
static int check_pair(struct slice name, struct slice pair, struct error *err)
{
	struct reading r;
	char shown[SHOWN], method[PAIR_MOST];
	(void)snprintf(method, sizeof(method), "%.*s:%.*s", (int)name.len, (const char *)name.data, (int)pair.len,
		       (const char *)pair.data);
	int status = make(method, &r);
	if (status != DANA_ECONFIG)
		return status;
	if (r.error)
		return error_set(err, DANA_ECONFIG, "--method: %s: cannot be read: %s", r.file, system_text(r.error));
	if (r.fault)
		return error_set(err, DANA_ECONFIG, "--method: %s: %s", r.file, r.fault);
	return error_set(err, DANA_ECONFIG,
			 "--method: %.*s takes no '%s'; man dana-methods tells the keys and their values",
			 (int)name.len, (const char *)name.data, printable(pair, shown, sizeof(shown)));
}

static int no_method(struct slice name, struct error *err)
{
	char shown[SHOWN];
	return error_set(err, DANA_ECONFIG, "--method: '%s' is unknown; dana methods lists what there is",
			 printable(name, shown, sizeof(shown)));
}

static bool is_method(struct slice name)
{
	const char *known;
	for (size_t i = 0; (known = dana_method_name(i)); i++) {
		if (slice_equal(name, slice_from_text(known)))
			return true;
	}
	return false;
}

int method_check(const char *method, struct error *err)
{
	struct reading r;
	int status = make(method, &r);
	if (status == DANA_ENOMEM)
		return error_set(err, status, "%s", status_text(status));
	if (status == DANA_OK)
		return status;
	struct slice name = slice_of(method, strcspn(method, ":"));
	if (!is_method(name))
		return no_method(name, err);
	status = DANA_OK;
	for (const char *keys = method + name.len; *keys && status == DANA_OK;) {
		keys++;
		size_t len = strcspn(keys, ",");
		status = check_pair(name, slice_of(keys, len), err);
		keys += len;
	}
	return status == DANA_OK ? DANA_ECONFIG : status;
}
