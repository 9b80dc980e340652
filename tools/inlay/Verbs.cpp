//===- Verbs.cpp - What the verbs are and how they are used ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

using namespace inlay;

static constexpr VerbInfo verbs[] = {
    {Verb::Compile, "compile", "MODEL -o FILE", "Optimise a model and write it",
     "Optimise a model and write it as ONNX or MLIR. Names, order and types of "
     "inputs\nand outputs stay, and so do the results. Prints what changed: "
     "nodes by kind,\ntransposes and the bytes they move, file size, memory "
     "and time.",
     "  inlay compile resnet50.onnx -o small.onnx\n"
     "  inlay compile bert.onnx -o fixed.onnx --dim batch=1 --dim seq=128\n"
     "  inlay compile net.onnx -o net.mlir --shape x:1,3,224,224\n"
     "  inlay compile net.onnx -o net.so --dim h=224 --dim w=224\n"
     "  inlay compile bert.onnx -o bert.so --dim batch=1 --dim seq=1..512\n"
     "  inlay compile net.onnx -o out.onnx -t nhwc\n"
     "  inlay compile net.onnx -o out.onnx -t my-chip.yaml --io-layout x:NHWC\n"
     "  inlay compile net.onnx -o out.onnx -t opu --report-json groups.json\n"
     "  inlay compile net.onnx -o out.onnx --rewrite on\n"
     "  inlay compile net.onnx -o out.onnx --simplify off --format json\n"
     "  inlay compile - -o - < net.onnx | inlay inspect -\n",
     1},
    {Verb::Inspect, "inspect", "MODEL", "Say what is in a model",
     "Say what is in a model: versions, inputs and outputs, operators by "
     "kind,\ntransposes, weights, the memory of activations, and the nodes "
     "that Inlay keeps\nas they are. Constant nodes count as constants, calls "
     "of functions as what they hold.\nThe weights themselves are not read. "
     "With "
     "--cost also what each\nnode computes, reads and writes.",
     "  inlay inspect resnet50.onnx\n"
     "  inlay inspect bert.onnx --dim batch=1 --format json\n"
     "  inlay inspect resnet50.onnx --cost -t my-chip.yaml\n",
     1},
    {Verb::Run, "run", "MODEL", "Execute a model",
     "Execute a model with the reference executor, which is exact rather than "
     "fast, or\nwith --native as machine code, which is made in memory. Prints "
     "name, type, shape\nand range of every output; with --output, each is "
     "written to a file in that folder\n(.npy, or .pb for element types that "
     "numpy lacks). With --dump what every node computes\nis written in the "
     "same way, while it runs.",
     "  inlay run net.onnx --input x.npy --output out\n"
     "  inlay run net.onnx --input ids=tokens.npy --input random:7\n"
     "  inlay run net.onnx --input batch.npz --format json\n"
     "  inlay run net.onnx --dump tensors --only conv1,pool1\n"
     "  inlay run net.onnx --native --threads 2 --check\n",
     1},
    {Verb::Bench, "bench", "MODEL", "Measure a model as machine code",
     "Compile a model for this machine, in memory, and measure how long it "
     "runs and where\ncompiling spends its time. With --profile also where the "
     "run does, step by step;\n'fallback' is the operator's own reference.",
     "  inlay bench net.onnx\n"
     "  inlay bench net.onnx --threads 1,2 --profile\n"
     "  inlay bench net.onnx --rounds 20 --format json\n",
     1},
    {Verb::Compare, "compare", "A [B]",
     "Run the same inputs through two models; exit 1 when they differ",
     "Run the same inputs through two models and compare every output, or "
     "compare the\ntensors of two files or folders by name. The error of an "
     "output is\nmax|a-b| / max|a|; NaNs and infinities must be at the same "
     "positions, integers\nequal. Where an output of models shows nothing, "
     "what is "
     "in front of it is compared\ninstead; what is beyond the tolerance is "
     "judged "
     "in f64. Exit code 1 when anything\ndiffers or nothing could be compared. "
     "With --native, B (A itself where there is\nnone) runs as machine code. "
     "With --layers what both compute on the way is compared,\ntensor by "
     "tensor. With --target and one model it is compared with what compiling "
     "makes\nof it.",
     "  inlay compare net.onnx small.onnx\n"
     "  inlay compare net.onnx half.onnx --input random:3 --tolerance 1e-2\n"
     "  inlay compare out expected\n"
     "  inlay compare net.onnx --native\n"
     "  inlay compare net.onnx small.onnx --layers\n",
     1, 1, "two files to compare are required"},
    {Verb::Bisect, "bisect", "A [B]",
     "Find the first node at which two models differ; exit 1 when they do",
     "Run the same inputs through two models and compare every tensor that "
     "both have by\nname, in f64. Prints the first node that differs, what it "
     "reads, and how far the\ndifference grows behind it; with --output the "
     "tensors that it reads are written to\na .npz, for the part that 'inlay "
     "extract' cuts out there. With --native, B (A itself\nwhere there is "
     "none) runs as machine code. With --target and\none model it is compared "
     "with what compiling makes of it.",
     "  inlay bisect net.onnx small.onnx\n"
     "  inlay bisect net.onnx -t nhwc\n"
     "  inlay bisect net.onnx small.onnx --input random:3 -o shown.npz\n"
     "  inlay bisect net.onnx --native --format json\n",
     1, 1, "two models to compare are required"},
    {Verb::Reduce, "reduce", "MODEL -o FILE",
     "Find the smallest part of a model that shows a fault",
     "Look for the smallest part of a model that still shows a fault, by "
     "leaving out nodes,\nthen with smaller shapes and simpler weights. The "
     "fault is one of: a command fails\n(--check; a part must end it with the "
     "same exit code), another model computes\nsomething else (--differs), "
     "machine code does (--native), or compiling crashes\n(--crashes). Writes "
     "the part, its inputs beside it (.npz), and with --differs the\nother "
     "model's part (.other.onnx); the best so far is there at any time. Exit "
     "code 1\nwhen the model does not show the fault.",
     "  inlay reduce net.onnx --differs wrong.onnx -o part.onnx\n"
     "  inlay reduce net.onnx --crashes -t my-chip.yaml -o part.onnx\n"
     "  inlay reduce net.onnx --check 'tool \"$MODEL\" \"$INPUTS\"' -o "
     "part.onnx\n"
     "  inlay reduce net.onnx --native -o part.onnx\n",
     1},
    {Verb::Extract, "extract", "MODEL --outputs NAMES -o FILE",
     "Write a part of a model as a model",
     "Write what computes some tensors of a model from others as a model of "
     "its own, with\nthe weights that it needs. Tensors are called by their "
     "names; without --inputs the\npart begins at the model's own inputs.",
     "  inlay extract net.onnx --outputs features -o front.onnx\n"
     "  inlay extract net.onnx --inputs a,b --outputs c -o part.onnx\n"
     "  inlay extract net.onnx --inputs x_3 --outputs y -o tail.onnx --dim "
     "batch=1\n",
     1},
    {Verb::Explain, "explain", "MODEL [NODE]",
     "Say why relayouts remain and why operators are not in one group",
     "For each relayout that the layouts of a target need: which two demands "
     "force it\nand what it costs; for each strategy what it would have cost; "
     "and whether the\nleast is proved. For a target with a pipeline: the "
     "group and the stages of each\noperator, how groups grew, and why values "
     "cross their borders. With NODE only what\nstands at that node or "
     "tensor.",
     "  inlay explain net.onnx\n"
     "  inlay explain net.onnx -t nhwc\n"
     "  inlay explain net.onnx -t nhwc conv1 --format json\n"
     "  inlay explain net.onnx -t opu conv1\n",
     1, 1},
    {Verb::Report, "report", "MODEL -o FILE",
     "Draw a model before and after as a page for a browser",
     "Compile a model and write one page that opens in any browser: the graph "
     "before and\nafter, with groups, kernels and subgraphs that open and "
     "close; in which order each\ntensor is stored, where elements are moved "
     "and why; what nodes cost, and the memory\nthey take. With --profile also "
     "how long they took. The page asks the network for\nnothing.",
     "  inlay report net.onnx -o net.html\n"
     "  inlay report net.onnx -t nhwc -o net.html\n"
     "  inlay report net.onnx -t opu -o net.html --dim batch=1\n"
     "  inlay bench net.onnx --profile --format json > times.json\n"
     "  inlay report net.onnx -t cpu -o net.html --profile times.json\n",
     1},
    {Verb::Targets, "targets", "list|show NAME|new NAME|validate FILE",
     "List, print, start or check descriptions of hardware",
     "A target says in which layouts operators run and what relayouts cost. It "
     "is built\nin or a file of yours: 'list' names the built-in ones, 'show' "
     "prints one, 'new' a\ncommented one to start from, 'validate' reports "
     "every fault of a file with line and\ncolumn. Exit code 4 when there are "
     "any.",
     "  inlay targets list\n"
     "  inlay targets show nhwc\n"
     "  inlay targets new mine -o mine.yaml\n"
     "  inlay targets validate mine.yaml --format json\n",
     1, 1, "list, show, new or validate is required"},
    {Verb::Rewrites, "rewrites", "", "List the equations of --rewrite",
     "A rewrite replaces the left side of an equation by the right side. Each "
     "has a name,\nby which 'inlay compile --rewrite' switches it on or off.",
     "  inlay rewrites\n"
     "  inlay rewrites --format json\n"
     "  inlay compile net.onnx -o out.onnx --rewrite conv-batch-norm\n",
     0},
    {Verb::Doctor, "doctor", "", "Say whether this machine has what is needed",
     "Try what Inlay needs of this machine: the CPU, machine code in memory "
     "and as\nlibraries, the cache of machine code, the targets. Exit code 1 "
     "where something\nis missing.",
     "  inlay doctor\n"
     "  inlay doctor --format json\n",
     0},
};

llvm::ArrayRef<VerbInfo> inlay::getVerbs() { return verbs; }
