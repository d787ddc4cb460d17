/* SPDX-License-Identifier: MIT */
/*
 * An archive in a capsule. Its caller pushes bytes and takes documents, as dana/archive.h has it; each call that works
 * gives the interpreter's lock away, and returns after some tens of milliseconds, so that signals are handled.
 */
#include <dana/site.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "danatext.h"

/* Streams of Arrow that others made, in capsules. */

#define CAPSULE "arrow_array_stream"

/* Returns the stream in the capsule that is the one argument; NULL with an exception. */
static struct ArrowArrayStream *stream_of(PyObject *args)
{
	PyObject *capsule;
	return PyArg_ParseTuple(args, "O", &capsule) ? PyCapsule_GetPointer(capsule, CAPSULE) : NULL;
}

static PyObject *failed(struct ArrowArrayStream *stream)
{
	const char *text = stream->get_last_error(stream);
	if (!PyErr_Occurred())
		PyErr_Format(PyExc_OSError, "the stream of pages failed: %s", text ? text : "it gives no reason");
	return NULL;
}

/* stream_schema(stream): a capsule "arrow_schema". */
PyObject *danatext_stream_schema(PyObject *module, PyObject *args)
{
	struct ArrowSchema schema;
	(void)module;
	struct ArrowArrayStream *stream = stream_of(args);
	if (!stream)
		return NULL;
	return stream->get_schema(stream, &schema) ? failed(stream) : danatext_schema_capsule(&schema);
}

/* stream_next(stream): a capsule "arrow_array"; None at the end. */
PyObject *danatext_stream_next(PyObject *module, PyObject *args)
{
	struct ArrowArray array;
	int status;
	(void)module;
	struct ArrowArrayStream *stream = stream_of(args);
	if (!stream)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = stream->get_next(stream, &array);
	Py_END_ALLOW_THREADS
	if (status)
		return failed(stream);
	if (!array.release)
		Py_RETURN_NONE;
	return danatext_array_capsule(&array);
}

/*
 * A stream of Arrow over an object of Python that is an iterator of capsules "arrow_array" and has a method `schema`.
 * Its exceptions become the stream's error text; none is left set. Consumers call from any thread, holding the
 * interpreter's lock or not.
 */

struct stream {
	PyObject *source;
	int error; /* the first one, which stays; 0: none */
	char *text;
};

/* Makes the exception that is set the stream's error. */
static int fail(struct stream *s)
{
	PyObject *type = NULL, *value = NULL, *trace = NULL;
	PyErr_Fetch(&type, &value, &trace);
	PyErr_NormalizeException(&type, &value, &trace);
	PyObject *name = type ? PyObject_GetAttrString(type, "__name__") : NULL;
	PyObject *text = name ? PyUnicode_FromFormat("%S: %S", name, value) : NULL;
	const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
	s->error = type && PyErr_GivenExceptionMatches(type, PyExc_MemoryError) ? ENOMEM : EIO;
	s->text = bytes ? strdup(bytes) : NULL;
	PyErr_Clear();
	Py_XDECREF(text);
	Py_XDECREF(name);
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(trace);
	return s->error;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
	struct stream *s = stream->private_data;
	if (s->error)
		return s->error;
	const PyGILState_STATE lock = PyGILState_Ensure();
	PyObject *capsule = PyObject_CallMethod(s->source, "schema", NULL);
	struct ArrowSchema *schema = capsule ? PyCapsule_GetPointer(capsule, "arrow_schema") : NULL;
	int status = schema ? 0 : fail(s);
	if (schema) {
		*out = *schema;
		schema->release = NULL;
	}
	Py_XDECREF(capsule);
	PyGILState_Release(lock);
	return status;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
	struct stream *s = stream->private_data;
	memset(out, 0, sizeof(*out));
	if (s->error)
		return s->error;
	const PyGILState_STATE lock = PyGILState_Ensure();
	PyObject *capsule = PyIter_Next(s->source);
	struct ArrowArray *array = capsule ? PyCapsule_GetPointer(capsule, "arrow_array") : NULL;
	int status = PyErr_Occurred() ? fail(s) : 0;
	if (array) {
		*out = *array;
		array->release = NULL;
	}
	Py_XDECREF(capsule);
	PyGILState_Release(lock);
	return status;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
	return ((struct stream *)stream->private_data)->text;
}

