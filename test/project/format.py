"""Every C and C++ file is as clang-format would write it (--fix: make it so).

clang-format leaves comments alone, since they have tables and examples; that
they end within 80 columns is checked here.
"""

import re
import subprocess
import sys

import sources

CLANG_FORMAT = "clang-format-19"
COLUMNS = 80
COMMENT = re.compile(r"\s*(//|/\*|\*( |$))")
ENDINGS = (".cpp", ".c", ".h")


def faults(root):
    """Comments that are too long, outside of what is marked as not formatted."""
    found = []
    for path in sources.files_ending(root, *ENDINGS):
        formatted = True
        for number, line in enumerate(sources.read(root, path).split("\n"), 1):
            if "clang-format off" in line or "clang-format on" in line:
                formatted = "clang-format on" in line
            if formatted and COMMENT.match(line) and len(line) > COLUMNS:
                found.append(f"{path}:{number}: a comment of {len(line)} columns; wrap it at {COLUMNS}")
    return found


def main():
    root = sources.project_root()
    files = sources.files_ending(root, *ENDINGS)
    mode = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
    formatted = subprocess.run([CLANG_FORMAT, *mode, *files], cwd=root).returncode
    return sources.report(faults(root)) or formatted


if __name__ == "__main__":
    sys.exit(main())
