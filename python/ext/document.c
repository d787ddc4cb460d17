/* SPDX-License-Identifier: MIT */
/* Documents of C as tuples of Python. */
#include <stdint.h>
#include <string.h>

#include "danatext.h"

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

static PyObject *number(uint64_t value, int known)
{
	if (!known)
		Py_RETURN_NONE;
	return PyLong_FromUnsignedLongLong(value);
}

static PyObject *score(double value)
{
	if (value < 0)
		Py_RETURN_NONE;
	return PyFloat_FromDouble(value);
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

/* Steals the values. A value that is NULL, with an exception, makes the tuple NULL. */
static PyObject *tuple_of(PyObject **values, size_t n)
{
	PyObject *tuple = PyTuple_New((Py_ssize_t)n);
	for (size_t i = 0; i < n; i++) {
		if (!tuple || !values[i]) {
			Py_XDECREF(values[i]);
			Py_CLEAR(tuple);
		} else if (PyTuple_SetItem(tuple, (Py_ssize_t)i, values[i]) < 0) {
			Py_CLEAR(tuple);
		}
	}
	return tuple;
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

PyObject *danatext_page(const struct dana_document *doc)
{
	PyObject *values[] = { view(doc->text),
			       view(doc->title),
			       terminated(doc->charset),
			       terminated(doc->method),
			       number(doc->text_chars, 1),
			       number(doc->html_bytes, 1),
			       problems(doc->problems),
			       terminated(NULL),
			       view(doc->markdown),
			       view(doc->structure),
			       texts(doc) };
	return tuple_of(values, sizeof(values) / sizeof(*values));
}

PyObject *danatext_document(const struct dana_document *doc)
{
	PyObject *values[] = { view(doc->text),
			       view(doc->id),
			       view(doc->url),
			       view(doc->date),
			       view(doc->title),
			       view(doc->language),
			       score(doc->language_score),
			       terminated(doc->page_kind),
			       terminated(doc->charset),
			       number((uint64_t)doc->http_status, doc->http_status > 0),
			       view(doc->content_type),
			       terminated(doc->method),
			       terminated(doc->file),
			       number(doc->offset, 1),
			       number(doc->length, doc->length != UINT64_MAX),
			       number(doc->html_bytes, 1),
			       number(doc->text_chars, 1),
			       problems(doc->problems),
			       view(doc->markdown),
			       view(doc->structure),
			       texts(doc),
			       view(doc->html),
			       view(doc->additions),
			       terminated(doc->made_id),
			       terminated(doc->created),
			       PyBool_FromLong(doc->finds_language) };
	return tuple_of(values, sizeof(values) / sizeof(*values));
}

PyObject *danatext_problem_words(PyObject *module, PyObject *args)
{
	(void)module;
	if (!PyArg_ParseTuple(args, ""))
		return NULL;
	PyObject *words = PyList_New(0);
	for (unsigned bit = 0; words && dana_problem_word(bit); bit++) {
		PyObject *word = PyUnicode_FromString(dana_problem_word(bit));
		if (!word || PyList_Append(words, word) < 0)
			Py_CLEAR(words);
		Py_XDECREF(word);
	}
	return words;
}
