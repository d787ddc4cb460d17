#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What programs and libraries of dana are made with, as a list of materials in JSON (CycloneDX 1.5) on standard output.

    sbom.py NAME VERSION FILE...             NAME is the package; FILE are its programs and shared libraries
    sbom.py --loaded FILE...                 the packages of Debian whose libraries FILE load at their first use, which no link names
    sbom.py --linked NAME VERSION LIBRARY... of a program of tools/portable.sh, which has these sources of tools/portable.tsv in it

What they are linked to is read from their dynamic sections (readelf), what they load from the names in them, and both are followed
to the files that the loader finds (ldconfig) and to their packages (dpkg). A library that belongs to no package is an error.
The time is SOURCE_DATE_EPOCH; the same files and packages give the same bytes.
"""

import argparse
import datetime
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

SONAME = re.compile(rb"(?<![\w./+-])(lib[\w+-]+\.so\.\d+(?:\.\d+)*)\0")
OWN = re.compile(r"libdana(-archive)?\.so\.(?P<number>\d+)")
PACKAGE_OF_OWN = "libdana"


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C"}).stdout


def needed(path: str) -> set[str]:
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-dW", path)))


def named(path: str) -> set[str]:
    """Libraries whose names stand in a file, which has its own name and those that it needs, too."""
    dynamic = output("readelf", "-dW", path)
    return {name.decode() for name in SONAME.findall(pathlib.Path(path).read_bytes())} - set(
        re.findall(r"\((?:NEEDED|SONAME)\).*\[(.+)\]", dynamic)
    )


@functools.cache
def loader() -> dict[str, str]:
    """The file of each name that the loader knows, of this machine's first architecture."""
    found: dict[str, str] = {}
    for name, path in re.findall(r"^\s+(\S+) \(.*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M):
        found.setdefault(name, path)
    return found


@functools.cache
def package(path: str) -> tuple[str, ...]:
    """Name, version, architecture, source and its version."""
    for each in path, os.path.realpath(path), "/usr" + path, "/usr" + os.path.realpath(path):
        asked = subprocess.run(["dpkg", "-S", each], capture_output=True, text=True, check=False)
        if asked.returncode == 0 and (owner := re.search(r"^(\S+): /", asked.stdout, re.M)):
            form = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}"
            return tuple(output("dpkg-query", "-W", "-f", form, owner[1]).split("\t"))
    sys.exit(f"sbom.py: {path} belongs to no package of Debian: what it is cannot be said")


def licences(name: str) -> list[str]:
    """The words for licences in a package's copyright file, where it is written for programs to read."""
    path = pathlib.Path(f"/usr/share/doc/{name}/copyright")
    text = path.read_text(errors="replace") if path.exists() else ""
    if not text.startswith("Format:"):
        return []
    return sorted(set(re.findall(r"^License: *(\S.*?)\s*$", text, re.M)))


def purl(found: tuple[str, ...]) -> str:
    name, version, architecture = found[:3]
    release = re.search(r'^VERSION_ID="?([^"\n]+)', pathlib.Path("/etc/os-release").read_text(), re.M)
    distro = f"&distro=debian-{release[1]}" if release else ""
    return f"pkg:deb/debian/{name.replace('+', '%2B')}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}{distro}"


def component(found: tuple[str, ...], files: set[str]) -> dict:
    name, version, _, source, source_version = found
    made = {"type": "library", "bom-ref": purl(found), "name": name, "version": version, "purl": purl(found)}
    if names := licences(name):
        made["licenses"] = [{"license": {"name": each}} for each in names]
    made["properties"] = [{"name": "dana:file", "value": each} for each in sorted(files)]
    made["properties"].append({"name": "dana:source", "value": f"{source} {source_version}"})
    return made


