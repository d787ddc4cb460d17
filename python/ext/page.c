/* SPDX-License-Identifier: MIT */
/*
 * Single pages, and columns of pages. The work runs without the interpreter's lock.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "danatext.h"

/*
 * Readers of pages that wait for their next page, so that a page costs no set-up. A process that forks holds the lock
 * while it does, so that the child finds the pool whole; readers that other threads were using are lost to the child.
 */

enum { IDLE = 16 }; /* readers kept */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static int fault;

static struct idle {
	char *key;
	struct dana_page_reader *reader;
} idle[IDLE];

static size_t n_idle;

static void hold(void)
{
	(void)pthread_mutex_lock(&lock);
}

static void let_go(void)
{
	(void)pthread_mutex_unlock(&lock);
}

static void on_fork(void)
{
	fault = pthread_atfork(hold, let_go, let_go);
}

int danatext_pool_prepare(void)
{
	(void)pthread_once(&once, on_fork);
	if (fault)
		PyErr_NoMemory();
	return fault ? -1 : 0;
}

static struct idle remove_idle(size_t i)
{
	const struct idle taken = idle[i];
	n_idle--;
	memmove(&idle[i], &idle[i + 1], (n_idle - i) * sizeof(*idle));
	return taken;
}

/* The options as one text; to be freed. NULL: no memory. */
static char *key_of(const struct dana_page_options *options)
{
	const struct {
		const char *const *texts;
		size_t n;
		char mark; /* after each text */
	} lists[] = { { &options->method, 1, '\1' },
		      { options->more_methods, options->n_more_methods, '\1' },
		      { options->plugins, options->n_plugins, '\2' },
		      { options->options, options->n_options, '\3' } };
	size_t size = 1, len = 0;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		for (size_t k = 0; k < lists[i].n; k++)
			size += strlen(lists[i].texts[k]) + 1;
	}
	char *key = malloc(size);
	for (size_t i = 0; key && i < sizeof(lists) / sizeof(*lists); i++) {
		for (size_t k = 0; k < lists[i].n; k++)
			len += (size_t)snprintf(key + len, size - len, "%s%c", lists[i].texts[k], lists[i].mark);
	}
	return key;
}

int danatext_pool_take(const struct dana_page_options *options, struct dana_page_reader **reader)
{
	struct idle found = { NULL, NULL };
	char *key = key_of(options);
	*reader = NULL;
	if (!key)
		return DANA_OUT_OF_MEMORY;
	hold();
	for (size_t i = n_idle; i-- > 0 && !found.reader;) {
		if (strcmp(idle[i].key, key) == 0)
			found = remove_idle(i);
	}
	let_go();
	free(found.key);
	free(key);
	*reader = found.reader;
	return found.reader ? 0 : dana_page_reader_new(reader, options);
}

void danatext_pool_give(const struct dana_page_options *options, struct dana_page_reader *reader)
{
	struct idle old = { NULL, NULL };
	char *key = key_of(options);
	if (!key) {
		dana_page_reader_free(reader);
		return;
	}
	hold();
	if (n_idle == IDLE)
		old = remove_idle(0);
	idle[n_idle++] = (struct idle){ key, reader };
	let_go();
	free(old.key);
	dana_page_reader_free(old.reader);
}

/* Returns the method that is refused, which may be one after the first. */
static const char *refused(const struct dana_page_options *o)
{
	for (size_t i = 0; i < o->n_more_methods; i++) {
		const struct dana_page_options one = { .struct_size = sizeof(one), .method = o->more_methods[i] };
		struct dana_page_reader *reader;
		if (dana_page_reader_new(&reader, &one) == DANA_BAD_OPTION)
			return one.method;
		dana_page_reader_free(reader);
	}
	return o->method;
}

/*
 * Takes the methods from a tuple that is not empty, the plugins, and the options of a page. Returns false with an
 * exception; else free_lists is to be called.
 */
static bool take_lists(struct dana_page_options *o, PyObject *methods, PyObject *plugins, PyObject *options)
{
	size_t n;
	const char **list = danatext_texts_of(methods, &n);
	if (!list)
		return false;
	o->method = list[0], o->more_methods = list + 1, o->n_more_methods = n - 1;
	o->plugins = danatext_texts_of(plugins, &o->n_plugins);
	o->options = o->plugins ? danatext_texts_of(options, &o->n_options) : NULL;
	if (!o->options) {
		free((void *)o->plugins);
		free(list);
	}
	return o->options;
}

static void free_lists(const struct dana_page_options *o)
{
	free((void *)(o->more_methods - 1));
	free((void *)o->plugins);
	free((void *)o->options);
}

static PyObject *raise_for_options(int status, const struct dana_page_options *o)
{
	char text[500];
	if (status != DANA_BAD_OPTION || *o->error)
		return danatext_raise(status, o->error);
	(void)PyOS_snprintf(text, sizeof(text), "method '%.100s' has a key or value that it does not take", refused(o));
	return danatext_raise_as("UnknownMethod", text);
}

