# SPDX-License-Identifier: MIT
"""The report of a scan: what came in, what came out, and why not."""

import html as escapes
import os
from typing import TYPE_CHECKING, Any, Sequence

from danatext import _dana
from danatext.document import parsed

if TYPE_CHECKING:
    from danatext.archive import Archive

__all__ = ["Report"]


class Report:
    """The page of ``dana filter --report``, made by `danatext.Scan.report`. A notebook shows it.

    * ``html``: the page, a whole file that loads nothing and has no script
    """

    def __init__(self, html: str):
        self.html = html

    def __repr__(self) -> str:
        return f"<danatext.Report of {len(self.html)} characters; save(path) writes it>"

    def _repr_html_(self) -> str:
        # a document of its own: its style is not the notebook's, and it runs nothing
        page = escapes.escape(self.html)
        return f'<iframe sandbox title="Report of a run" srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Write the page to a file."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.html)


def report_of(archives: "Sequence[Archive]") -> Report:
    """The report of archives of one run, in order, of which each continues the one before."""
    from json import dumps

    sums: "dict[str, Any]" = {}
    report = None
    for archive in archives:
        counts, last = archive._sums()
        add(sums, counts)
        report = last or report  # what the one before had, and its own
    return Report(_dana.report_page(dumps({**sums, "report": report})))


def add(sums: "dict[str, Any]", counts: "dict[str, Any]") -> None:
    """Add counters to sums, member by member."""
    for name, count in counts.items():
        if isinstance(count, dict):
            add(sums.setdefault(name, {}), count)
        else:
            sums[name] = sums.get(name, 0) + count


def counters(json: str) -> "tuple[dict[str, Any], Any]":
    """The counters of the library's JSON, and what is in it for a report, or None."""
    counts: "dict[str, Any]" = parsed(json)
    report = counts.pop("report", None)
    return counts, report
