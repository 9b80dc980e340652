"""The generated references in docs/ are what TableGen gives today."""

import os
import subprocess
import sys
import tempfile

import sources

GENERATED = ["Dialect.md", "Passes.md"]


def faults(root):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(root, "scripts", "docs.sh"), folder], check=True)
        return [f"docs/{name}: not current; run `make docs`" for name in GENERATED
                if sources.read(folder, name) != sources.read(root, os.path.join("docs", name))]


if __name__ == "__main__":
    sys.exit(sources.report(faults(sources.project_root())))
