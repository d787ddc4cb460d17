# SPDX-License-Identifier: MIT
"""MinHash signatures of texts, by which near-duplicates are found, as in the plugin ``dedup-near``."""

from typing import Any

from danatext import _dana

__all__ = ["signatures", "similarity"]

BANDS, ROWS = 14, 8


def signatures(texts: Any, *, bands: int = BANDS, rows: int = ROWS) -> Any:
    """The signatures of texts, as a column of pyarrow, row for row.

    `texts` is a column of pyarrow, or a sequence of ``str`` and ``None``. A row has ``buckets``, a number for each band,
    and ``lowest``, the lowest byte of each number of the signature; it is null for a text without words. Two texts that
    have a bucket of the same band in common are candidates; `similarity` estimates how much they have in common.
    doc/DEDUP.md describes how all of it is computed.
    """
    import pyarrow

    if hasattr(texts, "to_pylist"):
        texts = texts.to_pylist()
    n = len(texts)
    lowest, buckets, signed = _dana.sign(texts, bands, rows)
    width = pyarrow.binary(bands * rows)
    numbers = pyarrow.Array.from_buffers(pyarrow.int64(), n * bands, [None, pyarrow.py_buffer(buckets)])
    offsets = pyarrow.array(range(0, (n + 1) * bands, bands), pyarrow.int32())
    return pyarrow.StructArray.from_arrays(
        [
            pyarrow.ListArray.from_arrays(offsets, numbers),
            pyarrow.Array.from_buffers(width, n, [None, pyarrow.py_buffer(lowest)]),
        ],
        names=["buckets", "lowest"],
        mask=pyarrow.array([not one for one in signed], pyarrow.bool_()),
    )


def similarity(a: bytes, b: bytes) -> float:
    """How similar two texts are, from 0 to 1, estimated from their ``lowest``; below 0 if they have less in common than
    chance gives."""
    if len(a) != len(b):
        raise ValueError(f"expected two signatures of one length; these have {len(a)} and {len(b)} bytes")
    equal = sum(x == y for x, y in zip(a, b)) / len(a)
    return (equal - 1 / 256) / (1 - 1 / 256)
