# SPDX-License-Identifier: MIT
"""The field that the recipe adds is in documents, pages, and columns of both."""

import ctypes
import sys

import danatext
from danatext import _dana


class Schema(ctypes.Structure):
    """ArrowSchema of the C data interface."""


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
]


def names(capsule: object) -> "list[str]":
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.POINTER(Schema), [ctypes.py_object, ctypes.c_char_p]
    schema = pointer_of(capsule, b"arrow_schema").contents
    return [schema.children[i].contents.name.decode() for i in range(schema.n)]


page = danatext.extract("<p>caf\u00e9", method="plain")
assert page.text_bytes == page.asdict()["text_bytes"] == 5, page
unread = danatext.extract(b"\x89PNG\r\n\x1a\n")
assert unread.text_bytes == 0 and list(unread.asdict())[7:9] == ["text_bytes", "truncated"], unread.asdict()
for document in danatext.open(sys.argv[1]):
    assert document.text_bytes == len(document.text.encode()) == document.asdict()["text_bytes"] > 0, document
assert "text_bytes" in names(_dana.page_column_schema(("plain",), (), 0, None, None, None))
assert "text_bytes" in names(danatext.scan(sys.argv[1]).__arrow_c_schema__())
