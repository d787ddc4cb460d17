# SPDX-License-Identifier: MIT
"""Main content of web archives and pages: WARC or HTML in, text out.

``extract(html)`` returns the main text of a page. ``open(path)`` iterates over the documents of an archive. ``scan(paths)``
does so for many, as often as one likes, and is a table for pyarrow, polars, pandas and DuckDB. The work is done by the
library of the program ``dana``, without the interpreter's lock; texts and fields are the same as in ``dana filter``.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from danatext import paths as paths
    from danatext import signature as signature
    from danatext._dana import VERSION as __version__
    from danatext.archive import Archive, open
    from danatext.document import Block, Document, Page, Reject
    from danatext.errors import Error, NotAnArchive, NotAPage, OptionError, PluginError, UnknownCharset, UnknownMethod
    from danatext.options import methods
    from danatext.page import Column, extract, extract_column, extract_many
    from danatext.scans import Rows, Scan, Split, scan
    from danatext.signature import signatures
    from danatext.site import learn_site, merge_sites
    from danatext.web import Fetched, fetch

__all__ = [
    "Archive",
    "Block",
    "Column",
    "Document",
    "Error",
    "Fetched",
    "NotAPage",
    "NotAnArchive",
    "OptionError",
    "Page",
    "PluginError",
    "Reject",
    "Report",
    "Rows",
    "Scan",
    "Split",
    "UnknownCharset",
    "UnknownMethod",
    "__version__",
    "extract",
    "extract_column",
    "extract_many",
    "fetch",
    "learn_site",
    "merge_sites",
    "methods",
    "open",
    "scan",
    "signatures",
]

# Where each name is. It is imported when it is asked for first, so that the import of the package costs next to nothing.
_MODULES = {
    "_dana": ("VERSION",),
    "archive": ("Archive", "open"),
    "document": ("Block", "Document", "Page", "Reject"),
    "errors": ("Error", "NotAPage", "NotAnArchive", "OptionError", "PluginError", "UnknownCharset", "UnknownMethod"),
    "options": ("methods",),
    "page": ("Column", "extract", "extract_column", "extract_many"),
    "report": ("Report",),
    "scans": ("Rows", "Scan", "Split", "scan"),
    "signature": ("signatures",),
    "site": ("learn_site", "merge_sites"),
    "web": ("Fetched", "fetch"),
}


def __getattr__(name: str) -> object:
    wanted = "VERSION" if name == "__version__" else name
    for module, names in _MODULES.items():
        if wanted in names:
            from importlib import import_module

            value = globals()[name] = getattr(import_module(f"danatext.{module}"), wanted)
            return value
    if name in ("paths", "signature"):  # modules that a program calls by their name
        from importlib import import_module

        return import_module(f"danatext.{name}")
    raise AttributeError(f"module 'danatext' has no attribute {name!r}")


def __dir__() -> "list[str]":
    return sorted({*globals(), *__all__})
