"""Every C++ file is as clang-format would write it (--fix: make it so)."""

import subprocess
import sys

import sources

CLANG_FORMAT = "clang-format-19"


def main():
    root = sources.project_root()
    files = sources.files_ending(root, ".cpp", ".h")
    mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
    return subprocess.run([CLANG_FORMAT, *mode, *files], cwd=root).returncode


if __name__ == "__main__":
    sys.exit(main())
