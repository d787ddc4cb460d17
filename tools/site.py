#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""site.py SOURCE PROGRAM PAGES: puts the pages of the documentation together for mkdocs.

The pages of doc/ and python/ are copied, links that leave the site lead to the file's name alone. The manual pages become
Markdown, and the reference of the Python package is named to mkdocstrings. NEWS becomes a page with a heading a version.
"""

import pathlib
import re
import subprocess
import sys

source, program, pages = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
COMMANDS = re.findall(r"commands/dana-(\w+)\.md", (source / "mkdocs.yml").read_text(encoding="utf-8"))
MODULES = "scans archive page document options signature errors spark ray datatrove".split()


def roff_text(text: str) -> str:
    """The inline marks of our manual pages as Markdown: bold names of options become code."""
    text = re.sub(r"\\fB(.*?)\\fR", r"\1", re.sub(r"\\fI(.*?)\\fR", r"\1", text))
    return text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")


def escaped(text: str) -> str:
    return re.sub(r"([<>*_\[\]])", r"\\\1", text)


def manual_page(roff: str) -> str:
    """Markdown of a manual page that `dana print-manual` wrote: .SH, .SS, .TP, .PP, .B, .BR, .nf and .fi."""
    out, lines, verbatim = [], iter(roff.splitlines()), False
    for line in lines:
        macro, _, rest = line.partition(" ")
        if macro == ".nf":
            verbatim = True
            out.append("\n```sh")
        elif macro == ".fi":
            verbatim = False
            out.append("```\n")
        elif verbatim:
            out.append(roff_text(line))
        elif macro == ".TH":
            out.append(f"# {roff_text(rest.split()[0]).lower().replace('dana-', 'dana ')}\n")
        elif macro in (".SH", ".SS"):
            title = roff_text(rest).strip('"')
            out.append(f"\n{'##' if macro == '.SH' else '###'} {title.capitalize()}\n")
        elif macro == ".TP":
            term = roff_text(next(lines))
            out.append(f"\n`{re.sub(r'^[.]BR? ', '', term)}`\n")
        elif macro in (".PP", ".br", '.\\"'):
            out.append("")
        elif macro in (".B", ".BR", ".I"):
            out.append(f"`{roff_text(rest)}`")
        else:
            out.append(escaped(roff_text(line)))
    return "\n".join(out) + "\n"


def news_page(text: str) -> str:
    """NEWS: a line that begins with a version is a heading."""
    return "# Changes\n\n" + re.sub(r"^(?:# )?(dana )?(\d+\.\d+\.\d+.*)$", r"## \2", text, flags=re.M)


def page_links(text: str, folder: str) -> str:
    """Links to files that are no pages keep their text only."""

    def link(match: re.Match[str]) -> str:
        label, target = match[1], match[2]
        if "://" in target or target.startswith("#"):
            return match[0]
        path = (source / folder / target.split("#")[0]).resolve()
        inside = path.is_relative_to(source.resolve()) and path.relative_to(source.resolve()).as_posix()
        if not inside or not re.fullmatch(r"(doc|python)/[\w-]+\.(md|svg|png)|README|README.md|NEWS", inside):
            return label
        anchor = "#" + target.split("#")[1] if "#" in target else ""
        page = {"README": "index.md", "README.md": "index.md", "NEWS": "NEWS.md"}.get(inside, inside.removeprefix("doc/"))
        return f"[{label}]({'../' if folder == 'python' else ''}{page}{anchor})"

    return re.sub(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)", link, text)


def write(name: str, text: str) -> None:
    path = pages / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


for file in sorted((source / "doc").glob("*")):
    if file.suffix == ".md":
        text = page_links(file.read_text(encoding="utf-8"), "doc")
        write(file.name, text.replace("`dana-try-VERSION.html`", "[try.html](try.html)"))
    elif file.suffix in (".svg", ".png"):
        (pages / file.name).write_bytes(file.read_bytes())
for file in sorted((source / "python").glob("*.md")):
    write(f"python/{file.name}", page_links(file.read_text(encoding="utf-8"), "python"))
reference = "".join(f"\n::: danatext.{module}\n" for module in MODULES)
write("python/reference.md", f"# Reference\n\nMade from the docstrings and type stubs of the package.\n{reference}")
write("NEWS.md", news_page((source / "NEWS").read_text(encoding="utf-8")))
for command in ["", *COMMANDS]:
    roff = subprocess.run([program, "print-manual", *command.split()], check=True, capture_output=True, text=True).stdout
    write(f"commands/{'dana-' + command if command else 'index'}.md", manual_page(roff))
