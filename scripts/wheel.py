#!/usr/bin/env python3
# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of the Python package that a build tree has.

  scripts/wheel.py BUILD_DIR OUT_DIR

Libraries that not every system has (Inlay's own, MLIR, LLVM and what they
need) are inside, in inlay.libs, and find one another there.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tempfile
import zipfile

# What a C++ program may expect of any system.
SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so.*|linux-vdso.*)$")


def version_of(build):
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.+)$", text, re.M).group(1)


def libraries_of(module):
    """Paths of the libraries that a module needs, systems' own left out."""
    listed = subprocess.run(["ldd", module], check=True, capture_output=True, text=True).stdout
    found = {}
    for name, path in re.findall(r"^\s*(\S+) => (\S+)", listed, re.M):
        if path == "not":
            raise SystemExit(f"wheel: {module.name} needs {name}, which is not found")
        if not SYSTEM.match(name):
            found[name] = pathlib.Path(path)
    return found


def lay_out(build, root):
    """The files of the wheel below `root`."""
    package = root / "inlay"
    shutil.copytree(build / "python" / "inlay", package, ignore=shutil.ignore_patterns("__pycache__"))
    (module,) = package.glob("_inlay.*.so")
    libraries = root / "inlay.libs"
    libraries.mkdir()
    for name, path in libraries_of(build / "python" / "inlay" / module.name).items():
        shutil.copyfile(path, libraries / name)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", libraries / name], check=True)
    subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../inlay.libs", module], check=True)


def describe(root, version, tag):
    info = root / f"inlay-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: inlay\nVersion: {version}\n"
        "Summary: Fits neural networks to the hardware that runs them\n"
        "License: Apache-2.0 WITH LLVM-exception\nRequires-Python: >=3.9\nRequires-Dist: numpy>=1.23\n", encoding="utf-8")
    (info / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: inlay\nRoot-Is-Purelib: false\nTag: {tag}\n", encoding="utf-8")
    return info


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def write(root, info, wheel):
    record = info / "RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            content, name = path.read_bytes(), path.relative_to(root).as_posix()
            lines.append(f"{name},{digest(content)},{len(content)}")
            archive.writestr(name, content)
        lines.append(f"{record.relative_to(root).as_posix()},,")
        archive.writestr(record.relative_to(root).as_posix(), "\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    version = version_of(options.build)
    (module,) = (options.build / "python" / "inlay").glob("_inlay.*.so")
    python = "cp" + re.search(r"cpython-(\d+)", module.name).group(1)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{python}-{python}-{platform}"
    options.out.mkdir(parents=True, exist_ok=True)
    wheel = options.out / f"inlay-{version}-{tag}.whl"
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        lay_out(options.build, root)
        write(root, describe(root, version, tag), wheel)
    print(wheel)


if __name__ == "__main__":
    main()
