# SPDX-License-Identifier: MIT
"""The exceptions of danatext.

What an archive or a page holds never raises: damaged records are counted and skipped, pages without text have an empty
one. What is no archive at all, and the name of a page in place of the page, do. Python's own exceptions are raised, too: ``OSError`` with the file's name for paths, what a file object raises,
``MemoryError``, ``ValueError`` for an archive that is closed, ``RuntimeError`` for one that another thread is using.
"""

__all__ = ["Error", "NotAPage", "NotAnArchive", "OptionError", "PluginError", "UnknownCharset", "UnknownMethod"]


class Error(Exception):
    """The base of all exceptions of danatext."""


class OptionError(Error, ValueError):
    """An option has a value that it does not take."""


class UnknownMethod(OptionError):
    """There is no such method, or it does not take that key or value."""


class UnknownCharset(OptionError):
    """There is no such charset."""


class NotAnArchive(Error, ValueError):
    """There is no record of WARC or ARC in the whole input; the message has what was found, and what to call for it."""


class NotAPage(Error, ValueError):
    """A page was expected, and there is the URL or the file name of one; the message has what to call."""


class PluginError(Error):
    """A plugin cannot be loaded, or failed."""
