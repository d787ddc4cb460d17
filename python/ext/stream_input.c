/* SPDX-License-Identifier: MIT */
/* Streams of Arrow that others made, in capsules. */
#include "danatext.h"

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
		PyErr_Format(PyExc_OSError, "the stream of pages failed: %s", text ? text : "it does not say why");
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