/* Gives the reader back; one that has no memory any more can only be freed. */
static void give_back(const struct dana_page_options *options, struct dana_page_reader *reader, int status)
{
	if (status == DANA_OUT_OF_MEMORY)
		dana_page_reader_free(reader);
	else
		danatext_pool_give(options, reader);
}

static PyObject *result(int status, struct dana_page_reader *reader, const struct dana_page_source *from,
			const struct dana_document *doc)
{
	if (status == 0)
		return danatext_document(doc, NULL);
	if (status == DANA_NOT_A_PAGE || status == DANA_LIMIT || status == DANA_PAGE_DROPPED) {
		const struct dana_document unread = { .struct_size = sizeof(unread) };
		return danatext_document(&unread, dana_page_error(reader));
	}
	if (status == DANA_BAD_OPTION && from->charset.data) {
		const struct dana_view name = from->charset;
		char text[200];
		(void)PyOS_snprintf(text, sizeof(text),
				    "charset '%.100s' is unknown; expected a name of the web, as utf-8", name.data);
		return danatext_raise_as("UnknownCharset", text);
	}
	return danatext_raise(status, dana_page_error(reader));
}

/* page_read(html, methods, plugins, options, url, charset, content_type): a tuple, as danatext_document makes it. */
PyObject *danatext_page_read(PyObject *module, PyObject *args)
{
	struct dana_document doc = { .struct_size = sizeof(doc) };
	struct dana_page_source from = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
	char why[1024] = "";
	struct dana_page_options o = { .struct_size = sizeof(o), .error = why, .error_size = sizeof(why) };
	struct dana_page_reader *reader;
	PyObject *methods, *plugins, *options;
	Py_ssize_t url_len, charset_len, type_len;
	Py_buffer html;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "y*O!O!O!z#z#z#", &html, &PyTuple_Type, &methods, &PyTuple_Type, &plugins,
			      &PyTuple_Type, &options, &from.url.data, &url_len, &from.charset.data, &charset_len,
			      &from.content_type.data, &type_len))
		return NULL;
	if (!take_lists(&o, methods, plugins, options)) {
		PyBuffer_Release(&html);
		return NULL;
	}
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
	free_lists(&o);
	PyBuffer_Release(&html);
	return page;
}

/* page_column(schema, array, methods, plugins, options, charset, content_type): a capsule "arrow_array". */
PyObject *danatext_page_column(PyObject *module, PyObject *args)
{
	struct dana_page_source from = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
	char why[1024] = "";
	struct dana_page_options o = { .struct_size = sizeof(o), .error = why, .error_size = sizeof(why) };
	struct dana_page_reader *reader;
	struct ArrowArray out;
	PyObject *schema, *array, *methods, *plugins, *options, *made;
	Py_ssize_t charset_len, type_len;
	int status;
	(void)module;
	if (!PyArg_ParseTuple(args, "OOO!O!O!z#z#", &schema, &array, &PyTuple_Type, &methods, &PyTuple_Type, &plugins,
			      &PyTuple_Type, &options, &from.charset.data, &charset_len, &from.content_type.data,
			      &type_len))
		return NULL;
	from.charset.len = (size_t)charset_len;
	from.content_type.len = (size_t)type_len;
	const struct ArrowSchema *of = PyCapsule_GetPointer(schema, "arrow_schema");
	const struct ArrowArray *pages = of ? PyCapsule_GetPointer(array, "arrow_array") : NULL;
	if (!pages || !take_lists(&o, methods, plugins, options))
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	status = danatext_pool_take(&o, &reader);
	if (reader)
		status = dana_page_column(reader, &from, of, pages, &out);
	Py_END_ALLOW_THREADS
	if (!reader)
		made = raise_for_options(status, &o);
	else
		made = status == 0 ? danatext_array_capsule(&out) : danatext_raise(status, dana_page_error(reader));
	if (reader)
		give_back(&o, reader, status);
	free_lists(&o);
	return made;
}

/* page_column_schema(methods, plugins, options): a capsule "arrow_schema" of what page_column makes. */
PyObject *danatext_page_column_schema(PyObject *module, PyObject *args)
{
	char why[1024] = "";
	struct dana_page_options o = { .struct_size = sizeof(o), .error = why, .error_size = sizeof(why) };
	struct dana_page_reader *reader;
	struct ArrowSchema schema;
	PyObject *methods, *plugins, *options, *made;
	(void)module;
	if (!PyArg_ParseTuple(args, "O!O!O!", &PyTuple_Type, &methods, &PyTuple_Type, &plugins, &PyTuple_Type,
			      &options))
		return NULL;
	if (!take_lists(&o, methods, plugins, options))
		return NULL;
	int status = danatext_pool_take(&o, &reader);
	if (reader) {
		status = dana_page_column_schema(reader, &schema);
		give_back(&o, reader, status);
		made = status < 0 ? danatext_raise(status, NULL) : danatext_schema_capsule(&schema);
	} else {
		made = raise_for_options(status, &o);
	}
	free_lists(&o);
	return made;
}