static void release(struct ArrowArrayStream *stream)
{
	struct stream *s = stream->private_data;
	stream->release = NULL;
	if (Py_IsInitialized()) {
		const PyGILState_STATE lock = PyGILState_Ensure();
		Py_DECREF(s->source);
		PyGILState_Release(lock);
	}
	free(s->text);
	free(s);
}

static void destroy(PyObject *capsule)
{
	struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
	if (stream->release)
		stream->release(stream);
	free(stream);
}

/* stream_of(source): a capsule "arrow_array_stream". */
PyObject *danatext_stream_of(PyObject *module, PyObject *args)
{
	PyObject *source;
	(void)module;
	if (!PyArg_ParseTuple(args, "O", &source))
		return NULL;
	struct ArrowArrayStream *stream = calloc(1, sizeof(*stream));
	struct stream *s = calloc(1, sizeof(*s));
	PyObject *capsule = stream && s ? PyCapsule_New(stream, "arrow_array_stream", destroy) : PyErr_NoMemory();
	if (!capsule) {
		free(stream);
		free(s);
		return NULL;
	}
	s->source = Py_NewRef(source);
	*stream = (struct ArrowArrayStream){ .get_schema = get_schema,
					     .get_next = get_next,
					     .get_last_error = get_last_error,
					     .release = release,
					     .private_data = s };
	return capsule;
}

#define ARCHIVE_CAPSULE "danatext.archive"

enum { PIECES = 128 }; /* of 64 KiB: some 40 ms */

struct archive {
	atomic_int busy;
	struct dana_archive *of; /* NULL: closed */
	char *name;              /* which `of` borrows */
	Py_buffer pushed;        /* the bytes in use; `obj` NULL: none */
	PyObject *site;          /* a table of sites, or a learner, which `of` borrows; NULL: none */
	PyObject *revisits;      /* a table of what revisits refer to, which `of` borrows; NULL: none */
};

/* ---- life ---- */

static void close_archive(struct archive *a)
{
	dana_archive_free(a->of);
	a->of = NULL;
	if (a->pushed.obj)
		PyBuffer_Release(&a->pushed);
	a->pushed.obj = NULL;
	Py_CLEAR(a->site);
	Py_CLEAR(a->revisits);
}

static void free_archive(struct archive *a)
{
	close_archive(a);
	free(a->name);
	free(a);
}

static void archive_destroy(PyObject *capsule)
{
	free_archive(PyCapsule_GetPointer(capsule, ARCHIVE_CAPSULE));
}

/* Returns the archive, which the calling thread then has for itself; NULL with an exception. */
static struct archive *enter(PyObject *capsule)
{
	struct archive *a = PyCapsule_GetPointer(capsule, ARCHIVE_CAPSULE);
	if (!a)
		return NULL;
	if (atomic_exchange(&a->busy, 1)) {
		PyErr_SetString(PyExc_RuntimeError,
				"the archive is in use by another thread; open one for each thread");
		return NULL;
	}
	if (a->of)
		return a;
	atomic_store(&a->busy, 0);
	PyErr_SetString(PyExc_ValueError, "the archive is closed");
	return NULL;
}

/* The same for functions whose one argument is the archive. */
static struct archive *enter_only(PyObject *args)
{
	PyObject *capsule;
	return PyArg_ParseTuple(args, "O", &capsule) ? enter(capsule) : NULL;
}

static PyObject *leave(struct archive *a, PyObject *result)
{
	atomic_store(&a->busy, 0);
	return result;
}

/* ---- options ---- */

