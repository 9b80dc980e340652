"""The runtime of models needs the functions of its list and shows none of its own.

    runtime_symbols.py FOLDER    where runtime-x86_64.o and runtime-aarch64.o are

What a model needs, the machine that runs it has to have: lib/NativeRuntime/Symbols.txt
names all, sorted, each with the only architecture that needs it if not both do.
"""

import os
import subprocess
import sys

import sources

NM = "llvm-nm-19"
READELF = "llvm-readelf-19"
LIST = "lib/NativeRuntime/Symbols.txt"
ARCHITECTURES = ("x86_64", "aarch64")


def listed(text, arch):
    """The names that the list has for an architecture."""
    lines = [line.split() for line in text.splitlines()]
    return [words[0] for words in lines if arch in words[1:] or len(words) == 1]


def needed(path):
    """The names that an object does not define."""
    text = subprocess.run([NM, "-u", "-j", path], capture_output=True, text=True, check=True).stdout
    return text.split()


def shown(path):
    """The names that an object defines for others and does not hide."""
    text = subprocess.run([READELF, "--symbols", "--wide", path], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines()]
    return [row[7] for row in rows if len(row) == 8 and row[4] in ("GLOBAL", "WEAK")
            and row[5] != "HIDDEN" and row[6] != "UND"]


def faults_of(arch, allowed, found, visible):
    """What is wrong with the runtime of an architecture."""
    return ([f"{arch}: the runtime needs {name}, which {LIST} lacks" for name in found if name not in allowed]
            + [f"{arch}: {LIST} has {name}, which the runtime does not need" for name in allowed if name not in found]
            + [f"{arch}: the runtime shows {name}; it must be hidden" for name in visible])


def faults(root, folder):
    text = sources.read(root, LIST)
    found = [] if text.splitlines() == sorted(text.splitlines()) else [f"{LIST}: is not sorted"]
    for arch in ARCHITECTURES:
        path = os.path.join(folder, f"runtime-{arch}.o")
        found += faults_of(arch, listed(text, arch), needed(path), shown(path))
    return found


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root(), sys.argv[1])))
