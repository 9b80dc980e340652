"""Analyses, problems, the pipeline and the plans of code ask interfaces: they have no lists of operators.

A list is an `isa<A, B>` of two or more operators, an `isa<A>(op) || isa<B>(op)`,
a TypeSwitch over operators, or a string with the type of one ("Conv", "inlay.conv").
Patterns are equations between operators, and name those.
"""

import re
import sys

import sources

FOLDERS = tuple(f"{root}/{folder}/" for root in ("lib", "include/inlay")
                for folder in ("Analysis", "LayoutAssign", "HardwareFusion", "KernelFusion", "Pipeline"))
# What these ask of operators, NestOpInterface, ElementOpInterface and FusionOpInterface answer.
FILES = ("lib/Codegen/IndexMaps.", "lib/Codegen/Reductions.", "lib/Codegen/Contraction.", "lib/Codegen/ContractionPlan.",
         "lib/Codegen/ExpandedStep.", "lib/IR/FusionFacts.", "lib/IR/Kernels.")
EQUATIONS = ("lib/Analysis/Patterns/", "include/inlay/Analysis/Patterns/")
# A definition of an operator: its ONNX type and, mostly, what it is called in the dialect.
DEFINITION = re.compile(r'^def\s+Inlay_(\w+)Op\b[^"{;]*(?:"(\w+)")?', re.MULTILINE)

OPERATOR = r"(?:\w+::)*[A-Z]\w*Op"
IS_A = r"\b(?:isa|isa_and_present|isa_and_nonnull|dyn_cast|cast)"
LISTS = [
    (re.compile(rf"{IS_A}\s*<\s*{OPERATOR}\s*,[^>]*>"), "asks for one of several operators"),
    (re.compile(rf"\bisa\w*\s*<\s*{OPERATOR}\s*>\s*\([^()]*(?:\([^()]*\))?[^()]*\)\s*(?:\|\||&&)\s*"
                rf"!?\s*isa\w*\s*<\s*{OPERATOR}\s*>"), "asks for one of several operators"),
    (re.compile(r"\bTypeSwitch\s*<\s*(?:mlir::)?Operation\b"), "switches over operators"),
]
COMMENT = re.compile(r"//[^\n]*")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def operator_types(root):
    """Every string that names an operator."""
    names = set()
    for path in sources.files_ending(root, "Ops.td"):
        for match in DEFINITION.finditer(sources.read(root, path)):
            names.add(match[1])
            names.add("inlay." + (match[2] or match[1]).lower())
    return names


def faults_of_text(text, names):
    """(line, what) of each list in a file."""
    text = COMMENT.sub("", text)
    found = []
    for pattern, what in LISTS:
        found += [(match, f"{what}: {' '.join(match[0].split())}") for match in pattern.finditer(text)]
    found += [(match, f"names the operator type {match[0]}")
              for match in LITERAL.finditer(text) if match[1] in names]
    return sorted((text.count("\n", 0, match.start()) + 1, what) for match, what in found)


def faults(root):
    names = operator_types(root)
    if not names:
        return ["no definition of an operator was found"]
    found = []
    for path in sources.files_ending(root, ".cpp", ".h"):
        if path.startswith(FOLDERS + FILES) and not path.startswith(EQUATIONS):
            found += [f"{path}:{line}: {what}; ask an interface instead"
                      for line, what in faults_of_text(sources.read(root, path), names)]
    return found


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root())))
