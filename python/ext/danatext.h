/* SPDX-License-Identifier: MIT */
/*
 * The extension module danatext._dana: the calls of dana/archive.h as functions of Python. An object of C is a capsule;
 * the classes that users see are written in Python and hold one. Only the limited API is used, and no struct of an
 * object, so that one file serves CPython 3.9 and all later versions.
 *
 * Threads: what takes long runs without the interpreter's lock. A capsule that is in use by another thread raises
 * RuntimeError. No thread is started, and no file opened but tables of sites.
 */
#ifndef DANA_PYTHON_EXT_DANATEXT_H
#define DANA_PYTHON_EXT_DANATEXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dana/archive.h>

/*
 * These came to the limited API later, in the form that they have always had: every CPython from 3.9 on exports them,
 * and its struct of a buffer is this one.
 */
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
typedef struct {
	void *buf;
	PyObject *obj;
	Py_ssize_t len, itemsize;
	int readonly, ndim;
	char *format;
	Py_ssize_t *shape, *strides, *suboffsets;
	void *internal;
} Py_buffer;
PyAPI_FUNC(void) PyBuffer_Release(Py_buffer *view);
#endif
#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030A0000
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *unicode, Py_ssize_t *size);
#endif
#ifndef Py_NewRef /* a macro from 3.10 on */
static inline PyObject *danatext_new_ref(PyObject *object)
{
	Py_INCREF(object);
	return object;
}
#define Py_NewRef danatext_new_ref
#endif

/** Functions of the module; each is documented where it is defined. */
/* clang-format off */
#define DANATEXT_FUNCTIONS(X) \
	X(archive_push) X(archive_end) X(archive_next) X(archive_batch) X(archive_schema) \
	X(archive_seek_to) X(report_page) X(archive_counts) \
	X(archive_rejects) X(archive_place) X(archive_close) X(archive_drain) \
	X(archive_damaged) \
	X(site_table_open) X(site_learner_new) X(site_learner_finish) X(site_learner_pages) \
	X(site_merge) X(zip_entries) X(revisits_new) X(revisits_add) X(revisits_left_out) \
	X(page_read) X(page_column) X(page_column_schema) \
	X(methods) X(page_options) X(problem_words) X(field_names) X(stream_of) X(stream_schema) X(stream_next) X(sign)
/* clang-format on */
#define DECLARE(name) PyObject *danatext_##name(PyObject *module, PyObject *args);
DANATEXT_FUNCTIONS(DECLARE)
#undef DECLARE
PyObject *danatext_archive_new(PyObject *module, PyObject *args, PyObject *named);

/* ---- status.c ---- */

/** Sets the exception of a negative status: MemoryError, or one of danatext.errors. Returns NULL. */
PyObject *danatext_raise(int status, const char *text);
/** Sets an exception of danatext.errors, by the name of its class. Returns NULL. */
PyObject *danatext_raise_as(const char *name, const char *text);

/* ---- document.c ---- */

/**
 * Returns a new tuple of the fields, in the order of field_names, and then of `made_id`, `created`, `reason` and a
 * number with a bit for each field that the document has, be it null; NULL with an exception. A zeroed document has the
 * values of a page without text.
 */
PyObject *danatext_document(const struct dana_document *doc, const char *reason);
/** Returns None for NULL, else a text; bytes that are not UTF-8 become U+FFFD, as everywhere in dana. */
PyObject *danatext_text(const char *data, size_t len);

/* ---- archive.c ---- */

/** Returns the texts of a tuple, which keeps them; to be freed. NULL with an exception. */
const char **danatext_texts_of(PyObject *tuple, size_t *n);

/* ---- site.c ---- */

/** Returns what a capsule with a table or a learner is for an archive; the capsule owns it. NULL with an exception. */
const struct dana_site_table *danatext_site_table(PyObject *capsule);

/* ---- revisits.c ---- */

/** Returns the table in a capsule; NULL with an exception. */
const struct dana_revisits *danatext_revisits(PyObject *capsule);

/* ---- Arrow ---- */

/** Return new capsules, which own the struct until a consumer takes it; NULL with an exception, the struct released. */
PyObject *danatext_array_capsule(struct ArrowArray *array);
PyObject *danatext_schema_capsule(struct ArrowSchema *schema);

/* ---- the pool of readers ---- */

/** Prepares the pool for forks. Returns 0, or -1 with an exception. */
int danatext_pool_prepare(void);
/** Returns a reader of pages, as dana_page_reader_new does; without the interpreter's lock or with it. */
int danatext_pool_take(const struct dana_page_options *options, struct dana_page_reader **reader);
/** Gives it back for the next page with these options. */
void danatext_pool_give(const struct dana_page_options *options, struct dana_page_reader *reader);

#endif