const char **danatext_texts_of(PyObject *tuple, size_t *n)
{
	*n = (size_t)PyTuple_Size(tuple);
	const char **texts = calloc(*n + 1, sizeof(*texts));
	if (!texts) {
		PyErr_NoMemory();
		return NULL;
	}
	for (size_t i = 0; i < *n; i++) {
		texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, (Py_ssize_t)i), NULL);
		if (!texts[i]) {
			free(texts);
			return NULL;
		}
	}
	return texts;
}

static PyObject *capsule_of(struct archive *a)
{
	PyObject *capsule = PyCapsule_New(a, ARCHIVE_CAPSULE, archive_destroy);
	if (!capsule)
		free_archive(a);
	return capsule;
}

/* archive_new(name=, methods=, ...): an archive, by the members of danatext.options.Settings and its range. */
PyObject *danatext_archive_new(PyObject *module, PyObject *args, PyObject *named)
{
	static char *names[] = { "name",       "methods",     "plugins",  "options",   "type",  "status", "mime",
				 "place",      "site",        "revisits", "min_chars", "begin", "end",    "size",
				 "batch_rows", "batch_bytes", "flags",    "continues", NULL };
	char why[1024] = "";
	const char *name;
	PyObject *methods, *plugins, *options, *site, *revisits, *continues;
	struct dana_archive_options o = { .struct_size = sizeof(o),
					  .pieces = PIECES,
					  .error = why,
					  .error_size = sizeof(why) };
	unsigned long long min_chars, begin, end, size, rows, bytes;
	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, named, "yO!O!O!zzzzOOKKKKKKIO", names, &name, &PyTuple_Type, &methods,
					 &PyTuple_Type, &plugins, &PyTuple_Type, &options, &o.types, &o.statuses,
					 &o.media_types, &o.place, &site, &revisits, &min_chars, &begin, &end, &size,
					 &rows, &bytes, &o.flags, &continues))
		return NULL;
	const struct archive *before = continues == Py_None ? NULL : PyCapsule_GetPointer(continues, ARCHIVE_CAPSULE);
	if (PyErr_Occurred())
		return NULL;
	o.continues = before ? before->of : NULL;
	if (site != Py_None && !(o.site = danatext_site_table(site)))
		return NULL;
	if (revisits != Py_None && !(o.revisits = danatext_revisits(revisits)))
		return NULL;
	o.min_chars = min_chars, o.begin = begin, o.end = end, o.size = size, o.batch_rows = rows,
	o.batch_bytes = bytes;
	size_t n_methods;
	const char **method = danatext_texts_of(methods, &n_methods);
	o.plugins = method ? danatext_texts_of(plugins, &o.n_plugins) : NULL;
	o.options = o.plugins ? danatext_texts_of(options, &o.n_options) : NULL;
	if (!o.options) {
		free((void *)o.plugins);
		free(method);
		return NULL;
	}
	o.method = method[0], o.more_methods = method + 1, o.n_more_methods = n_methods - 1;
	struct archive *a = calloc(1, sizeof(*a));
	o.name = a ? a->name = strdup(name) : NULL;
	int status = o.name ? 0 : DANA_OUT_OF_MEMORY;
	if (status == 0) {
		a->site = o.site ? Py_NewRef(site) : NULL;
		a->revisits = o.revisits ? Py_NewRef(revisits) : NULL;
		Py_BEGIN_ALLOW_THREADS
		status = dana_archive_new(&a->of, &o);
		Py_END_ALLOW_THREADS
	}
	free((void *)o.options);
	free((void *)o.plugins);
	free(method);
	if (status == 0)
		return capsule_of(a);
	if (a)
		free_archive(a);
	return danatext_raise(status, why);
}

/* archive_close(archive): nothing if it is closed; the memory goes at once, the capsule stays. */
PyObject *danatext_archive_close(PyObject *module, PyObject *args)
{
	PyObject *capsule;
	(void)module;
	if (!PyArg_ParseTuple(args, "O", &capsule))
		return NULL;
	struct archive *a = PyCapsule_GetPointer(capsule, ARCHIVE_CAPSULE);
	if (a && !a->of)
		Py_RETURN_NONE;
	a = enter(capsule);
	if (!a)
		return NULL;
	close_archive(a);
	return leave(a, Py_NewRef(Py_None));
}

