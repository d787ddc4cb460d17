# SPDX-License-Identifier: MIT
"""Hook of mkdocs: the pages hold the script that lets the search run from files, in place of one from the network."""

import pathlib

SHIM = (pathlib.Path(__file__).parent / "site_search.js").read_text(encoding="utf-8")


def on_post_page(output: str, **_: object) -> str:
    return output.replace('<script src="https://unpkg.com/iframe-worker/shim"></script>', f"<script>{SHIM}</script>")
