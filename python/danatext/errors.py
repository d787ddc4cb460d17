# SPDX-License-Identifier: MIT
"""The exceptions of danatext.

What an input holds never raises: damaged records are counted and skipped, pages without text have an empty one. Besides
these exceptions there are those of Python: ``OSError`` with the file's name for paths, what a file object raises,
``MemoryError``, ``ValueError`` for an archive that is closed, ``RuntimeError`` for one that another thread is using.
"""

__all__ = ["Error", "OptionError", "PluginError", "UnknownCharset", "UnknownMethod"]


class Error(Exception):
    """The base of all exceptions of danatext."""


class OptionError(Error, ValueError):
    """An option has a value that it does not take."""


class UnknownMethod(OptionError):
    """There is no such method, or it does not take that key or value."""


class UnknownCharset(OptionError):
    """There is no such charset."""


class PluginError(Error):
    """A plugin cannot be loaded, or failed."""
