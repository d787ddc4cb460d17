#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_portable.py FILE...: what the programs in wheels and static programs of tools/portable.sh need of a machine, by their own
headers (of Linux: readelf). A wheel for glibc 2.17 needs libraries of glibc alone, and no version of a symbol above GLIBC_2.17; one
for musl its libc; a static program nothing. One for macOS needs libraries of /usr/lib alone, and macOS 11. An extension of Linux shows
the function that Python calls, and nothing else. A wheel has the program, licences and a list of materials, in less than 16 MB."""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

MOST = 16_000_000
OF_GLIBC = re.compile(r"lib(c|m|dl|rt|pthread)\.so\.\d+|ld-linux-(x86-64|aarch64)\.so\.\d")
MACHINES = {"x86_64": "X86-64", "aarch64": "AArch64"}
CPUS = {0x01000007: "x86_64", 0x0100000C: "arm64"}


def of_elf(path: str, machine: str, libc: str, extension: bool) -> str:
    shown = subprocess.run(["readelf", "-hldW", "--dyn-syms", "-V", path], check=True, capture_output=True, text=True).stdout
    assert MACHINES[machine] in shown, f"is for another machine than {machine}"
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", shown))
    if libc == "gnu":
        assert all(OF_GLIBC.fullmatch(each) for each in needed), needed
        versions = {tuple(map(int, each.split("."))) for each in re.findall(r"\bGLIBC_([\d.]+)", shown)}
        assert max(versions) <= (2, 17), max(versions)
        needed.add("GLIBC_" + ".".join(map(str, max(versions))))
    else:
        assert needed == ({"libc.so"} if extension else set()), needed
        assert "INTERP" not in shown, "asks for a loader"
    if extension:
        names = {line.split()[7] for line in shown.splitlines() if re.match(r" *\d+: [0-9a-f]+ ", line)
                 and " GLOBAL DEFAULT " in line and " UND " not in line}
        assert names == {"PyInit__dana"}, names
    assert "GNU_STACK" not in shown or "RWE" not in shown, "has a stack that can be run"
    return ", ".join(sorted(needed)) or "nothing"


def of_mach_o(content: bytes, machine: str) -> str:
    magic, cpu, _, _, n, _, _, _ = struct.unpack_from("<8I", content)
    assert magic == 0xFEEDFACF and CPUS[cpu] == machine, (hex(magic), hex(cpu))
    libraries, least, at = [], None, 32
    for _ in range(n):
        command, size = struct.unpack_from("<2I", content, at)
        if command & 0x7FFFFFFF in (0x0C, 0x18, 0x1F):  # LC_LOAD_DYLIB, _WEAK_, _REEXPORT_
            name = struct.unpack_from("<I", content, at + 8)[0]
            libraries.append(content[at + name : at + size].split(b"\0")[0].decode())
        elif command == 0x32:  # LC_BUILD_VERSION
            least = struct.unpack_from("<I", content, at + 12)[0]
        at += size
    assert all(each.startswith("/usr/lib/") for each in libraries), libraries
    assert least is not None and least >> 16 <= 11, least
    return f"macOS {least >> 16}.{least >> 8 & 255}, " + ", ".join(libraries)


def of_program(content: bytes, machine: str, libc: str, extension: bool) -> str:
    if libc == "macos":
        return of_mach_o(content, machine)
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return of_elf(file.name, machine, libc, extension)


def check_wheel(path: pathlib.Path) -> None:
    tag = path.stem.split("-")[-1]
    found = re.fullmatch(r"(manylinux_2_17|musllinux_1_2|macosx_11_0)_(x86_64|aarch64|arm64)(\..+)?", tag)
    assert found and "cp39-abi3" in path.name, tag
    libc = {"many": "gnu", "musl": "musl", "maco": "macos"}[tag[:4]]
    assert path.stat().st_size < MOST, f"{path.stat().st_size} bytes"
    with zipfile.ZipFile(path) as files:
        names = files.namelist()
        assert any("/licenses/bundled/" in each for each in names) and any(each.endswith(".cdx.json") for each in names)
        (extension,) = (each for each in names if each.startswith("danatext/_dana.") and each.endswith(".so"))
        (program,) = (each for each in names if each.endswith(".data/scripts/dana"))
        print(f"{path.name}: {path.stat().st_size} bytes")
        print(f"  {extension}: {of_program(files.read(extension), found[2], libc, True)}")
        print(f"  {program}: {of_program(files.read(program), found[2], libc, False)}")


failed = 0
for path in map(pathlib.Path, sys.argv[1:]):
    try:
        if path.suffix == ".whl":
            check_wheel(path)
        else:
            print(f"{path.name}: {path.stat().st_size} bytes, {of_program(path.read_bytes(), path.name.rsplit('-', 1)[1], 'musl', False)}")
    except AssertionError as error:
        print(f"FAIL: {path.name}: {error}")
        failed = 1
sys.exit(failed)
