#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""circles.py [OBJECT...]: fails where files of src/ or plugins/ call one another in a circle.

Who calls whom is read from the symbols of the objects of a build folder (nm). A circle is allowed where tests/circles.txt
lists its files, because they are one object that is too long for one file; a listed circle that is gone must be struck off.
Fails also where a room calls one above it.
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
                source = os.path.join(folder, stem + ".c")
                if name.endswith(".o") and source not in found and os.path.exists(os.path.join(SOURCE, source)):
                    found[source] = os.path.join(folder, name)
    return found


def symbols(found):
    """Source to the names that it defines and those that it wants."""
    table = {source: (set(), set()) for source in found}
    home = {path: source for source, path in found.items()}
    nm = [os.environ.get("NM", "nm"), "-g", "-A", *home]
    for line in subprocess.run(nm, check=True, capture_output=True, text=True).stdout.splitlines():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        table[home[path]][kind == "U"].add(name)
    return table


def calls(found):
    """Source to the sources whose names it wants; names that several define (main, plugins) count for none."""
    table = symbols(found)
    home = {}
    for source, (defined, _) in table.items():
        for name in defined:
            home[name] = None if name in home else source
    return {source: sorted({home[n] for n in wanted if home.get(n)} - {source}) for source, (_, wanted) in table.items()}


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
    """Calls from a room to one above it, as text; the registry of plugins names those that are built in."""
    return [f"{v} calls {w}, which stands above it" for v in sorted(graph) for w in graph[v]
            if floor(v) is not None and floor(w) is not None and floor(v) < floor(w)]


def allowed():
    """Circles of circles.txt: files of a paragraph, after its reason."""
    with open(os.path.join(SOURCE, "tests/circles.txt"), encoding="utf-8") as f:
        parts = f.read().split("\n\n")
    return [frozenset(line for line in part.splitlines() if line and not line.startswith("#")) for part in parts]


def main():
    graph = calls(objects())
    if len(graph) < 100:
        sys.exit("not in the build folder")
    found, known = circles(graph), [part for part in allowed() if part]
    for circle in found:
        if circle not in known:
            print("files that call one another in a circle:")
            for source in sorted(circle):
                print(f"\t{source} calls {', '.join(w for w in graph[source] if w in circle)}")
    for circle in known:
        if circle not in found:
            print(f"tests/circles.txt lists a circle that is none: {' '.join(sorted(circle))}")
    up = climbs(graph)
    print("\n".join(up))
    sys.exit(set(found) != set(known) or len(up) > 0)


main()
