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
	return Py_BuildValue("(sOOOiiNsOO)", "", Py_None, Py_None, Py_None, 0, 0, PyFrozenSet_New(NULL), reason,
			     Py_None, Py_None);
}

static PyObject *raise_for_options(int status, const struct dana_page_options *o)
{
	char text[400];
	if (status != DANA_BAD_OPTION)
		return danatext_raise(status, NULL);
	if (o->structure)
		(void)PyOS_snprintf(
			text, sizeof(text),
			"method '%.100s' gives no Markdown and no blocks, or has a key or value that it does not "
			"take, as may have markdown '%.100s'",
			o->method, o->markdown ? o->markdown : "");
	else
		(void)PyOS_snprintf(text, sizeof(text), "method '%.100s' has a key or value that it does not take",
				    o->method);
	return danatext_raise_as(o->structure ? "OptionError" : "UnknownMethod", text);
}

/* Gives the reader back; one that has no memory any more can only be freed. */
static void give_back(const struct dana_page_options *options, struct dana_page_reader *reader, int status)
{
	if (status == DANA_OUT_OF_MEMORY)
		dana_page_reader_free(reader);
	else
		danatext_pool_give(options, reader);
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

/* page_read(html, method, structure, markdown, url, charset, content_type): a tuple, as danatext.Page. */
PyObject *danatext_page_read(PyObject *module, PyObject *args)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_page_source from = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
	struct dana_page_options o = { .struct_size = sizeof(o) };
	struct dana_page_reader *reader;
	Py_ssize_t url_len, charset_len, type_len;
	Py_buffer html;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "y*sIzz#z#z#", &html, &o.method, &o.structure, &o.markdown, &from.url.data,
			      &url_len, &from.charset.data, &charset_len, &from.content_type.data, &type_len))
		return NULL;
	from.url.len = (size_t)url_len, from.charset.len = (size_t)charset_len;
	from.content_type.len = (size_t)type_len;
	Py_BEGIN_ALLOW_THREADS
	status = danatext_pool_take(&o, &reader);
	if (reader)
		status = dana_page_read(reader, &from, html.buf, (size_t)html.len, &doc);
	Py_END_ALLOW_THREADS
	PyObject *page = reader ? result(status, reader, &from, &doc) : raise_for_options(status, &o);
	if (reader)
		give_back(&o, reader, status);
	PyBuffer_Release(&html);
	return page;
}

/* page_column(schema, array, method, structure, markdown, charset, content_type): a capsule "arrow_array". */
PyObject *danatext_page_column(PyObject *module, PyObject *args)
{
	struct dana_page_source from = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
	struct dana_page_options o = { .struct_size = sizeof(o) };
	struct dana_page_reader *reader;
	struct ArrowArray out;
	PyObject *schema, *array;
	Py_ssize_t charset_len, type_len;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "OOsIzz#z#", &schema, &array, &o.method, &o.structure, &o.markdown,
			      &from.charset.data, &charset_len, &from.content_type.data, &type_len))
		return NULL;
	from.charset.len = (size_t)charset_len;
	from.content_type.len = (size_t)type_len;
	const struct ArrowSchema *of = PyCapsule_GetPointer(schema, "arrow_schema");
	const struct ArrowArray *pages = of ? PyCapsule_GetPointer(array, "arrow_array") : NULL;
	if (!pages)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = danatext_pool_take(&o, &reader);
	if (reader)
		status = dana_page_column(reader, &from, of, pages, &out);
	Py_END_ALLOW_THREADS
	if (!reader)
		return raise_for_options(status, &o);
	PyObject *made = status == 0 ? danatext_array_capsule(&out) : danatext_raise(status, dana_page_error(reader));
	give_back(&o, reader, status);
	return made;
}

/* page_column_schema(method, structure, markdown): a capsule "arrow_schema" of what page_column makes. */
PyObject *danatext_page_column_schema(PyObject *module, PyObject *args)
{
	struct dana_page_options o = { .struct_size = sizeof(o) };
	struct dana_page_reader *reader;
	struct ArrowSchema schema;
	(void)module;
	if (!PyArg_ParseTuple(args, "sIz", &o.method, &o.structure, &o.markdown))
		return NULL;
	int status = danatext_pool_take(&o, &reader);
	if (!reader)
		return raise_for_options(status, &o);
	status = dana_page_column_schema(reader, &schema);
	give_back(&o, reader, status);
	return status < 0 ? danatext_raise(status, NULL) : danatext_schema_capsule(&schema);
}
