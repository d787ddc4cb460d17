#!/bin/sh
# SPDX-License-Identifier: MIT
# The words of README, of the pages in doc/ and python/ and of the help: those that only people who know the sources understand
# are refused, as "gold" for reference text, and so are paragraphs, items of lists and cells of tables above 120 words. Code, and
# tables that are made from the sources, may have any words. In a build folder with a program its help is read, too.
set -u
top=${srcdir:-$(dirname "$0")/..}
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
if [ -x src/cli/dana ]; then
	for command in dana filter extract explain serve dedup stats methods plugins eval train features help; do
		name=$command
		[ "$command" = dana ] && command=
		# shellcheck disable=SC2086 # the program's own help is that of no command
		src/cli/dana help $command >"$work/help $name" || exit 99
	done
fi
python3 - "$top" "$work" <<'PY'
import pathlib, re, sys
top, work = map(pathlib.Path, sys.argv[1:])
MOST = 120
# the word, and what is written instead
WORDS = {
    r"gold": "reference text, reference pages",
    r"codings?": "content encoding",
    r"heads?": "header; the first lines",
    r"damage kinds?|kinds? of damage": "damage, with its reason",
    r"stands?|stood": "is",
    r"(?:go|goes|went|going) on": "resume, continue",
    r"a place": "a position, an offset",
    r"that of|those of": "name the thing again",
    r"the first's": "the first method's",
    r"is asked|are asked|none is|the one of": "use the active voice",
    r"says|said|tells|told": "has, reports, shows",
    r"mended|parted": "fixed, separated",
}
texts = sorted(top.glob("doc/*.md")) + sorted(top.glob("python/*.md")) + [top / "README.md"] + sorted(work.glob("help *"))
bad = 0


def complain(path, number, what):
    global bad
    bad = 1
    print(f"{path.relative_to(top) if path.is_relative_to(top) else path.name}:{number}: {what}")


def pieces(text):
    """(number, words) of each paragraph, item of a list, cell of a table; code left out."""
    fence = made = False
    piece, begin = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        made = "<!-- features: begin -->" in line or made and "<!-- features: end -->" not in line
        if line.lstrip().startswith("```"):
            fence = not fence
        code = fence or made or line.lstrip().startswith("```") or line.startswith("    ") and not piece
        row = line.lstrip().startswith("|")
        if piece and (code or row or not line.strip() or re.match(r"\s*(?:[-*]|\d+\.) |#", line)):
            yield begin, " ".join(piece)
            piece = []
        if code or not line.strip():
            continue
        if row:
            for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")):
                yield number, cell
            continue
        begin = begin if piece else number
        piece.append(line.strip())


for path in texts:
    text, helped = path.read_text(encoding="utf-8"), path.parent == work
    found = [(n, line) for n, line in enumerate(text.splitlines(), 1)] if helped else list(pieces(text))
    for number, piece in found:
        if not helped and len(piece.split()) > MOST:
            complain(path, number, f"{len(piece.split())} words in one piece; at most {MOST}")
        plain = re.sub(r"`[^`]*`|\]\([^)]*\)|(?<!\w)--?[a-z][\w-]*", " ", piece)
        for word, better in WORDS.items():
            for match in re.finditer(rf"\b(?:{word})\b", plain, re.I):
                complain(path, number, f"'{match[0]}' ({better}): {plain[max(0, match.start() - 30):match.end() + 30].strip()}")
    if len(text) < 100 and helped:
        complain(path, 1, "the help is missing")
if len(texts) < 20:
    print(f"only {len(texts)} texts found")
    bad = 1
sys.exit(bad)
PY
