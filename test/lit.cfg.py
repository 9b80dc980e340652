# How lit runs the tests of this folder. A test is a .mlir or .test file with
# RUN lines; lit.site.cfg.py, written by CMake, says where the tools are.

import os

import lit.formats

config.name = "Inlay"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "consumer", "fuzz", "models", "oracle", "project"]
config.test_source_root = os.path.dirname(__file__)


def tool(folder, name):
    """The path of a tool; a missing one must fail every test, not skip it."""
    path = os.path.join(folder, name)
    if not os.access(path, os.X_OK):
        lit_config.fatal("%s is missing: build it, or run scripts/setup.sh build test" % path)
    return path


oracle = os.path.join(config.inlay_source_dir, "test", "oracle")
config.substitutions += [
    (r"%inlay-opt\b", tool(config.inlay_tools_dir, "inlay-opt")),
    (r"%inlay\b", tool(config.inlay_tools_dir, "inlay")),
    (r"%node\b", config.node),
    # %exits 3 COMMAND: the command ends with exactly that exit code.
    (r"%exits\b", os.path.join(config.inlay_source_dir, "test", "exits.sh")),
    # %oracle/compare.js A B
    (r"%oracle\b", config.node + " " + oracle),
    (r"%models\b", os.path.join(config.inlay_source_dir, "test", "models")),
    (r"%examples\b", os.path.join(config.inlay_source_dir, "examples")),
]
for name in ["FileCheck", "not", "split-file"]:
    tool(config.llvm_tools_dir, name)
config.environment["PATH"] = os.pathsep.join(
    [config.inlay_tools_dir, config.llvm_tools_dir, os.environ["PATH"]]
)
# Sanitizers take more memory and time than limits leave.
if not config.sanitizers:
    config.available_features.add("limits")
# A test may carry the script that builds its model, which requires "onnx.js".
config.environment["NODE_PATH"] = oracle
