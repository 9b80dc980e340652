"""Fails on an #include that breaks the layer table of docs/Architecture.md.

The table is the only place that states the layers. Its "may use" column names
layers (`0`, `0-2`), folders, LLVM and MLIR; a folder may always use itself.
"""

import re
import sys

import sources

INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
ENDINGS = (".h", ".c", ".cpp", ".td")
# Folders whose files the table speaks of, and the prefix to take off.
ROOTS = ("include/inlay/", "lib/", "tools/")


class Layers:
    def __init__(self, rows):
        self.layer_of = {}
        self.allowed = {}
        for layer, folders, uses in rows:
            for folder in folders:
                self.layer_of[folder] = layer
                self.allowed[folder] = uses

    def folder_of(self, path):
        """The table's name for where `path` (Transforms/Simplify/X.h) lies."""
        parts = path.split("/")
        nested = "/".join(parts[:2])
        if len(parts) > 2 and (parts[0] == "Transforms" or nested in self.layer_of):
            return nested
        return parts[0]

    def row_of(self, folder):
        return "Transforms/*" if folder.startswith("Transforms/") else folder

    def is_known(self, folder):
        return self.row_of(folder) in self.layer_of

    def may_use(self, user, used):
        if user == used or "all" in self.allowed[self.row_of(user)]:
            return True
        uses = self.allowed[self.row_of(user)]
        return self.row_of(used) in uses or self.layer_of.get(self.row_of(used)) in uses


def parse_uses(cell):
    """{0, 1, 2, 'MLIR'} from "0-2, MLIR"."""
    uses = set()
    for item in cell.replace("`", "").split(","):
        item = item.strip()
        bounds = re.fullmatch(r"(\d)(?:-(\d))?", item)
        if bounds:
            uses |= set(range(int(bounds[1]), int(bounds[2] or bounds[1]) + 1))
        elif item:
            uses.add(item)
    return uses


def parse_table(text):
    """Rows (layer, folders, uses) of the table whose header names them."""
    rows = []
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[:3] == ["layer", "folder", "may use"]:
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and cells[0].isdigit():
            folders = re.findall(r"`([^`]+)`", cells[1])
            rows.append((int(cells[0]), folders, parse_uses(cells[2])))
    return rows


def folder_of_file(layers, path):
    if path.startswith("tools/"):
        return "tools"
    prefix = next(root for root in ROOTS if path.startswith(root))
    return layers.folder_of(path[len(prefix):])


def fault_of_include(layers, user, included):
    if included.startswith(".."):
        return "leaves its folder"
    if included.startswith(("mlir/", "mlir-c/")):
        return None if layers.may_use(user, "MLIR") else f"{user} may not use MLIR"
    if not included.startswith("inlay/"):
        return None
    used = layers.folder_of(included[len("inlay/"):])
    if not layers.is_known(used):
        return f"{used} is not in the layer table"
    if not layers.may_use(user, used):
        return f"{user} may not use {used}"
    return None


def faults(root):
    layers = Layers(parse_table(sources.read(root, "docs/Architecture.md")))
    found = []
    for path in sources.files_ending(root, *ENDINGS):
        if not path.startswith(ROOTS):
            continue
        user = folder_of_file(layers, path)
        if not layers.is_known(user):
            found.append(f"{path}: {user} is not in the layer table")
            continue
        text = sources.read(root, path)
        for match in INCLUDE.finditer(text):
            fault = fault_of_include(layers, user, match[1])
            if fault:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f"{path}:{line}: include of {match[1]}: {fault}")
    return found


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root())))
