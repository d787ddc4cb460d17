/* SPDX-License-Identifier: MIT */
/*
 * The module: its table of functions, and what happens when it is imported.
 */
#include <dana/signature.h>
#include <stdint.h>
#include <string.h>

#include "danatext.h"

/* Which exception a status of dana is. */

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

/* Documents of C as tuples of Python. */

PyObject *danatext_text(const char *data, size_t len)
{
	if (!data)
		Py_RETURN_NONE;
	return PyUnicode_DecodeUTF8(data, (Py_ssize_t)len, "replace");
}

static PyObject *view(struct dana_view v)
{
	return danatext_text(v.data, v.len);
}

static PyObject *terminated(const char *text)
{
	return danatext_text(text, text ? strlen(text) : 0);
}

/* The words of a set of problems; most documents have none. */
static PyObject *problems(unsigned set)
{
	PyObject *words = set ? PyList_New(0) : NULL;
	for (unsigned bit = 0; words && dana_problem_word(bit); bit++) {
		PyObject *word = set >> bit & 1 ? PyUnicode_InternFromString(dana_problem_word(bit)) : NULL;
		if (word && PyList_Append(words, word) < 0)
			Py_CLEAR(words);
		Py_XDECREF(word);
	}
	if (set && (!words || PyErr_Occurred())) {
		Py_XDECREF(words);
		return NULL;
	}
	PyObject *all = PyFrozenSet_New(words);
	Py_XDECREF(words);
	return all;
}

/* The texts of the methods after the first as a dict; None where there is one method. */
static PyObject *texts(const struct dana_document *doc)
{
	if (doc->n_texts == 0)
		Py_RETURN_NONE;
	PyObject *all = PyDict_New();
	for (size_t i = 0; all && i < doc->n_texts; i++) {
		PyObject *text = view(doc->texts[i].text);
		if (!text || PyDict_SetItemString(all, doc->texts[i].method, text) < 0)
			Py_CLEAR(all);
		Py_XDECREF(text);
	}
	return all;
}

static PyObject *field(const struct dana_document *doc, unsigned i, const struct dana_value *value)
{
	switch (value->is) {
	case DANA_VALUE_TEXT:
	case DANA_VALUE_JSON:
		return view(value->text);
	case DANA_VALUE_COUNT:
		return PyLong_FromUnsignedLongLong(value->count);
	case DANA_VALUE_REAL:
		return PyFloat_FromDouble(value->real);
	case DANA_VALUE_BOOLEAN:
		return PyBool_FromLong((long)value->count);
	case DANA_VALUE_MEMBER:
		if (strcmp(dana_field_name(i), "problems") == 0)
			return problems(doc->problems);
		if (strcmp(dana_field_name(i), "texts") == 0)
			return texts(doc);
		Py_RETURN_NONE; /* media: in JSON alone */
	case DANA_VALUE_NONE:
	case DANA_VALUE_NULL:
	default:
		Py_RETURN_NONE;
	}
}

enum { FIELDS_MOST = 64 };

/* Sets the values of a document. Returns a bit for each field that it has. */
static unsigned long long values_of(const struct dana_document *doc, struct dana_value values[FIELDS_MOST], unsigned *n)
{
	unsigned long long present = 0;
	*n = dana_document_values(doc, values, FIELDS_MOST);
	for (unsigned i = 0; i < *n; i++)
		present |= (unsigned long long)(values[i].is != DANA_VALUE_NONE) << i;
	return present;
}

PyObject *danatext_document(const struct dana_document *doc, const char *reason)
{
	struct dana_value values[FIELDS_MOST];
	unsigned n;
	const unsigned long long present = values_of(doc, values, &n);
	PyObject *const more[] = { terminated(doc->made_id), terminated(doc->created), terminated(reason),
				   PyLong_FromUnsignedLongLong(present) };
	const unsigned n_more = sizeof(more) / sizeof(*more);
	PyObject *tuple = PyTuple_New((Py_ssize_t)(n + n_more));
	for (unsigned i = 0; i < n + n_more; i++) {
		PyObject *value = i < n ? field(doc, i, &values[i]) : more[i - n];
		if (!tuple || !value) { /* with an exception */
			Py_XDECREF(value);
			Py_CLEAR(tuple);
		} else if (PyTuple_SetItem(tuple, (Py_ssize_t)i, value) < 0) {
			Py_CLEAR(tuple);
		}
	}
	return tuple;
}

/* page_options(): the list of the options of a page, in JSON. */
PyObject *danatext_page_options(PyObject *module, PyObject *args)
{
	(void)module;
	return PyArg_ParseTuple(args, "") ? PyUnicode_FromString(dana_page_option_list()) : NULL;
}

/* Texts by number, up to the first that does not exist. */
static PyObject *words_of(PyObject *args, const char *(*word_of)(unsigned i))
{
	if (!PyArg_ParseTuple(args, ""))
		return NULL;
	PyObject *words = PyList_New(0);
	for (unsigned i = 0; words && word_of(i); i++) {
		PyObject *word = PyUnicode_FromString(word_of(i));
		if (!word || PyList_Append(words, word) < 0)
			Py_CLEAR(words);
		Py_XDECREF(word);
	}
	return words;
}

PyObject *danatext_problem_words(PyObject *module, PyObject *args)
{
	(void)module;
	return words_of(args, dana_problem_word);
}

