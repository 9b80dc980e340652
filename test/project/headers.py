"""Every file of code says what it is, and headers are guarded by their path."""

import os
import re
import sys

import sources

LICENSE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SPDX = "// " + LICENSE
WIDTH = 80
# Headers that programs in C include have comments that all of C knows.
C_HEADER = "/*==="


def banner_fault(path, text):
    """What is wrong with the banner that opens `text`, or None."""
    if text.startswith("#!"):
        text = text.split("\n", 1)[1]
    first = text.split("\n", 1)[0]
    name = os.path.basename(path)
    # What a unit test is about, its name says.
    subject = r" (- \S)?" if name.endswith("Test.cpp") else r" - \S"
    in_c = is_c_header(path, text)
    opening, closing, license = (r"/\*", "", " * " + LICENSE) if in_c else ("//", "//", SPDX)
    if not re.fullmatch(r"%s===- %s%s.*===%s" % (opening, re.escape(name), subject, closing), first):
        return f"the first line must read //===- {name} - subject ---===//"
    if len(first) != WIDTH:
        return f"the first line must be {WIDTH} characters wide, has {len(first)}"
    if license not in text.splitlines()[:6]:
        return "the banner lacks the line: " + license
    return None


def is_c_header(path, text):
    return path.endswith(".h") and text.startswith(C_HEADER)


def guard_name(path):
    """INLAY_IR_ORIGIN_H for a public header, INLAY_LIB_IR_EXTENTS_H for a private one."""
    return "INLAY_" + re.sub(r"[/.-]", "_", path.removeprefix("include/inlay/")).upper()


def guard_fault(path, text):
    guard = guard_name(path)
    end = f"/* {guard} */" if is_c_header(path, text) else f"// {guard}"
    wanted = (f"#ifndef {guard}\n#define {guard}\n", f"#endif {end}\n")
    if wanted[0] not in text or not text.endswith(wanted[1]):
        return f"the include guard must be {guard}, its #endif the last line"
    return None


def opening_fault(path, text):
    """Scripts open with a comment, after the line that names their program."""
    lines = [line for line in text.split("\n")[:2] if not line.startswith("#!")]
    return None if lines[0].startswith(("#", '"""')) else "must open with a comment"


def faults(root):
    found = []
    checks = [((".cpp", ".c", ".h", ".td", ".js"), banner_fault), ((".h",), guard_fault),
              ((".py", ".sh", ".cmake", ".in"), opening_fault)]
    for endings, check in checks:
        for path in sources.files_ending(root, *endings):
            fault = check(path, sources.read(root, path))
            if fault:
                found.append(f"{path}:1: {fault}")
    return found


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root())))
