/* SPDX-License-Identifier: MIT */
/* Single pages, and columns of pages. The work runs without the interpreter's lock. */
#include "danatext.h"

/* Returns whether the status says something of the page, and nothing of the call. */
static int is_of_page(int status)
{
	return status == DANA_NOT_A_PAGE || status == DANA_LIMIT;
}

static PyObject *no_page(const char *reason)
{
	return Py_BuildValue("(sOOOiiNs)", "", Py_None, Py_None, Py_None, 0, 0, PyFrozenSet_New(NULL), reason);
}

static PyObject *raise_for_method(int status, const char *method)
{
	if (status != DANA_BAD_OPTION)
		return danatext_raise(status, NULL);
	char text[256];
	(void)PyOS_snprintf(
		text, sizeof(text),
		"method '%.100s' is unknown, or has a key or value that it does not take; danatext.methods() "
		"lists methods",
		method);
	return danatext_raise_as("UnknownMethod", text);
}

/* Gives the reader back; one that has no memory any more can only be freed. */
static void give_back(const char *method, struct dana_page_reader *reader, int status)
{
	if (status == DANA_OUT_OF_MEMORY)
		dana_page_reader_free(reader);
	else
		danatext_pool_give(method, reader);
}

static PyObject *unknown_charset(struct dana_view name)
{
	char text[200];
	(void)PyOS_snprintf(text, sizeof(text), "charset '%.100s' is unknown; expected a name of the web, as utf-8",
			    name.data);
	return danatext_raise_as("UnknownCharset", text);
}

static PyObject *result(int status, struct dana_page_reader *reader, const struct dana_page_source *from,
			const struct dana_document *doc)
{
	if (status == 0)
		return danatext_page(doc);
	if (is_of_page(status))
		return no_page(dana_page_error(reader));
	if (status == DANA_BAD_OPTION && from->charset.data)
		return unknown_charset(from->charset);
	return danatext_raise(status, dana_page_error(reader));
}

/* page_read(html, method, url, charset, content_type): a tuple, as danatext.Page. */
PyObject *danatext_page_read(PyObject *module, PyObject *args)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_page_source from = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
	struct dana_page_reader *reader;
	Py_ssize_t url_len, charset_len, type_len;
	const char *method;
	Py_buffer html;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "y*sz#z#z#", &html, &method, &from.url.data, &url_len, &from.charset.data,
			      &charset_len, &from.content_type.data, &type_len))
		return NULL;
	from.url.len = (size_t)url_len, from.charset.len = (size_t)charset_len;
	from.content_type.len = (size_t)type_len;
	Py_BEGIN_ALLOW_THREADS status = danatext_pool_take(method, &reader);
	if (reader)
		status = dana_page_read(reader, &from, html.buf, (size_t)html.len, &doc);
	Py_END_ALLOW_THREADS PyObject *page =
		reader ? result(status, reader, &from, &doc) : raise_for_method(status, method);
	if (reader)
		give_back(method, reader, status);
	PyBuffer_Release(&html);
	return page;
}

/* page_column(schema, array, method, charset, content_type): a capsule "arrow_array", row for row. */
PyObject *danatext_page_column(PyObject *module, PyObject *args)
{
	struct dana_page_source from = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
	struct dana_page_reader *reader;
	struct ArrowArray out;
	PyObject *schema, *array, *made = NULL;
	Py_ssize_t charset_len, type_len;
	const char *method;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "OOsz#z#", &schema, &array, &method, &from.charset.data, &charset_len,
			      &from.content_type.data, &type_len))
		return NULL;
	from.charset.len = (size_t)charset_len;
	from.content_type.len = (size_t)type_len;
	const struct ArrowSchema *of = PyCapsule_GetPointer(schema, "arrow_schema");
	const struct ArrowArray *pages = of ? PyCapsule_GetPointer(array, "arrow_array") : NULL;
	if (!pages)
		return NULL;
	Py_BEGIN_ALLOW_THREADS status = danatext_pool_take(method, &reader);
	if (reader)
		status = dana_page_column(reader, &from, of, pages, &out);
	Py_END_ALLOW_THREADS if (!reader) return raise_for_method(status, method);
	made = status == 0 ? danatext_array_capsule(&out) : danatext_raise(status, dana_page_error(reader));
	give_back(method, reader, status);
	return made;
}

/* page_column_schema(): a capsule "arrow_schema" of what page_column makes. */
PyObject *danatext_page_column_schema(PyObject *module, PyObject *args)
{
	struct ArrowSchema schema;
	(void)module;
	if (!PyArg_ParseTuple(args, ""))
		return NULL;
	const int status = dana_page_column_schema(&schema);
	return status < 0 ? danatext_raise(status, NULL) : danatext_schema_capsule(&schema);
}
