/* SPDX-License-Identifier: MIT */
/* The structs of Arrow in capsules, as Arrow's PyCapsule interface has them. A struct without `release` was taken. */
#include <stdlib.h>

#include "danatext.h"

#define DESTROY(function, type, name) \
	static void function(PyObject *capsule) \
	{ \
		type *held = PyCapsule_GetPointer(capsule, name); \
		if (held->release) \
			held->release(held); \
		free(held); \
	}
DESTROY(destroy_array, struct ArrowArray, "arrow_array")
DESTROY(destroy_schema, struct ArrowSchema, "arrow_schema")

PyObject *danatext_array_capsule(struct ArrowArray *array)
{
	struct ArrowArray *held = malloc(sizeof(*held));
	PyObject *capsule = held ? PyCapsule_New(held, "arrow_array", destroy_array) : PyErr_NoMemory();
	if (capsule) {
		*held = *array;
		return capsule;
	}
	free(held);
	array->release(array);
	return NULL;
}

PyObject *danatext_schema_capsule(struct ArrowSchema *schema)
{
	struct ArrowSchema *held = malloc(sizeof(*held));
	PyObject *capsule = held ? PyCapsule_New(held, "arrow_schema", destroy_schema) : PyErr_NoMemory();
	if (capsule) {
		*held = *schema;
		return capsule;
	}
	free(held);
	schema->release(schema);
	return NULL;
}
