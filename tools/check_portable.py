#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_portable.py FILE...: what the programs in wheels, static programs and the libraries TARGET/libdana-archive.* of
tools/portable.sh need of a machine, by their own headers (of Linux: readelf). A wheel for glibc 2.17 needs libraries of glibc alone,
and no version of a symbol above GLIBC_2.17; one for musl its libc; a static program nothing. One for macOS needs two libraries of the
system, and macOS 11, of whose later functions none; for AArch64 it is signed. An extension shows the function that Python calls, a
library those of include/dana, and nothing else. One for Windows needs kernel32, the C library that Windows 10 brought, and python3.dll, or as
a program libraries of the system for the network, and is loaded anywhere in memory, which cannot be run where it is written. A wheel has
the program, licences and a list of materials, in less than 16 MB."""

import hashlib
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
OF_MACOS = {"/usr/lib/libSystem.B.dylib", "/usr/lib/libiconv.2.dylib"}
OF_WINDOWS = r"kernel32\.dll|api-ms-win-crt-[a-z]+-l1-1-0\.dll|"
FOR_PYTHON, FOR_PROGRAMS = (re.compile(OF_WINDOWS + more, re.I) for more in (r"python3\.dll", r"(advapi32|bcrypt|crypt32|user32|ws2_32)\.dll"))
OF_PE = {"amd64": 0x8664, "arm64": 0xAA64}
# Of functions in the headers of the C library of macOS, those that came after 11.0.
NEWER = {f"_{each}" for each in ("backtrace_async", "freadlink", "malloc_type_malloc", "mkfifoat", "mknodat", "os_unfair_lock_lock_with_flags",
                                 "pthread_jit_write_freeze_callbacks_np", "pthread_jit_write_with_callback_np", "strchrnul")}
# Names that the linker of zig makes, and operators of C++, which its library shows.
OF_LINKER = re.compile(r"___dso_handle|__mh_(dylib|execute)_header|__Z(d[al]Pv|n[aw])[a-zA-Z0-9_]*")
OF_PYTHON = {"PyInit__dana"}
OF_HEADERS = {name for header in pathlib.Path(__file__).parents[1].glob("include/dana/*.h")
              for name in re.findall(r"^DANA_API [^;(]*\b(dana_\w+)\(", header.read_text(), re.M)}
N_EXT, N_TYPE, N_PEXT = 0x01, 0x0E, 0x10
LC_SYMTAB, LC_LOAD_DYLIB, LC_ID_DYLIB, LC_LOAD_WEAK_DYLIB, LC_RPATH = 0x02, 0x0C, 0x0D, 0x18, 0x1C
LC_CODE_SIGNATURE, LC_REEXPORT_DYLIB, LC_BUILD_VERSION = 0x1D, 0x1F, 0x32


def of_elf(path: str, machine: str, libc: str, shows: set[str] | None) -> str:
    shown = subprocess.run(["readelf", "-hldW", "--dyn-syms", "-V", path], check=True, capture_output=True, text=True).stdout
    assert MACHINES[machine] in shown, f"is for another machine than {machine}"
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", shown))
    if libc == "gnu":
        assert all(OF_GLIBC.fullmatch(each) for each in needed), needed
        versions = {tuple(map(int, each.split("."))) for each in re.findall(r"\bGLIBC_([\d.]+)", shown)}
        assert max(versions) <= (2, 17), max(versions)
        needed.add("GLIBC_" + ".".join(map(str, max(versions))))
    else:
        assert needed == ({"libc.so"} if shows else set()), needed
        assert "INTERP" not in shown, "asks for a loader"
    if shows:
        names = {line.split()[7] for line in shown.splitlines() if re.match(r" *\d+: [0-9a-f]+ ", line)
                 and " GLOBAL DEFAULT " in line and " UND " not in line}
        assert names == shows, names ^ shows
    assert "GNU_STACK" not in shown or "RWE" not in shown, "has a stack that can be run"
    return ", ".join(sorted(needed)) or "nothing"


def commands_of(content: bytes) -> list[tuple[int, int, int]]:
    """Of each command for the loader of macOS: what it is, where it begins and how long it is."""
    found, at = [], 32
    for _ in range(struct.unpack_from("<I", content, 16)[0]):
        command, size = struct.unpack_from("<2I", content, at)
        found.append((command & 0x7FFFFFFF, at, size))
        at += size
    return found


def text_at(content: bytes, at: int) -> str:
    return content[at : content.index(b"\0", at)].decode()


def symbols_of(content: bytes, table: int) -> tuple[set[str], dict[str, int]]:
    """What a program for macOS shows to others, and what it needs: from which of its libraries, or 0."""
    at, n, names = struct.unpack_from("<3I", content, table + 8)
    shown, needed = set(), {}
    for name, kind, _, description, _ in struct.iter_unpack("<IBBHQ", content[at : at + 16 * n]):
        if kind & 0xE0 or not kind & N_EXT:  # of debuggers, of itself
            continue
        if not kind & N_TYPE:
            needed[text_at(content, names + name)] = description >> 8
        elif not kind & N_PEXT:
            shown.add(text_at(content, names + name))
    return shown, needed


def check_signature(content: bytes, begin: int) -> None:
    """The signature that AArch64 demands has no owner here, and the sums of all pages before it."""
    n = struct.unpack_from(">I", content, begin + 8)[0]
    slots = dict(struct.unpack_from(">2I", content, begin + 12 + 8 * each) for each in range(n))
    directory = begin + slots[0]
    magic, _, _, flags, sums, _, _, pages, limit = struct.unpack_from(">9I", content, directory)
    length, kind, _, bits = struct.unpack_from("4B", content, directory + 36)
    assert magic == 0xFADE0C02 and flags & 2 and (length, kind) == (32, 2) and limit == begin, "another signature"
    for page in range(pages):
        part = content[page << bits : min(page + 1 << bits, limit)]
        at = directory + sums + length * page
        assert hashlib.sha256(part).digest() == content[at : at + length], f"page {page} has another sum"
    assert pages << bits >= limit, "a part is not signed"


def of_mach_o(content: bytes, machine: str, shows: set[str] | None) -> str:
    magic, cpu = struct.unpack_from("<2I", content)
    assert magic == 0xFEEDFACF and CPUS[cpu] == machine, (hex(magic), hex(cpu))
    libraries, signed = [], False
    for command, at, size in commands_of(content):
        assert command not in (LC_RPATH, LC_REEXPORT_DYLIB, LC_LOAD_WEAK_DYLIB), f"command {command} for the loader"
        if command in (LC_LOAD_DYLIB, LC_ID_DYLIB):
            name = text_at(content, at + struct.unpack_from("<I", content, at + 8)[0])
            assert name.startswith("@rpath/") if command == LC_ID_DYLIB else name in OF_MACOS, name
            libraries += [name] if command == LC_LOAD_DYLIB else []
        elif command == LC_SYMTAB:
            shown, needed = symbols_of(content, at)
        elif command == LC_BUILD_VERSION:
            platform, least = struct.unpack_from("<2I", content, at + 8)
        elif command == LC_CODE_SIGNATURE:
            check_signature(content, struct.unpack_from("<I", content, at + 8)[0])
            signed = True
    assert (platform, least) == (1, 11 << 16), (platform, hex(least))
    assert signed or machine != "arm64", "is not signed"
    assert not needed.keys() & NEWER, needed.keys() & NEWER
    of_others = {each for each, library in needed.items() if not 0 < library <= len(libraries)}
    assert all(re.match("__?Py", each) and shows == OF_PYTHON for each in of_others), of_others
    if shows:
        own = {each[1:] for each in shown if not OF_LINKER.fullmatch(each)}
        assert own == shows, own ^ shows
    return f"macOS {least >> 16}.{least >> 8 & 255}, " + ", ".join(libraries)


def of_pe(content: bytes, machine: str, shows: set[str] | None) -> str:
    head = struct.unpack_from("<I", content, 0x3C)[0]
    assert content[:2] == b"MZ" and content[head : head + 4] == b"PE\0\0", "is no program of Windows"
    kind, sections, _, _, _, size, _ = struct.unpack_from("<HHIIIHH", content, head + 4)
    assert OF_PE[machine] == kind, hex(kind)
    optional = head + 24
    magic, least, characteristics = (struct.unpack_from(form, content, optional + at)[0] for form, at in (("<H", 0), ("<H", 48), ("<H", 70)))
    assert magic == 0x20B and least <= 10, (hex(magic), least)
    assert characteristics & 0x160 == 0x160, f"{characteristics:x} lacks HIGH_ENTROPY_VA, DYNAMIC_BASE or NX_COMPAT"
    table = [struct.unpack_from("<4I", content, optional + size + 40 * each + 8) for each in range(sections)]

    def at(address: int) -> int:
        return next(address - begin + raw for length, begin, stored, raw in table if begin <= address < begin + max(length, stored))

    exported, imported = struct.unpack_from("<I4xI", content, optional + 112)
    n, names = struct.unpack_from("<I4xI", content, at(exported) + 24) if exported else (0, 0)
    own = {text_at(content, at(struct.unpack_from("<I", content, at(names) + 4 * each)[0])) for each in range(n)}
    assert own == (shows or set()), own ^ (shows or set())
    libraries, entry = set(), at(imported)
    while name := struct.unpack_from("<12xI", content, entry)[0]:
        libraries.add(text_at(content, at(name)))
        entry += 20
    allowed = FOR_PYTHON if shows == OF_PYTHON else FOR_PROGRAMS
    assert all(allowed.fullmatch(each) for each in libraries), libraries
    return "Windows 10, " + ", ".join(sorted({each for each in libraries if "api-ms" not in each}, key=str.lower) + ["its C library"])


def of_program(content: bytes, machine: str, libc: str, shows: set[str] | None) -> str:
    if libc == "macos":
        return of_mach_o(content, machine, shows)
    if libc == "windows":
        return of_pe(content, machine, shows)
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        return of_elf(file.name, machine, libc, shows)


def check_wheel(path: pathlib.Path) -> None:
    tag = path.stem.split("-")[-1]
    found = re.fullmatch(r"(manylinux_2_17|musllinux_1_2|macosx_11_0|win)_(x86_64|amd64|aarch64|arm64)(\..+)?", tag)
    assert found and ("cp311-abi3" if tag.startswith("win") else "cp39-abi3") in path.name, path.name
    libc = {"many": "gnu", "musl": "musl", "maco": "macos", "win_": "windows"}[tag[:4]]
    assert path.stat().st_size < MOST, f"{path.stat().st_size} bytes"
    with zipfile.ZipFile(path) as files:
        names = files.namelist()
        assert any("/licenses/bundled/" in each for each in names) and any(each.endswith(".cdx.json") for each in names)
        (extension,) = (each for each in names if each.startswith("danatext/_dana.") and each.endswith((".so", ".pyd")))
        (program,) = (each for each in names if ".data/scripts/" in each)
        print(f"{path.name}: {path.stat().st_size} bytes")
        print(f"  {extension}: {of_program(files.read(extension), found[2], libc, OF_PYTHON)}")
        print(f"  {program}: {of_program(files.read(program), found[2], libc, None)}")


failed = 0
for path in map(pathlib.Path, sys.argv[1:]):
    try:
        if path.suffix == ".whl":
            check_wheel(path)
            continue
        if path.name.startswith("libdana-archive."):
            target, shows = path.resolve().parent.name, OF_HEADERS
            machine, libc = re.fullmatch(r"(\w+)-(?:linux-)?([a-z]+).*", target).groups()
        else:
            target, shows = path.name, None
            machine, libc = target.rsplit("-", 1)[1], "musl"
        if libc == "macos":
            machine = machine.replace("aarch64", "arm64")
        print(f"{target}: {path.stat().st_size} bytes, {of_program(path.read_bytes(), machine, libc, shows)}")
    except AssertionError as error:
        print(f"FAIL: {path}: {error}")
        failed = 1
sys.exit(failed)
