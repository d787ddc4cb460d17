#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""In a build folder: fails where files of src/ or plugins/ call one another in a circle, or a room calls one above it.

Who calls whom is read from the symbols of the objects, by nm or what NM names. A circle is allowed where
tests/circles.txt lists its files, because they are one object that is too long for one file; a listed circle that is
gone must be struck off.
"""
import os
import subprocess
import sys

sys.setrecursionlimit(10000)
FLOORS = ["base", "extract", "archive", "dedup", "io", "run", "lab", "serve", "cli"]
SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def objects():
    """Objects below the current folder, each with the path of its source; of two of one source the first."""
    found = {}
    for root in ("src", "plugins"):
        for folder, _, files in sorted(os.walk(root)):
            for name in sorted(files):
                stem = os.path.splitext(name)[0].split("-")[-1]
                source = os.path.join(folder.removesuffix("/.libs"), stem + ".c")
                if name.endswith(".o") and source not in found and os.path.exists(os.path.join(SOURCE, source)):
                    found[source] = os.path.join(folder, name)
    return found


def symbols(found):
    """Source to the names that it defines and those that it wants."""
    table = {source: (set(), set()) for source in found}
    home = {path: source for source, path in found.items()}
    nm = [*os.environ.get("NM", "nm").split(), "-g", "-A", *home]
    for line in subprocess.run(nm, check=True, capture_output=True, text=True).stdout.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        table[home[path]][kind in "Uvw"].add(name)
    return table


def calls(found):
    """Source to the sources whose names it wants; names that several define (main, plugins) count for none."""
    table = symbols(found)
    home = {}
    for source, (defined, _) in table.items():
        for name in defined:
            home[name] = None if name in home else source
    return {source: sorted({home[n] for n in wanted if home.get(n)} - {source})
            for source, (_, wanted) in table.items()}


def circles(graph):
    """Strongly connected components of more than one file (Tarjan 1972)."""
    index, low, stack, out = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in graph[v]:
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            part = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(part) > 1:
                out.append(frozenset(part))

    for v in sorted(graph):
        if v not in index:
            visit(v)
    return out


def floor(source):
    parts = source.split("/")
    return FLOORS.index(parts[1]) if parts[0] == "src" else None


def climbs(graph):
    """Calls from a room to one above it, as text. Plugins are in no room: the registry calls some."""
    return [f"{v} calls {w}, which is in a room above it" for v in sorted(graph) for w in graph[v]
            if floor(v) is not None and floor(w) is not None and floor(v) < floor(w)]


def allowed():
    """Circles of circles.txt: files of a paragraph, after its reason."""
    with open(os.path.join(SOURCE, "tests/circles.txt"), encoding="utf-8") as f:
        parts = f.read().split("\n\n")
    return [frozenset(line for line in part.splitlines() if line and not line.startswith("#")) for part in parts]


def gone(circle, found, graph):
    """A circle of the list that is no more. Of one whose files are not all built here nothing can be said."""
    built = all(source in graph or not os.path.exists(os.path.join(SOURCE, source)) for source in circle)
    return built and circle not in found


def main():
    graph = calls(objects())
    if len(graph) < 100:
        sys.exit("not in the build folder")
    found, known = circles(graph), [part for part in allowed() if part]
    complaints = [f"{v} calls {', '.join(w for w in graph[v] if w in circle)} in a circle"
                  for circle in found if circle not in known for v in sorted(circle)]
    complaints += [f"tests/circles.txt: {' '.join(sorted(circle))} are not a circle"
                   for circle in known if gone(circle, found, graph)]
    complaints += climbs(graph)
    print("".join(line + "\n" for line in complaints), end="")
    sys.exit(len(complaints) > 0)


main()
