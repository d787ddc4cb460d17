/* SPDX-License-Identifier: MIT */
/* Archives in a zip: dana_zip_read over a file object of Python. */
#include <string.h>

#include "danatext.h"

struct listing {
	PyObject *file;    /* with seek and readinto or read */
	PyObject *entries; /* a list */
};

static int64_t read_file(void *arg, uint64_t offset, void *bytes, size_t len)
{
	const struct listing *l = arg;
	int64_t got = -1;
	PyObject *sought = PyObject_CallMethod(l->file, "seek", "K", (unsigned long long)offset);
	PyObject *data = sought ? PyObject_CallMethod(l->file, "read", "n", (Py_ssize_t)len) : NULL;
	char *from;
	Py_ssize_t n;
	if (data && PyBytes_AsStringAndSize(data, &from, &n) == 0) {
		got = (size_t)n <= len ? n : (int64_t)len;
		memcpy(bytes, from, (size_t)got);
	}
	Py_XDECREF(data);
	Py_XDECREF(sought);
	return got;
}

static PyObject *tuple_of(const struct dana_zip_entry *e)
{
	PyObject *zip = e->zip ? tuple_of(e->zip) : Py_NewRef(Py_None);
	return zip ? Py_BuildValue("(yKKiKKNz)", e->name, (unsigned long long)e->begin, (unsigned long long)e->length,
				   e->deflated, (unsigned long long)e->size, (unsigned long long)e->crc, zip, e->fault)
		   : NULL;
}

static int take_entry(void *arg, const struct dana_zip_entry *e)
{
	const struct listing *l = arg;
	PyObject *entry = tuple_of(e);
	const int status = entry ? PyList_Append(l->entries, entry) : -1;
	Py_XDECREF(entry);
	return status;
}

/*
 * zip_entries(file, size): a list of (name, begin, length, deflated, size, crc, zip, fault), as struct dana_zip_entry;
 * a text: what is wrong with the zip; None: it is not a zip. What the file raises is raised.
 */
PyObject *danatext_zip_entries(PyObject *module, PyObject *args)
{
	struct listing l;
	unsigned long long size;
	char why[256] = "";
	(void)module;
	if (!PyArg_ParseTuple(args, "OK", &l.file, &size))
		return NULL;
	l.entries = PyList_New(0);
	if (!l.entries)
		return NULL;
	const struct dana_zip zip = { .struct_size = sizeof(zip),
				      .read = read_file,
				      .entry = take_entry,
				      .arg = &l,
				      .size = size,
				      .error = why,
				      .error_size = sizeof(why) };
	const int answer = dana_zip_read(&zip);
	if (answer == DANA_ZIP_READ)
		return l.entries;
	Py_DECREF(l.entries);
	if (PyErr_Occurred())
		return NULL;
	if (answer == DANA_ZIP_NONE)
		return Py_NewRef(Py_None);
	if (answer == DANA_ZIP_DAMAGED)
		return PyUnicode_DecodeUTF8(why, (Py_ssize_t)strlen(why), "replace");
	if (answer != DANA_CANNOT_READ)
		return danatext_raise(answer, why);
	PyErr_SetString(PyExc_OSError, why);
	return NULL;
}
