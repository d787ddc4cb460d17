/* SPDX-License-Identifier: MIT */
/* Signatures of texts. The work runs without the interpreter's lock. */
#include <dana/signature.h>
#include <string.h>

#include "danatext.h"

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
