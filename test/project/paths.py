"""No file names a folder of somebody's machine or a package registry."""

import re
import sys

import sources

FORBIDDEN = [
    (re.compile(r"(?<![\w.$}%*])/(home|root|Users|work|workspace)/"), "a path of one machine"),
    (re.compile(r"npmjs\.|artifactor[y]|(registry|pkg)\.([\w-]+\.)*(org|com|dev|io)\b"), "a package registry"),
]


def faults(root):
    found = []
    for path in sources.text_files(root):
        for number, line in enumerate(sources.read(root, path).splitlines(), 1):
            for pattern, what in FORBIDDEN:
                match = pattern.search(line)
                if match:
                    found.append(f"{path}:{number}: names {what}: {match[0]}")
    return found


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root())))
