#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_sbom.py DIR FILE...: takes the list of materials out of each package of Debian and wheel, into DIR, and checks it by the schema
of its version of CycloneDX, which cyclonedx-python-lib has. A package without a list, or with one that names no library, is an error;
packages that have no program of their own (symbols for debuggers, headers) need none. What the wheel bundles has its licence there."""

import json
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile
import io

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

NONE_NEEDED = re.compile(r"-dbgsym_|^libdana-dev_")


def of_deb(path: pathlib.Path) -> bytes | None:
    packed = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        found = [each for each in files if each.name.endswith(".cdx.json")]
        return files.extractfile(found[0]).read() if found else None


def of_wheel(path: pathlib.Path) -> bytes | None:
    with zipfile.ZipFile(path) as files:
        found = [name for name in files.namelist() if name.endswith(".cdx.json")]
        licences = [name for name in files.namelist() if "/licenses/bundled/" in name]
        content = files.read(found[0]) if found else None
        bundled = {each["name"] for each in json.loads(content or b"{}").get("components", ()) if each["purl"].startswith("pkg:deb/")}
        without = bundled - {name.split("/")[-2] for name in licences}
        if not bundled or without:
            sys.exit(f"{path.name}: bundles {sorted(bundled)}; without a licence: {sorted(without)}")
        return content


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for path in map(pathlib.Path, sys.argv[2:]):
    content = of_wheel(path) if path.suffix == ".whl" else of_deb(path)
    if content is None:
        if not NONE_NEEDED.search(path.name):
            sys.exit(f"{path.name}: no list of materials")
        continue
    materials = json.loads(content)
    fault = JsonStrictValidator(SchemaVersion.from_version(materials["specVersion"])).validate_str(content.decode())
    if fault:
        sys.exit(f"{path.name}: {fault}")
    if not materials["components"]:
        sys.exit(f"{path.name}: its list of materials names nothing")
    (folder / f"{path.stem}.cdx.json").write_bytes(content)
    print(f"{path.name}: {len(materials['components'])} materials, as the schema of CycloneDX {materials['specVersion']} wants them")
