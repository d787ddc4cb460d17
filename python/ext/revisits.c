/* SPDX-License-Identifier: MIT */
/* Tables of what revisits refer to, in capsules. What takes long runs without the interpreter's lock. */
#include <string.h>

#include "danatext.h"

#define REVISITS_CAPSULE "danatext.revisits"

static void destroy(PyObject *capsule)
{
	dana_revisits_free(PyCapsule_GetPointer(capsule, REVISITS_CAPSULE));
}

const struct dana_revisits *danatext_revisits(PyObject *capsule)
{
	return PyCapsule_GetPointer(capsule, REVISITS_CAPSULE);
}

/* revisits_new(bytes): a capsule, for archive_new. */
PyObject *danatext_revisits_new(PyObject *module, PyObject *args)
{
	unsigned long long bytes;
	(void)module;
	if (!PyArg_ParseTuple(args, "K", &bytes))
		return NULL;
	struct dana_revisits *r = dana_revisits_new(bytes);
	PyObject *capsule = r ? PyCapsule_New(r, REVISITS_CAPSULE, destroy) : PyErr_NoMemory();
	if (!capsule)
		dana_revisits_free(r);
	return capsule;
}

/* revisits_add(revisits, path, name, begin, length) */
PyObject *danatext_revisits_add(PyObject *module, PyObject *args)
{
	PyObject *capsule;
	const char *path, *name;
	unsigned long long begin, length;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "OyyKK", &capsule, &path, &name, &begin, &length))
		return NULL;
	struct dana_revisits *r = PyCapsule_GetPointer(capsule, REVISITS_CAPSULE);
	if (!r)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = dana_revisits_add(r, path, name, begin, length);
	Py_END_ALLOW_THREADS
	if (status == DANA_CANNOT_READ) {
		PyErr_Format(PyExc_OSError, "%s: it is not a file that can be read twice", path);
		return NULL;
	}
	if (status < 0)
		return danatext_raise(status, "");
	Py_RETURN_NONE;
}

/* revisits_left_out(revisits) */
PyObject *danatext_revisits_left_out(PyObject *module, PyObject *args)
{
	PyObject *capsule;
	(void)module;
	if (!PyArg_ParseTuple(args, "O", &capsule))
		return NULL;
	const struct dana_revisits *r = PyCapsule_GetPointer(capsule, REVISITS_CAPSULE);
	return r ? PyLong_FromUnsignedLongLong(dana_revisits_left_out(r)) : NULL;
}