PyObject *danatext_field_names(PyObject *module, PyObject *args)
{
	(void)module;
	return words_of(args, dana_field_name);
}

/* Signatures of texts. The work runs without the interpreter's lock. */

/* Where the signatures of all texts go, one after the other. */
struct places {
	char *lowest, *buckets, *signed_;
};

/* Signs text number i; -1 with an exception. None has no signature. */
static int sign_one(struct dana_signer *signer, PyObject *text, Py_ssize_t i, unsigned bands, unsigned rows,
		    const struct places *to)
{
	struct dana_signature signature;
	Py_ssize_t len;
	int status;
	if (text == Py_None)
		return 0;
	const char *bytes = PyUnicode_AsUTF8AndSize(text, &len);
	if (!bytes)
		return -1;
	Py_BEGIN_ALLOW_THREADS
	status = dana_signer_text(signer, bytes, (size_t)len, &signature);
	Py_END_ALLOW_THREADS
	if (status < 0) {
		(void)danatext_raise(status, NULL);
		return -1;
	}
	to->signed_[i] = (char)status;
	memcpy(to->lowest + (size_t)i * bands * rows, signature.lowest, (size_t)bands * rows);
	memcpy(to->buckets + (size_t)i * bands * sizeof(uint64_t), signature.buckets, bands * sizeof(uint64_t));
	return 0;
}

static int sign_all(PyObject *texts, Py_ssize_t n, unsigned bands, unsigned rows, const struct places *to)
{
	struct dana_signer *signer;
	int status = dana_signer_new(&signer, bands, rows);
	if (status < 0) {
		(void)danatext_raise(
			status, status == DANA_BAD_OPTION ? "expected bands and rows of at most 128 numbers" : NULL);
		return -1;
	}
	for (Py_ssize_t i = 0; i < n && status >= 0; i++) {
		PyObject *text = PySequence_GetItem(texts, i);
		status = text ? sign_one(signer, text, i, bands, rows, to) : -1;
		Py_XDECREF(text);
	}
	dana_signer_free(signer);
	return status;
}

/*
 * sign(texts, bands, rows): bytes of the lowest bytes, of the buckets as 64-bit numbers of this machine, and of a 1 for
 * each text that has words.
 */
PyObject *danatext_sign(PyObject *module, PyObject *args)
{
	unsigned bands, rows;
	PyObject *texts, *made = NULL;
	(void)module;
	if (!PyArg_ParseTuple(args, "OII", &texts, &bands, &rows))
		return NULL;
	const Py_ssize_t n = PySequence_Size(texts);
	if (n < 0 || bands > DANA_SIGNATURE_MOST || rows > DANA_SIGNATURE_MOST)
		return n < 0 ? NULL : danatext_raise(DANA_BAD_OPTION, "expected bands and rows of at most 128 numbers");
	PyObject *lowest = PyBytes_FromStringAndSize(NULL, n * (Py_ssize_t)(bands * rows));
	PyObject *buckets = PyBytes_FromStringAndSize(NULL, n * (Py_ssize_t)(bands * sizeof(uint64_t)));
	PyObject *with_words = PyBytes_FromStringAndSize(NULL, n);
	if (lowest && buckets && with_words) {
		const struct places to = { PyBytes_AsString(lowest), PyBytes_AsString(buckets),
					   PyBytes_AsString(with_words) };
		memset(to.lowest, 0, (size_t)PyBytes_Size(lowest));
		memset(to.buckets, 0, (size_t)PyBytes_Size(buckets));
		memset(to.signed_, 0, (size_t)n);
		if (sign_all(texts, n, bands, rows, &to) == 0)
			made = Py_BuildValue("(OOO)", lowest, buckets, with_words);
	}
	Py_XDECREF(lowest);
	Py_XDECREF(buckets);
	Py_XDECREF(with_words);
	return made;
}

#define ROW(name) { #name, danatext_##name, METH_VARARGS, NULL },

static PyMethodDef functions[] = { DANATEXT_FUNCTIONS(ROW){ "archive_new",
							    (PyCFunction)(void (*)(void))danatext_archive_new,
							    METH_VARARGS | METH_KEYWORDS, NULL },
				   { NULL, NULL, 0, NULL } };

static int constants(PyObject *module)
{
	struct dana_value values[FIELDS_MOST];
	unsigned n;
	const struct {
		const char *name;
		long value;
	} rows[] = { { "HUNGRY", DANA_ARCHIVE_HUNGRY },   { "SEEK", DANA_ARCHIVE_SEEK },
		     { "OVER", DANA_ARCHIVE_OVER },       { "PAUSED", DANA_ARCHIVE_PAUSED },
		     { "WANT_HTML", DANA_WANT_HTML },     { "REQUIRE_DIGEST", DANA_REQUIRE_DIGEST },
		     { "TAKE_EMPTY", DANA_TAKE_EMPTY },   { "KEEP_REJECTS", DANA_KEEP_REJECTS },
		     { "KEEP_REPORT", DANA_KEEP_REPORT }, { "CHECK_DIGESTS", DANA_CHECK_DIGESTS },
		     { "NO_DIGEST", DANA_NO_DIGEST },     { "ALWAYS", (long)values_of(NULL, values, &n) } };
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
