# SPDX-License-Identifier: MIT
"""Main content of web archives and pages: WARC or HTML in, text out.

``extract(html)`` returns the main text of a page. ``open(path)`` iterates over the documents of an archive. ``scan(paths)``
does so for many, as often as one likes, and is a table for pyarrow, polars, pandas and DuckDB. The work is done by the
library of the program ``dana``, without the interpreter's lock; texts and fields are those of ``dana filter``.
"""

from danatext._dana import VERSION as __version__
from danatext.archive import Archive, open
from danatext.document import Block, Document, Page, Reject
from danatext.errors import Error, OptionError, PluginError, UnknownCharset, UnknownMethod
from danatext.options import methods
from danatext.page import Column, extract, extract_column, extract_many
from danatext.scan import Scan, Split, scan
from danatext.signature import signatures

__all__ = [
    "Archive",
    "Block",
    "Column",
    "Document",
    "Error",
    "OptionError",
    "Page",
    "PluginError",
    "Reject",
    "Scan",
    "Split",
    "UnknownCharset",
    "UnknownMethod",
    "__version__",
    "extract",
    "extract_column",
    "extract_many",
    "methods",
    "open",
    "scan",
    "signatures",
]
