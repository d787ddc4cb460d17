/* SPDX-License-Identifier: MIT */
/* Which exception a status of dana is. */
#include "danatext.h"

static const char *class_of(int status)
{
	switch (status) {
	case DANA_BAD_OPTION:
		return "OptionError";
	case DANA_PLUGIN_FAILED:
		return "PluginError";
	default:
		return "Error";
	}
}

PyObject *danatext_raise_as(const char *name, const char *text)
{
	PyObject *errors = PyImport_ImportModule("danatext.errors");
	PyObject *type = errors ? PyObject_GetAttrString(errors, name) : NULL;
	if (type)
		PyErr_SetString(type, text);
	Py_XDECREF(type);
	Py_XDECREF(errors);
	return NULL;
}

PyObject *danatext_raise(int status, const char *text)
{
	if (status == DANA_OUT_OF_MEMORY)
		return PyErr_NoMemory();
	return danatext_raise_as(class_of(status), text && *text ? text : dana_status_text(status));
}

PyObject *danatext_methods(PyObject *module, PyObject *args)
{
	(void)module;
	const Py_ssize_t n = (Py_ssize_t)dana_method_count();
	if (!PyArg_ParseTuple(args, ""))
		return NULL;
	PyObject *names = PyTuple_New(n);
	for (Py_ssize_t i = 0; names && i < n; i++) {
		PyObject *name = PyUnicode_FromString(dana_method_name((size_t)i));
		if (!name || PyTuple_SetItem(names, i, name) < 0)
			Py_CLEAR(names);
	}
	return names;
}