/* ---- the flow ---- */

static PyObject *archive_failed(struct archive *a, int status)
{
	return leave(a, danatext_raise(status, dana_archive_error(a->of)));
}

/* archive_push(archive, bytes): keeps the bytes until they are used up. */
PyObject *danatext_archive_push(PyObject *module, PyObject *args)
{
	PyObject *capsule;
	Py_buffer bytes;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "Oy*", &capsule, &bytes))
		return NULL;
	struct archive *a = enter(capsule);
	if (!a) {
		PyBuffer_Release(&bytes);
		return NULL;
	}
	if (a->pushed.obj)
		PyBuffer_Release(&a->pushed);
	a->pushed = bytes;
	Py_BEGIN_ALLOW_THREADS
	status = dana_archive_push(a->of, bytes.buf, (size_t)bytes.len);
	Py_END_ALLOW_THREADS
	return status < 0 ? archive_failed(a, status) : leave(a, Py_NewRef(Py_None));
}

/* archive_end(archive): the input has ended. */
PyObject *danatext_archive_end(PyObject *module, PyObject *args)
{
	int status;
	(void)module;
	struct archive *a = enter_only(args);
	if (!a)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = dana_archive_end(a->of);
	Py_END_ALLOW_THREADS
	return status < 0 ? archive_failed(a, status) : leave(a, Py_NewRef(Py_None));
}

/* archive_damaged(archive, why): the input has ended, and is not what its container says. */
PyObject *danatext_archive_damaged(PyObject *module, PyObject *args)
{
	PyObject *capsule;
	const char *why;
	int status;
	(void)module;
	struct archive *a = PyArg_ParseTuple(args, "Os", &capsule, &why) ? enter(capsule) : NULL;
	if (!a)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = dana_archive_damaged(a->of, why);
	Py_END_ALLOW_THREADS
	return status < 0 ? archive_failed(a, status) : leave(a, Py_NewRef(Py_None));
}

/* archive_next(archive): a tuple, as danatext.Document; or HUNGRY, SEEK, OVER, PAUSED. */
PyObject *danatext_archive_next(PyObject *module, PyObject *args)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	int answer;
	(void)module;
	struct archive *a = enter_only(args);
	if (!a)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	answer = dana_archive_next(a->of, &doc);
	Py_END_ALLOW_THREADS
	if (answer < 0)
		return archive_failed(a, answer);
	return leave(a, answer == DANA_ARCHIVE_DOCUMENT ? danatext_document(&doc, NULL) : PyLong_FromLong(answer));
}

/* archive_drain(archive): passes documents over, as many as there are; HUNGRY, SEEK, OVER, PAUSED. */
PyObject *danatext_archive_drain(PyObject *module, PyObject *args)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	int answer;
	(void)module;
	struct archive *a = enter_only(args);
	if (!a)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	while ((answer = dana_archive_next(a->of, &doc)) == DANA_ARCHIVE_DOCUMENT)
		;
	Py_END_ALLOW_THREADS
	return answer < 0 ? archive_failed(a, answer) : leave(a, PyLong_FromLong(answer));
}

/* archive_batch(archive): a capsule "arrow_array"; or HUNGRY, SEEK, OVER, PAUSED. */
PyObject *danatext_archive_batch(PyObject *module, PyObject *args)
{
	struct ArrowArray batch;
	int answer;
	(void)module;
	struct archive *a = enter_only(args);
	if (!a)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	answer = dana_archive_batch(a->of, &batch);
	Py_END_ALLOW_THREADS
	if (answer < 0)
		return archive_failed(a, answer);
	return leave(a, answer == DANA_ARCHIVE_DOCUMENT ? danatext_array_capsule(&batch) : PyLong_FromLong(answer));
}

