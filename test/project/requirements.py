"""Every requirement that a test cites is one of docs/Requirements.md."""

import re
import sys

import sources

TABLE = re.compile(r"^\| ([sf]\d+) \|", re.MULTILINE)
NUMBER = r"[sf]\d+"
LIST = rf"{NUMBER}(?:(?:, | and | to ){NUMBER})*"
# "Requirements f17, f18 and f54: ..." anywhere, "// f20, f21: ..." in front of
# a function of a lit test.
CITED = re.compile(rf"Requirements? ({LIST})|^// ({LIST}): ", re.MULTILINE)


def faults(root):
    known = set(TABLE.findall(sources.read(root, "docs/Requirements.md")))
    if not known:
        return ["docs/Requirements.md: no table of requirements"]
    found = []
    for path in sources.files_ending(root, ".mlir", ".cpp", ".c", ".h", ".js", ".test"):
        for match in CITED.finditer(sources.read(root, path)):
            found += [f"{path}: cites {number}, which docs/Requirements.md does not have"
                      for number in re.findall(NUMBER, match.group(0)) if number not in known]
    return found


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root())))
