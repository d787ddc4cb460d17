#!/bin/sh
# SPDX-License-Identifier: MIT
# The words of README, CONTRIBUTING and SECURITY, of the pages in doc/ and python/, of the help, the manual pages, the strings of C and the
# docstrings and strings of the Python package: those that only people who know the sources understand are refused, as "gold" for
# reference text, and so are paragraphs, items of lists and cells of tables above 120 words. Code, and tables that are made from
# the sources, may have any words. In a build folder with a program its help and manual pages are read, too.
set -u
top=${srcdir:-$(dirname "$0")/..}
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
if [ -x src/cli/dana ]; then
	for command in dana filter extract explain serve dedup site stats methods plugins eval train features help; do
		name=$command
		[ "$command" = dana ] && command=
		# shellcheck disable=SC2086 # the program's own help is that of no command
		src/cli/dana help $command >"$work/help $name" || exit 99
		# shellcheck disable=SC2086
		src/cli/dana print-manual $command >"$work/help $name.1" || exit 99
	done
fi
python3 - "$top" "$work" <<'PY'
import io, pathlib, re, sys, tokenize
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
texts = sorted(top.glob("doc/*.md")) + sorted(top.glob("python/*.md")) + [top / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted(work.glob("help *"))
bad = 0


def complain(path, number, what):
    global bad
    bad = 1
    print(f"{path.relative_to(top) if path.is_relative_to(top) else path.name}:{number}: {what}")


def strings(path):
    """(number, text) of each string with more than a word: messages, and what Python documents."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        kinds = tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)
        found = [(token.start[0], token.string) for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in kinds]
    else:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", lambda match: "\n" * match[0].count("\n"), text, flags=re.S)
        found = [(text.count("\n", 0, match.start()) + 1, match[1]) for match in re.finditer(r'"((?:[^"\\\n]|\\.)*)"', text)]
    return [(number, string) for number, string in found if " " in string]


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


sources = [path for pattern in ("src/**/*.[ch]", "plugins/**/*.c", "plugins/**/*.cc", "python/**/*.c", "python/*danatext/*.py*")
           for path in sorted(top.glob(pattern))]
for path in texts + sources:
    text, helped = path.read_text(encoding="utf-8"), path.parent == work
    helped = helped or path in sources
    if path in sources:
        found = strings(path)
    elif helped:
        found = list(enumerate(text.replace("\\-", "-").splitlines(), 1))
    else:
        found = list(pieces(text))
    for number, piece in found:
        if not helped and len(piece.split()) > MOST:
            complain(path, number, f"{len(piece.split())} words in one piece; at most {MOST}")
        # HEAD is a method of HTTP, head one of the functions of a plugin, and an element of TEI
        plain = re.sub(r"`[^`]*`|</?head\b|\\\"head\\\"|\bHEAD\b|\bhead, http\b|\]\([^)]*\)|(?<!\w)--?[a-z][\w-]*", " ", piece)
        for word, better in WORDS.items():
            for match in re.finditer(rf"\b(?:{word})\b", plain, re.I):
                complain(path, number, f"'{match[0]}' ({better}): {plain[max(0, match.start() - 30):match.end() + 30].strip()}")
    if len(text) < 100 and path.parent == work:
        complain(path, 1, "the help is missing")
if len(texts) < 20 or len(sources) < 100:
    print(f"only {len(texts)} texts and {len(sources)} sources found")
    bad = 1
sys.exit(bad)
PY
