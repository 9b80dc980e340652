"""The checks of .clang-tidy over what changed in lib/ and tools/, in parallel.

    tidy.py BUILD_DIR          what differs from $INLAY_BASE (see changed.py)
    tidy.py BUILD_DIR --all    every file

clang-tidy matches all that MLIR's headers declare, again for each file, which
takes twice the time of reading them. clangd looks at the file alone, with the
same checks but bugprone-use-after-move, so that it is the one for changes;
clang-tidy is for everything, headers included.

A file that passed is remembered by a hash of all that its verdict depends on:
the checks, its compile command and the contents of every file of ours that it
includes, as ninja recorded them.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

import changed
import sources

CLANG_TIDY = "clang-tidy-19"
CLANGD = "clangd-19"
# The headers that are compiled once are more than a file needs.
PRECOMPILED = r"-Winvalid-pch( -Xclang -include(-pch)? -Xclang \S+)*"
# "E[18:50:01.157] [modernize-use-nullptr] Line 218: use nullptr"; -W... is the compiler's to say.
FINDING = re.compile(r"^E\[[\d:.]*\] \[((?!-W).*?)\] Line (\d+): (.*)$", re.M)
NINJA = "ninja"


def commands(root, build):
    """{source: (command, object)} of what lib/ and tools/ compile."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    ours = (os.path.join(root, "lib") + os.sep, os.path.join(root, "tools") + os.sep)
    return {entry["file"]: (entry["command"], object_of(entry["command"]))
            for entry in entries if entry["file"].startswith(ours)}


def object_of(command):
    words = shlex.split(command)
    return words[words.index("-o") + 1]


def dependencies(build):
    """{object: files it was compiled from}, as ninja recorded them."""
    text = subprocess.run([NINJA, "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    found = {}
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip().splitlines()
        if lines and ": #deps" in lines[0]:
            found[lines[0].split(":")[0]] = [os.path.join(build, line.strip()) for line in lines[1:]]
    return found


class Hasher:
    def __init__(self):
        self.known = {}

    def of_file(self, path):
        if path not in self.known:
            with open(path, "rb") as file:
                self.known[path] = hashlib.sha256(file.read()).hexdigest()
        return self.known[path]

    def of(self, texts, paths):
        digest = hashlib.sha256("\0".join(texts).encode())
        for path in paths:
            digest.update(self.of_file(path).encode())
        return digest.hexdigest()


def inputs(root, build, compiled):
    """{source: the files of ours that it is compiled from}."""
    recorded = dependencies(build)
    # What is not built yet has no record: it depends on every header.
    headers = [os.path.join(root, path) for path in sources.files_ending(root, ".h", ".td")]
    found = {}
    for source, (_, made) in compiled.items():
        used = {os.path.normpath(path) for path in recorded.get(made, headers)}
        found[source] = sorted(path for path in used if path.startswith((root, build)) and os.path.exists(path))
    return found


def keys(root, compiled, used_by):
    """{source: the hash its verdict depends on}."""
    hasher = Hasher()
    checks = hasher.of_file(os.path.join(root, ".clang-tidy"))
    return {source: hasher.of([checks, command], [source, *used_by[source]])
            for source, (command, _) in compiled.items()}


def tidy(build, source):
    """What clang-tidy says against one file; empty when it passes."""
    run = subprocess.run([CLANG_TIDY, "--quiet", "-p", build, source], capture_output=True, text=True)
    return "" if run.returncode == 0 else run.stdout + run.stderr


def look(folder, source):
    """What clangd says against one file, with the commands in `folder`; empty when it passes."""
    run = subprocess.run([CLANGD, f"--check={source}", f"--compile-commands-dir={folder}",
                          "--check-locations=0", "--check-completion=0"], capture_output=True, text=True)
    if "All checks completed" not in run.stderr:
        return run.stdout + run.stderr
    return "".join(f"{source}:{line}: {text} [{check}]\n" for check, line, text in FINDING.findall(run.stderr))


def write_commands(build, folder):
    """compile_commands.json without the precompiled headers."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        entry["command"] = re.sub(PRECOMPILED, "", entry["command"])
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)


def look_at(stamps, judge):
    """Judges each of {source: where to remember that it passed}; the number with findings."""
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, complaint in zip(stamps, pool.map(judge, stamps)):
            if complaint:
                failures += 1
                print(complaint, file=sys.stderr)
            else:
                open(stamps[source], "w").close()
    return failures


def main(build, everything):
    root = sources.project_root()
    build = os.path.abspath(build)
    folder = os.path.join(build, "tidy" if everything else "tidy-of-changes")
    os.makedirs(folder, exist_ok=True)
    compiled = commands(root, build)
    if not compiled:
        print("nothing to check in compile_commands.json", file=sys.stderr)
        return 1
    used_by = inputs(root, build, compiled)
    try:
        chosen, since = (compiled, "all") if everything else changed.choose(root, compiled, os.environ.get("INLAY_BASE"))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    stamps = {source: os.path.join(folder, key) for source, key in keys(root, compiled, used_by).items()}
    pending = {source: stamp for source, stamp in stamps.items() if source in chosen and not os.path.exists(stamp)}
    write_commands(build, folder)
    failures = look_at(pending, lambda source: tidy(build, source) if everything else look(folder, source))
    print(f"{len(compiled)} files, {len(chosen)} chosen ({since}), {len(pending)} checked, {failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--all" in sys.argv[2:]))