/* archive_schema(archive): a capsule "arrow_schema". */
PyObject *danatext_archive_schema(PyObject *module, PyObject *args)
{
	struct ArrowSchema schema;
	(void)module;
	struct archive *a = enter_only(args);
	if (!a)
		return NULL;
	const int status = dana_archive_schema(a->of, &schema);
	return status < 0 ? archive_failed(a, status) : leave(a, danatext_schema_capsule(&schema));
}

/* ---- what it reports ---- */

/* archive_seek_to(archive): the offset to go on from, after SEEK. */
PyObject *danatext_archive_seek_to(PyObject *module, PyObject *args)
{
	(void)module;
	struct archive *a = enter_only(args);
	return a ? leave(a, PyLong_FromUnsignedLongLong(dana_archive_seek_to(a->of))) : NULL;
}

static PyObject *json_of(PyObject *args, int (*call)(struct dana_archive *, struct dana_view *))
{
	struct dana_view json;
	struct archive *a = enter_only(args);
	if (!a)
		return NULL;
	const int status = call(a->of, &json);
	return status < 0 ? archive_failed(a, status) : leave(a, danatext_text(json.len ? json.data : "", json.len));
}

/* archive_counts(archive): the JSON object of --stats. */
PyObject *danatext_archive_counts(PyObject *module, PyObject *args)
{
	(void)module;
	return json_of(args, dana_archive_counts);
}

static void keep_page(void *page, const char *html, size_t len)
{
	*(PyObject **)page = danatext_text(html, len);
}

/* report_page(counts): the page that the counters of archives with a report make, as text. */
PyObject *danatext_report_page(PyObject *module, PyObject *args)
{
	const char *counts;
	Py_ssize_t len;
	PyObject *page = NULL;
	(void)module;
	if (!PyArg_ParseTuple(args, "s#", &counts, &len))
		return NULL;
	const int status = dana_report_write(counts, (size_t)len, keep_page, &page);
	return status < 0 ? danatext_raise(status, "the counters have no report") : page;
}

/* archive_rejects(archive): the lines of --rejects since the last call. */
PyObject *danatext_archive_rejects(PyObject *module, PyObject *args)
{
	(void)module;
	return json_of(args, dana_archive_rejects);
}

/* archive_place(archive): where to go on after the last document or batch. */
PyObject *danatext_archive_place(PyObject *module, PyObject *args)
{
	char place[DANA_PLACE_SIZE];
	(void)module;
	struct archive *a = enter_only(args);
	if (!a)
		return NULL;
	(void)dana_archive_place(a->of, place, sizeof(place));
	return leave(a, PyUnicode_FromString(place));
}

/* The structs of Arrow in capsules, as Arrow's PyCapsule interface has them. A struct without `release` was taken. */

#define DESTROY(function, type, name) \
	static void function(PyObject *capsule) \
	{ \
		type *held = PyCapsule_GetPointer(capsule, name); \
		if (held->release) \
			held->release(held); \
		free(held); \
	}

DESTROY(destroy_array, struct ArrowArray, "arrow_array")
DESTROY(destroy_schema, struct ArrowSchema, "arrow_schema")

PyObject *danatext_array_capsule(struct ArrowArray *array)
{
	struct ArrowArray *held = malloc(sizeof(*held));
	PyObject *capsule = held ? PyCapsule_New(held, "arrow_array", destroy_array) : PyErr_NoMemory();
	if (capsule) {
		*held = *array;
		return capsule;
	}
	free(held);
	array->release(array);
	return NULL;
}

PyObject *danatext_schema_capsule(struct ArrowSchema *schema)
{
	struct ArrowSchema *held = malloc(sizeof(*held));
	PyObject *capsule = held ? PyCapsule_New(held, "arrow_schema", destroy_schema) : PyErr_NoMemory();
	if (capsule) {
		*held = *schema;
		return capsule;
	}
	free(held);
	schema->release(schema);
	return NULL;
}
