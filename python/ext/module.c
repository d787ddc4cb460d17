/* SPDX-License-Identifier: MIT */
/* The module: its table of functions, and what happens when it is imported. */
#include "danatext.h"

#define ROW(name) { #name, danatext_##name, METH_VARARGS, NULL },
static PyMethodDef functions[] = { DANATEXT_FUNCTIONS(ROW){ NULL, NULL, 0, NULL } };

static int constants(PyObject *module)
{
	static const struct {
		const char *name;
		long value;
	} rows[] = { { "HUNGRY", DANA_ARCHIVE_HUNGRY },
		     { "SEEK", DANA_ARCHIVE_SEEK },
		     { "OVER", DANA_ARCHIVE_OVER },
		     { "PAUSED", DANA_ARCHIVE_PAUSED },
		     { "WANT_HTML", DANA_WANT_HTML },
		     { "REQUIRE_DIGEST", DANA_REQUIRE_DIGEST },
		     { "TAKE_EMPTY", DANA_TAKE_EMPTY },
		     { "KEEP_REJECTS", DANA_KEEP_REJECTS },
		     { "CHECK_DIGESTS", DANA_CHECK_DIGESTS },
		     { "NO_DIGEST", DANA_NO_DIGEST },
		     { "MARKDOWN", DANA_MARKDOWN },
		     { "BLOCKS", DANA_BLOCKS },
		     { "DROPPED", DANA_DROPPED } };
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (PyModule_AddIntConstant(module, rows[i].name, rows[i].value) < 0)
			return -1;
	}
	return PyModule_AddStringConstant(module, "VERSION", dana_version());
}

static int execute(PyObject *module)
{
	return constants(module) < 0 ? -1 : danatext_pool_prepare();
}

/* The module has no state: its objects belong to their users, and the pool to the process. */
static PyModuleDef_Slot slots[] = { { Py_mod_exec, execute },
#ifdef Py_GIL_DISABLED
				    { Py_mod_gil, Py_MOD_GIL_NOT_USED },
#endif
				    { 0, NULL } };

static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT, .m_name = "danatext._dana",
					 .m_doc = "The archive library of dana; use the package danatext.",
					 .m_methods = functions, .m_slots = slots };

PyMODINIT_FUNC PyInit__dana(void)
{
	return PyModuleDef_Init(&definition);
}
