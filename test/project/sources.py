"""The files of the project, for the checks of this folder."""

import os
import sys

# What a build or an editor leaves in the tree.
GENERATED_FOLDERS = {".git", ".cache", ".ccache", "__pycache__", "build", "install", "node_modules"}
TEXT_ENDINGS = (".cpp", ".c", ".h", ".td", ".js", ".py", ".sh", ".txt", ".cmake", ".in", ".md", ".json",
                ".mlir", ".test", ".yaml", ".clang-format", ".clang-tidy", ".clangd", ".gitignore")
TEXT_NAMES = {"LICENSE", "Makefile", "run"}


def project_files(root):
    """Paths relative to `root`, sorted, without what is generated."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in GENERATED_FOLDERS and not f.startswith("build-")]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return sorted(found)


def files_ending(root, *endings):
    return [path for path in project_files(root) if path.endswith(endings)]


def text_files(root):
    return [path for path in project_files(root)
            if path.endswith(TEXT_ENDINGS) or os.path.basename(path) in TEXT_NAMES]


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def project_root():
    return os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def report(faults):
    """Prints every fault; the exit status of the check."""
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0