class Materials:
    """The packages that files are made with, and which of them uses which."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.files: dict[tuple[str, ...], set[str]] = {}
        self.uses: dict[str, set[str]] = {}

    def library(self, name: str) -> tuple[str, ...]:
        """The package of a library; what that needs itself is followed once."""
        if own := OWN.fullmatch(name):  # this build's: not installed yet
            found = (f"{PACKAGE_OF_OWN}{own['number']}", self.version, output("dpkg", "--print-architecture").strip(), "dana", self.version)
            self.files.setdefault(found, set()).add(name)
            return found
        path = loader().get(name) or sys.exit(f"sbom.py: {name} is not installed here")
        found = package(path)
        known = self.files.setdefault(found, set())
        if name not in known:
            known.add(name)
            self.follow(purl(found), needed(path))
        return found

    def follow(self, user: str, names: set[str]) -> None:
        for name in sorted(names):
            found = purl(self.library(name))
            if found != user:
                self.uses.setdefault(user, set()).add(found)


def linked(names: list[str]) -> list[dict]:
    rows = [line.split("\t") for line in pathlib.Path(__file__).with_name("portable.tsv").read_text().splitlines() if line[:1] not in "#"]
    made = []
    for name, version, file, digest, licence in (row for row in rows if row[0] in names):
        ref = f"pkg:deb/debian/{name}@{version.replace('+', '%2B').replace(':', '%3A')}?arch=source"
        made.append({"type": "library", "bom-ref": ref, "name": name, "version": version,
                     "hashes": [{"alg": "SHA-256", "content": digest}], "licenses": [{"expression": licence}], "purl": ref,
                     "properties": [{"name": "dana:file", "value": file}]})
    if missing := set(names) - {each["name"] for each in made}:
        sys.exit(f"sbom.py: tools/portable.tsv lacks {sorted(missing)}")
    return made


def document_linked(name: str, version: str, names: list[str]) -> dict:
    components = linked(names)
    return finished(name, version, components, {f"{name}@{version}": [each["bom-ref"] for each in components]})


def document(name: str, version: str, paths: list[str]) -> dict:
    materials = Materials(version)
    top = f"{name}@{version}"
    own = {os.path.basename(path) for path in paths}
    for path in paths:
        materials.follow(top, {each for each in needed(path) | named(path) if each not in own and not own_module(each, own)})
    components = [component(found, files) for found, files in sorted(materials.files.items())]
    uses = {ref: sorted(materials.uses.get(ref, ())) for ref in [top, *sorted(purl(found) for found in materials.files)]}
    return finished(name, version, components, uses)


def finished(name: str, version: str, components: list[dict], uses: dict[str, list[str]]) -> dict:
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "library" if name.startswith("lib") else "application",
                "bom-ref": f"{name}@{version}",
                "name": name,
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": components,
        "dependencies": [{"ref": ref, "dependsOn": used} for ref, used in uses.items()],
    }
    made["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made, sort_keys=True)).urn
    return made


def own_module(name: str, own: set[str]) -> bool:
    """A library of the package itself: its files carry more numbers than the name that is asked for."""
    return any(each.startswith(name + ".") for each in own)


def main() -> None:
    parser = argparse.ArgumentParser(description="A list of materials (CycloneDX 1.5) of programs and libraries.")
    parser.add_argument("--loaded", action="store_true", help="the packages whose libraries are loaded, for Depends")
    parser.add_argument("--linked", action="store_true", help="FILE are sources of tools/portable.tsv")
    parser.add_argument("words", nargs="+", metavar="NAME VERSION FILE... | FILE...")
    given = parser.parse_args()
    if given.loaded:
        names = {name for path in given.words for name in named(path) if not OWN.fullmatch(name)}
        print(", ".join(sorted({package(loader().get(name) or sys.exit(f"sbom.py: {name} is not installed here"))[0] for name in names})))
        return
    if len(given.words) < 3:
        parser.error("expected NAME VERSION FILE...")
    name, version, *paths = given.words
    print(json.dumps((document_linked if given.linked else document)(name, version, paths), indent=1))


if __name__ == "__main__":
    main()
