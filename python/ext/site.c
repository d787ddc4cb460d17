/* SPDX-License-Identifier: MIT */
/*
 * Tables of sites, and what makes them, in capsules: dana/site.h. What takes long runs without the interpreter's lock.
 */
#include <dana/site.h>
#include <stdlib.h>

#include "danatext.h"

#define TABLE_CAPSULE "danatext.site_table"
#define LEARNER_CAPSULE "danatext.site_learner"

/* A file that cannot be read or written is an OSError. */
static PyObject *failed(int status, const char *text)
{
	if (status != DANA_CANNOT_READ)
		return danatext_raise(status, text);
	PyErr_SetString(PyExc_OSError, text);
	return NULL;
}

static void table_destroy(PyObject *capsule)
{
	dana_site_table_free(PyCapsule_GetPointer(capsule, TABLE_CAPSULE));
}

static void learner_destroy(PyObject *capsule)
{
	dana_site_learner_free(PyCapsule_GetPointer(capsule, LEARNER_CAPSULE));
}

const struct dana_site_table *danatext_site_table(PyObject *capsule)
{
	if (PyCapsule_IsValid(capsule, LEARNER_CAPSULE))
		return dana_site_learner_site(PyCapsule_GetPointer(capsule, LEARNER_CAPSULE));
	return PyCapsule_GetPointer(capsule, TABLE_CAPSULE);
}

/* Returns the learner that is the one argument; NULL with an exception. */
static struct dana_site_learner *learner_of(PyObject *args)
{
	PyObject *capsule;
	return PyArg_ParseTuple(args, "O", &capsule) ? PyCapsule_GetPointer(capsule, LEARNER_CAPSULE) : NULL;
}

/* site_table_open(path): a capsule. */
PyObject *danatext_site_table_open(PyObject *module, PyObject *args)
{
	struct dana_site_table *table = NULL;
	const char *path;
	char why[1024] = "";
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "y", &path))
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = dana_site_table_open(&table, path, why, sizeof(why));
	Py_END_ALLOW_THREADS
	if (status < 0)
		return failed(status, why);
	PyObject *capsule = PyCapsule_New(table, TABLE_CAPSULE, table_destroy);
	if (!capsule)
		dana_site_table_free(table);
	return capsule;
}

/* site_learner_new(path, least, size, memory, force): a capsule, for archive_new, which learns of each page. */
PyObject *danatext_site_learner_new(PyObject *module, PyObject *args)
{
	char why[1024] = "";
	struct dana_site_options o = { .struct_size = sizeof(o), .error = why, .error_size = sizeof(why) };
	struct dana_site_learner *learner = NULL;
	unsigned long long least, size, memory;
	(void)module;
	if (!PyArg_ParseTuple(args, "yKKKp", &o.path, &least, &size, &memory, &o.force))
		return NULL;
	o.least = least, o.size = size, o.memory = memory;
	const int status = dana_site_learner_new(&learner, &o);
	if (status < 0)
		return failed(status, why);
	PyObject *capsule = PyCapsule_New(learner, LEARNER_CAPSULE, learner_destroy);
	if (!capsule)
		dana_site_learner_free(learner);
	return capsule;
}

/* site_learner_pages(learner) */
PyObject *danatext_site_learner_pages(PyObject *module, PyObject *args)
{
	(void)module;
	const struct dana_site_learner *learner = learner_of(args);
	return learner ? PyLong_FromUnsignedLongLong(dana_site_learner_pages(learner)) : NULL;
}

/* site_learner_finish(learner): writes the table, after its archives are closed. */
PyObject *danatext_site_learner_finish(PyObject *module, PyObject *args)
{
	int status;
	(void)module;
	struct dana_site_learner *learner = learner_of(args);
	if (!learner)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = dana_site_learner_finish(learner);
	Py_END_ALLOW_THREADS
	if (status < 0)
		return failed(status, dana_site_learner_error(learner));
	Py_RETURN_NONE;
}

/* site_merge(tables, path, least, force) */
PyObject *danatext_site_merge(PyObject *module, PyObject *args)
{
	PyObject *tables;
	const char *path;
	char why[1024] = "";
	size_t n;
	unsigned long long least;
	int force, status;
	(void)module;
	if (!PyArg_ParseTuple(args, "O!yKp", &PyTuple_Type, &tables, &path, &least, &force))
		return NULL;
	n = (size_t)PyTuple_Size(tables);
	const char **paths = calloc(n + 1, sizeof(*paths));
	if (!paths)
		return PyErr_NoMemory();
	for (size_t i = 0; i < n; i++) {
		paths[i] = PyBytes_AsString(PyTuple_GetItem(tables, (Py_ssize_t)i));
		if (!paths[i]) {
			free(paths);
			return NULL;
		}
	}
	Py_BEGIN_ALLOW_THREADS
	status = dana_site_merge(paths, n, path, least, force, why, sizeof(why));
	Py_END_ALLOW_THREADS
	free(paths);
	if (status < 0)
		return failed(status, why);
	Py_RETURN_NONE;
}
