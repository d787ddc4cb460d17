# SPDX-License-Identifier: MIT
"""The fields that the recipe adds are in documents, pages, and columns of both; its option is a keyword."""

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


def columns(capsule: object) -> "dict[str, bytes]":
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.POINTER(Schema), [ctypes.py_object, ctypes.c_char_p]
    schema = pointer_of(capsule, b"arrow_schema").contents
    children = [schema.children[i].contents for i in range(schema.n)]
    return {child.name.decode(): child.format for child in children}


page = danatext.extract("<p>caf\u00e9", method="plain")
assert page.text_bytes == page.asdict()["text_bytes"] == 5, page
unread = danatext.extract(b"\x89PNG\r\n\x1a\n")
assert unread.text_bytes == 0 and list(unread.asdict())[7:9] == ["text_bytes", "truncated"], unread.asdict()
assert page.markdown_bytes is None and "markdown_bytes" not in page.asdict(), page
page = danatext.extract("<h1>Heading</h1><p>caf\u00e9", method="plain", text="plain,markdown", heads="drop")
assert page.text == "caf\u00e9" and page.markdown_bytes == page.asdict()["markdown_bytes"] == 5, page
for document in danatext.open(sys.argv[1]):
    assert document.text_bytes == len(document.text.encode()) == document.asdict()["text_bytes"] > 0, document
for document in danatext.open(sys.argv[1], text="markdown", heads="drop"):
    assert document.markdown_bytes == len(document.markdown.encode()) == document.asdict()["markdown_bytes"] > 0, document
with_markdown = ("text=plain,markdown",)
assert columns(_dana.page_column_schema(("plain",), (), ()))["text_bytes"] == b"l"
assert "markdown_bytes" not in columns(_dana.page_column_schema(("plain",), (), ()))
assert columns(_dana.page_column_schema(("plain",), (), with_markdown))["markdown_bytes"] == b"l"
assert columns(danatext.scan(sys.argv[1]).__arrow_c_schema__())["text_bytes"] == b"l"
assert columns(danatext.scan(sys.argv[1], text="markdown").__arrow_c_schema__())["markdown_bytes"] == b"l"
