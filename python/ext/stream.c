/* SPDX-License-Identifier: MIT */
/*
 * A stream of Arrow over an object of Python that is an iterator of capsules "arrow_array" and has a method `schema`.
 * Its exceptions become the stream's error text; none is left set. Consumers call from any thread, holding the
 * interpreter's lock or not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "danatext.h"

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
