"""Each check of this folder refuses what it is there to refuse, and only that."""

import os
import subprocess
import tempfile
import unittest

import changed
import format
import headers
import interfaces
import layers
import links
import paths
import requirements
import runtime_symbols

TABLE = """
| layer | folder | may use | never |
|---|---|---|---|
| 0 | `Support` | LLVM | anything of ours |
| 1 | `Layout`, `Target` | 0, LLVM | MLIR |
| 2 | `IR` | 0, Layout, LLVM, MLIR | passes |
| 2 | `Layout/Kernels` | 0, Layout, LLVM | MLIR |
| 4 | `ONNX` | 0, IR, LLVM, MLIR | Target |
| 5 | `Transforms/*` | 0-4, LLVM, MLIR | a sibling folder |
| 7 | `tools` | all | |
"""


class TreeTest(unittest.TestCase):
    """A test that writes a small project and checks it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("docs/Architecture.md", TABLE)

    def write(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def includes(self, path, *included):
        self.write(path, "".join(f'#include "{name}"\n' for name in included))


class LayersTest(TreeTest):
    def accepted(self):
        self.assertEqual(layers.faults(self.folder.name), [])

    def refused(self, message):
        found = layers.faults(self.folder.name)
        self.assertEqual(len(found), 1, found)
        self.assertIn(message, found[0])

    def test_looks_at_files_of_c(self):
        self.includes("lib/Layout/AxisMap.c", "inlay/IR/Ops.h")
        self.refused("Layout may not use IR")

    def test_accepts_includes_that_go_down(self):
        self.includes("lib/IR/Ops.cpp", "inlay/Support/Error.h", "inlay/Layout/AxisMap.h", "mlir/IR/Types.h")
        self.accepted()

    def test_refuses_an_include_that_goes_up(self):
        self.includes("include/inlay/Layout/AxisMap.h", "llvm/ADT/ArrayRef.h", "inlay/IR/Ops.h")
        self.refused("include/inlay/Layout/AxisMap.h:2: include of inlay/IR/Ops.h: Layout may not use IR")

    def test_refuses_a_neighbour_of_the_same_layer(self):
        self.includes("lib/Target/Limits.cpp", "inlay/Layout/AxisMap.h")
        self.refused("Target may not use Layout")

    def test_refuses_a_lower_folder_that_is_not_listed(self):
        self.includes("lib/ONNX/Import.cpp", "inlay/Target/Limits.h")
        self.refused("ONNX may not use Target")

    def test_refuses_mlir_below_the_ir(self):
        self.includes("lib/Layout/AxisMap.cpp", "mlir/IR/Types.h")
        self.refused("Layout may not use MLIR")

    def test_accepts_a_folder_of_transforms_that_uses_itself(self):
        self.includes("lib/Transforms/Simplify/Fold.cpp", "inlay/Transforms/Simplify/Passes.h", "inlay/IR/Ops.h")
        self.accepted()

    def test_refuses_a_sibling_under_transforms(self):
        self.includes("lib/Transforms/Simplify/Fold.cpp", "inlay/Transforms/Layout/Passes.h")
        self.refused("Transforms/Simplify may not use Transforms/Layout")

    def test_accepts_a_folder_with_a_row_of_its_own_inside_another(self):
        self.includes("lib/Layout/Kernels/Copy.cpp", "inlay/Layout/AxisMap.h", "inlay/Layout/Kernels/Copy.h")
        self.accepted()

    def test_refuses_a_folder_inside_one_that_may_be_used(self):
        self.includes("lib/IR/Ops.cpp", "inlay/Layout/AxisMap.h", "inlay/Layout/Kernels/Copy.h")
        self.refused("IR may not use Layout/Kernels")

    def test_refuses_a_folder_inside_the_own_one(self):
        self.includes("lib/Layout/AxisMap.cpp", "inlay/Layout/Kernels/Copy.h")
        self.refused("Layout may not use Layout/Kernels")

    def test_refuses_a_path_that_leaves_its_folder(self):
        self.includes("lib/IR/Ops.cpp", "../ONNX/Private.h")
        self.refused("leaves its folder")

    def test_refuses_a_folder_that_the_table_lacks(self):
        self.includes("lib/Misc/Things.cpp", "inlay/Support/Error.h")
        self.refused("Misc is not in the layer table")

    def test_reads_includes_of_tablegen(self):
        self.write("include/inlay/IR/Ops.td", 'include "inlay/ONNX/Names.td"\n')
        self.refused("IR may not use ONNX")

    def test_lets_tools_use_everything(self):
        self.includes("tools/inlay/main.cpp", "inlay/Transforms/Layout/Passes.h", "mlir/IR/Types.h")
        self.accepted()


class InterfacesTest(TreeTest):
    """The dialect has Conv and Relu; what is checked is one function of an analysis."""

    def setUp(self):
        super().setUp()
        self.write("include/inlay/IR/SomeOps.td",
                   'def Inlay_ConvOp : Inlay_Op<"conv"> {}\ndef Inlay_ReluOp\n    : Inlay_Op<"relu">;\n')

    def found(self, code, path="lib/Analysis/Find.cpp"):
        self.write(path, "bool find(Operation *op) { %s }\n" % code)
        return interfaces.faults(self.folder.name)

    def refused(self, code, message):
        found = self.found(code)
        self.assertEqual(len(found), 1, found)
        self.assertIn(message, found[0])

    def test_accepts_a_question_to_an_interface(self):
        self.assertEqual(self.found("return isa<StorageOpInterface, FusionOpInterface>(op);"), [])

    def test_accepts_a_single_operator(self):
        self.assertEqual(self.found("return isa<ConstantOp>(op) || op->use_empty();"), [])

    def test_accepts_several_types_that_are_no_operators(self):
        self.assertEqual(self.found("return isa<FloatType, IntegerType>(type);"), [])

    def test_refuses_several_operators(self):
        self.refused("return isa<ConvOp, ReluOp>(op);", "lib/Analysis/Find.cpp:1: asks for one of several operators")

    def test_accepts_several_operators_in_patterns(self):
        self.write("lib/Analysis/Patterns/Find.cpp", "return isa<ConvOp, ReluOp>(op);")
        self.assertEqual(self.found(""), [])

    def test_refuses_several_operators_over_lines(self):
        self.refused("return isa_and_present<ConvOp,\n    ReluOp>(op);", "isa_and_present<ConvOp, ReluOp>")

    def test_refuses_one_operator_or_another(self):
        self.refused("return isa<ConvOp>(op) || isa<ReluOp>(op);", "asks for one of several operators")

    def test_refuses_a_switch_over_operators(self):
        self.refused("return TypeSwitch<Operation *, bool>(op).Default(false);", "switches over operators")

    def test_accepts_a_switch_over_attributes(self):
        self.assertEqual(self.found("return TypeSwitch<Attribute, bool>(op).Default(false);"), [])

    def test_refuses_the_type_of_an_operator(self):
        self.refused('return getOpType(op) == "Conv";', 'names the operator type "Conv"')

    def test_refuses_the_name_of_an_operation(self):
        self.refused('return op->getName() == "inlay.relu";', 'names the operator type "inlay.relu"')

    def test_accepts_other_strings_and_comments(self):
        self.assertEqual(self.found('print("Convolution"); // isa<ConvOp, ReluOp> or "Conv"\n'), [])

    def test_accepts_lists_where_operators_are_defined(self):
        self.assertEqual(self.found("return isa<ConvOp, ReluOp>(op);", "lib/IR/Find.cpp"), [])

    def test_refuses_a_tree_without_operators(self):
        os.remove(os.path.join(self.folder.name, "include/inlay/IR/SomeOps.td"))
        self.assertIn("no definition of an operator", self.found("")[0])


BANNER = ("//===- Error.h - Errors with a stable exit code -----------------*- C++ -*-===//\n"
          "//\n// Part of the Inlay project, under the Apache License v2.0 with LLVM\n"
          "// Exceptions. See LICENSE for license information.\n" + headers.SPDX + "\n")
GUARD = "#ifndef INLAY_SUPPORT_ERROR_H\n#define INLAY_SUPPORT_ERROR_H\n#endif // INLAY_SUPPORT_ERROR_H\n"


class HeadersTest(TreeTest):
    def faults_of_header(self, text):
        self.write("include/inlay/Support/Error.h", text)
        return headers.faults(self.folder.name)

    def test_accepts_a_banner_and_a_guard(self):
        self.assertEqual(self.faults_of_header(BANNER + GUARD), [])

    def test_refuses_a_file_without_banner(self):
        self.assertEqual(len(self.faults_of_header(GUARD)), 1)

    def test_refuses_the_name_of_another_file(self):
        self.assertEqual(len(self.faults_of_header(BANNER.replace("Error.h", "Other.h") + GUARD)), 1)

    def test_refuses_a_banner_without_license(self):
        self.assertEqual(len(self.faults_of_header(BANNER.replace("SPDX", "") + GUARD)), 1)

    def test_refuses_a_guard_of_another_path(self):
        self.assertEqual(len(self.faults_of_header(BANNER + GUARD.replace("SUPPORT", "IR"))), 1)

    def test_refuses_a_script_without_comment(self):
        self.write("scripts/a.sh", "#!/bin/sh\nls\n")
        self.write("scripts/b.sh", "#!/bin/sh\n# Lists.\nls\n")
        self.assertEqual(headers.faults(self.folder.name), ["scripts/a.sh:1: must open with a comment"])


class CHeadersTest(TreeTest):
    """A header with the comments of C."""
    BANNER = ("/*===- Model.h - Models as C programs see them ----------------------*- C -*-===\n"
              " *\n * Part of the Inlay project, under the Apache License v2.0 with LLVM\n"
              " * Exceptions. See LICENSE for license information.\n * " + headers.LICENSE + "\n */\n")
    GUARD = "#ifndef INLAY_NATIVE_MODEL_H\n#define INLAY_NATIVE_MODEL_H\n#endif /* INLAY_NATIVE_MODEL_H */\n"

    def faults(self, text, path="include/inlay/Native/Model.h"):
        self.write(path, text)
        return headers.faults(self.folder.name)

    def test_accepts_a_banner_and_a_guard(self):
        self.assertEqual(self.faults(self.BANNER + self.GUARD), [])

    def test_refuses_a_banner_without_license(self):
        self.assertEqual(len(self.faults(self.BANNER.replace("SPDX", "") + self.GUARD)), 1)

    def test_refuses_a_guard_of_another_path(self):
        self.assertEqual(len(self.faults(self.BANNER + self.GUARD.replace("NATIVE", "IR"))), 1)

    def test_refuses_such_a_banner_elsewhere(self):
        self.assertEqual(len(self.faults(self.BANNER.replace("Model.h", "Model.c"), "lib/Native/Model.c")), 1)


class RuntimeSymbolsTest(unittest.TestCase):
    LIST = "close\nopen\ntls x86_64\n"

    def faults(self, found, arch="x86_64", visible=()):
        return runtime_symbols.faults_of(arch, runtime_symbols.listed(self.LIST, arch), found, visible)

    def test_accepts_what_is_listed(self):
        self.assertEqual(self.faults(["open", "close", "tls"]), [])
        self.assertEqual(self.faults(["open", "close"], "aarch64"), [])

    def test_refuses_another_symbol(self):
        self.assertIn("needs printf", self.faults(["open", "close", "tls", "printf"])[0])

    def test_refuses_one_of_the_other_architecture(self):
        self.assertIn("needs tls", self.faults(["open", "close", "tls"], "aarch64")[0])

    def test_refuses_a_list_that_has_more(self):
        self.assertIn("has tls", self.faults(["open", "close"])[0])

    def test_refuses_what_is_not_hidden(self):
        self.assertIn("shows inlay_run", self.faults(["open", "close", "tls"], visible=["inlay_run"])[0])


class FormatTest(TreeTest):
    LONG = "// " + "x" * 78 + "\n"

    def accepted(self, text):
        self.write("lib/IR/Ops.cpp", text)
        self.assertEqual(format.faults(self.folder.name), [])

    def test_accepts_comments_of_80_columns(self):
        self.accepted("// " + "x" * 77 + "\n")

    def test_refuses_a_longer_comment(self):
        self.write("lib/IR/Ops.cpp", "int x;\n  " + self.LONG)
        self.assertEqual(format.faults(self.folder.name),
                         ["lib/IR/Ops.cpp:2: a comment of 83 columns; wrap it at 80"])

    def test_refuses_a_longer_comment_of_c(self):
        self.write("lib/IR/Ops.c", "/* short\n * " + "x" * 78 + " */\n")
        self.assertEqual(len(format.faults(self.folder.name)), 1)

    def test_accepts_what_is_not_formatted(self):
        self.accepted("// clang-format off\n" + self.LONG + "// clang-format on\n")

    def test_refuses_what_follows_it(self):
        self.write("lib/IR/Ops.cpp", "// clang-format off\n// clang-format on\n" + self.LONG)
        self.assertEqual(len(format.faults(self.folder.name)), 1)


class PathsTest(TreeTest):
    def faults_of_line(self, line):
        self.write("docs/Note.md", line)
        return paths.faults(self.folder.name)

    def test_accepts_relative_and_system_paths(self):
        self.assertEqual(self.faults_of_line("see lib/home/x, /usr/lib/llvm-19 and $HOME/work/x"), [])

    def test_refuses_a_folder_of_a_machine(self):
        self.assertEqual(len(self.faults_of_line("see " + "/ho" + "me/someone/x")), 1)

    def test_refuses_a_registry(self):
        self.assertEqual(len(self.faults_of_line("from registry" + ".example.org")), 1)


class LinksTest(TreeTest):
    def faults(self, text):
        self.write("docs/Target.md", "# The *first* one, really\n\n## Again\n\n## Again\n\n```\n# no heading\n```\n")
        self.write("docs/Note.md", text)
        return links.faults(self.folder.name)

    def refused(self, text, message):
        found = self.faults(text)
        self.assertEqual(len(found), 1, found)
        self.assertIn(message, found[0])

    def test_accepts_files_folders_headings_and_other_places(self):
        self.assertEqual(self.faults(
            "# Own\n[a](Target.md) ![b](../docs) [c](Target.md#the-first-one-really) [d](#own)\n"
            "[e](Target.md#again-1 \"title\") [f](https://example.org/no#where) <a id=\"x\"></a>[g](#x)\n"
            "\n[h]: Target.md#again\n"), [])

    def test_refuses_a_file_that_is_not_there(self):
        self.refused("\n[a](Gone.md)", "docs/Note.md:2: the link 'Gone.md' leads to nothing")
        self.refused("![a](gone.png)", "leads to nothing")
        self.refused("[a]: Gone.md", "leads to nothing")

    def test_refuses_a_heading_that_is_not_there(self):
        self.refused("[a](Target.md#second)", "names a heading that docs/Target.md does not have")
        self.refused("[a](Target.md#again-2)", "names a heading")
        self.refused("[a](Target.md#no-heading)", "names a heading")
        self.refused("[a](#own)", "names a heading that docs/Note.md does not have")

    def test_refuses_a_way_out_of_the_project(self):
        self.refused("[a](../../x.md)", "leads out of the project")
        self.refused("[a](/docs/Target.md)", "leads out of the project")

    def test_does_not_read_code(self):
        self.assertEqual(self.faults("`[a](Gone.md)`\n\n    [a](Gone.md)\n\n```\n[a](Gone.md)\n```\n"), [])
        self.refused("```\n```\n[a](Gone.md)", "leads to nothing")

    def test_refuses_a_document_that_a_source_makes_up(self):
        self.write("lib/IR/Ops.cpp", "// See docs/Target.md and docs/Gone.md.\n")
        self.refused("", "lib/IR/Ops.cpp:1: there is no docs/Gone.md")


class RequirementsTest(TreeTest):
    def setUp(self):
        super().setUp()
        self.write("docs/Requirements.md", "| | |\n|---|---|\n| s1 | one |\n| f20 | two |\n| f21 | three |\n")

    def faults(self, text):
        self.write("test/IR/cast.mlir", text)
        return requirements.faults(self.folder.name)

    def test_accepts_what_the_table_has(self):
        self.assertEqual(self.faults("// f20, f21: a stage\n// Requirement s1: a pair\n"), [])

    def test_accepts_element_types(self):
        self.assertEqual(self.faults("// From f64 to f16.\n"), [])

    def test_refuses_a_number_that_it_lacks(self):
        self.assertEqual(self.faults("// f20, f22: a stage\n"),
                         ["test/IR/cast.mlir: cites f22, which docs/Requirements.md does not have"])

    def test_refuses_a_requirement_that_it_lacks(self):
        self.assertEqual(len(self.faults("// Requirements s1 and s2.\n")), 1)

    def test_refuses_a_document_without_a_table(self):
        self.write("docs/Requirements.md", "")
        self.assertEqual(len(requirements.faults(self.folder.name)), 1)


class ChangedTest(TreeTest):
    """Ten commits, each with a source of its own."""

    def setUp(self):
        super().setUp()
        self.git("init", "-q")
        for number in range(10):
            self.write(f"lib/{number}.cpp", f"int number = {number};\n")
            self.commit(f"{number}")

    def git(self, *arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *arguments], cwd=self.folder.name, check=True)

    def commit(self, title):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", title)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def chosen(self, wanted=None):
        found, _ = changed.choose(self.folder.name, [self.path(f"lib/{n}.cpp") for n in range(10)], wanted)
        return sorted(os.path.basename(path) for path in found)

    def test_chooses_what_was_committed_since_the_base(self):
        self.assertEqual(self.chosen("HEAD~2"), ["8.cpp", "9.cpp"])

    def test_chooses_what_is_not_committed(self):
        self.write("lib/3.cpp", "int other;\n")
        self.assertEqual(self.chosen("HEAD"), ["3.cpp"])

    def test_compares_with_where_a_branch_left_its_base(self):
        self.git("branch", "base", "HEAD~1")
        self.git("checkout", "-q", "base")
        self.write("lib/0.cpp", "int newer;\n")
        self.commit("the base goes on")
        self.git("checkout", "-q", "-")
        self.assertEqual(self.chosen("base"), ["9.cpp"])

    def test_reaches_no_further_than_the_first_commit(self):
        self.assertEqual(self.chosen(), [f"{n}.cpp" for n in range(1, 10)])

    def test_chooses_all_without_an_earlier_commit(self):
        shallow = tempfile.TemporaryDirectory()
        self.addCleanup(shallow.cleanup)
        self.git("clone", "-q", "--depth", "1", f"file://{self.folder.name}", shallow.name)
        self.assertEqual(changed.choose(shallow.name, ["a", "b"]), ({"a", "b"}, "no earlier commit"))

    def test_refuses_a_base_that_is_no_commit(self):
        with self.assertRaisesRegex(ValueError, "INLAY_BASE 'mian' is no commit"):
            self.chosen("mian")

    def test_chooses_nothing_for_what_is_no_source(self):
        self.write("include/a.h", "int a;\n")
        self.assertEqual(self.chosen("HEAD"), [])


if __name__ == "__main__":
    unittest.main()
