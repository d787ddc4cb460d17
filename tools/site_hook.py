# SPDX-License-Identifier: MIT
"""Hook of mkdocs: the pages hold the script that lets the search run from files, in place of one from the network.

Names in tables are not broken within a word where there is room.
"""

import pathlib

SHIM = (pathlib.Path(__file__).parent / "site_search.js").read_text(encoding="utf-8")

STYLE = "@media (min-width: 45em) { .md-typeset td code { word-break: normal; overflow-wrap: break-word } }"


def on_post_page(output: str, **_: object) -> str:
    output = output.replace("</head>", f"<style>{STYLE}</style></head>")
    return output.replace('<script src="https://unpkg.com/iframe-worker/shim"></script>', f"<script>{SHIM}</script>")
