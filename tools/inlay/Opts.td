//===- Opts.td - The options of inlay ----------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

// One visibility per verb: an option of another verb is unknown.
def CompileVerb : OptionVisibility;
def InspectVerb : OptionVisibility;
def RunVerb : OptionVisibility;
def CompareVerb : OptionVisibility;
def ExplainVerb : OptionVisibility;
def TargetsVerb : OptionVisibility;
def RewritesVerb : OptionVisibility;
def BenchVerb : OptionVisibility;
def ExtractVerb : OptionVisibility;
def BisectVerb : OptionVisibility;
def DoctorVerb : OptionVisibility;
def ReduceVerb : OptionVisibility;
def ReportVerb : OptionVisibility;

class Verbs<list<OptionVisibility> verbs> : Visibility<verbs>;
class OfAll : Verbs<[CompileVerb, InspectVerb, RunVerb, CompareVerb, ExplainVerb,
                     TargetsVerb, RewritesVerb, BenchVerb, ExtractVerb,
                     BisectVerb, DoctorVerb, ReduceVerb, ReportVerb]>;

// An option with a value: "--name VALUE" or "--name=VALUE".
multiclass Value<string name, string metaVar, string help,
                 list<OptionVisibility> verbs> {
  def NAME : Separate<["--"], name>, MetaVarName<metaVar>, HelpText<help>,
             Verbs<verbs>;
  def NAME#_eq : Joined<["--"], name#"=">, Alias<!cast<Option>(NAME)>,
                 Verbs<verbs>;
}

defm output : Value<"output", "PATH",
  "Where to write: a file (compile, targets new, extract, reduce, report), a "
  "folder for the outputs (run), or a .npz for what the first node that "
  "differs reads "
  "(bisect)",
  [CompileVerb, RunVerb, TargetsVerb, ExtractVerb, BisectVerb, ReduceVerb,
   ReportVerb]>;
def o : JoinedOrSeparate<["-"], "o">, Alias<output>, MetaVarName<"PATH">,
        HelpText<"Short for --output">,
        Verbs<[CompileVerb, RunVerb, TargetsVerb, ExtractVerb, BisectVerb,
               ReduceVerb, ReportVerb]>;

defm dim : Value<"dim", "NAME=N",
  "Fix a dimension of the inputs by its name; 0 where no output becomes empty "
  "by it; NAME=1..N leaves it open up to N in a library; may be repeated",
  [CompileVerb, InspectVerb, RunVerb, CompareVerb, ExplainVerb, BenchVerb,
   ExtractVerb, BisectVerb, ReduceVerb, ReportVerb]>;
defm shape : Value<"shape", "INPUT:N,N,...",
  "Fix the shape of an input; may be repeated",
  [CompileVerb, InspectVerb, RunVerb, CompareVerb, ExplainVerb, BenchVerb,
   ExtractVerb, BisectVerb, ReduceVerb, ReportVerb]>;

defm data_root : Value<"data-root", "DIR",
  "Allow external data below this folder, wherever the model says it lies, and "
  "look for it there where the model's own folder has none; may be repeated",
  [CompileVerb, InspectVerb, RunVerb, CompareVerb, ExplainVerb, BenchVerb,
   ExtractVerb, BisectVerb, ReduceVerb, ReportVerb]>;

defm simplify : Value<"simplify", "on|off",
  "Compute what is constant, drop what does nothing (default: on)",
  [CompileVerb]>;
defm fold_limit : Value<"fold-limit", "BYTES",
  "How much larger tensors computed at compile time may make the model, such "
  "as 65536 or 4MiB (default: 1MiB or 1 % of it, whichever is more)",
  [CompileVerb]>;
defm rewrite : Value<"rewrite", "on|off|NAME,...|-NAME,...",
  "Fold weights and replace subgraphs by what computes the same: all rewrites, "
  "none, only those or all but those; 'inlay rewrites' lists them (default: "
  "off)", [CompileVerb, CompareVerb, BisectVerb, ExplainVerb, ReduceVerb,
   ReportVerb]>;
defm opset : Value<"opset", "N",
  "Write the model in opset N, at least its own (default: its own)",
  [CompileVerb]>;
defm external_data : Value<"external-data", "auto|always|never",
  "Whether weights go into a file of their own (default: auto, above 1 GiB)",
  [CompileVerb, ExtractVerb]>;
defm target : Value<"target", "NAME|FILE",
  "The hardware: a built-in target or a target file (default: ort, plain "
  "ONNX that takes no longer in ONNX Runtime)",
  [CompileVerb, InspectVerb, CompareVerb, BisectVerb, ExplainVerb, ReduceVerb,
   ReportVerb]>;
def t : JoinedOrSeparate<["-"], "t">, Alias<target>, MetaVarName<"NAME|FILE">,
        HelpText<"Short for --target">,
        Verbs<[CompileVerb, InspectVerb, CompareVerb, BisectVerb, ExplainVerb,
               ReduceVerb, ReportVerb]>;
defm layout_strategy : Value<"layout-strategy",
  "per-op|region|region-plus|optimal",
  "How storage orders are chosen (default: optimal)",
  [CompileVerb, ReportVerb]>;
defm fusion_strategy : Value<"fusion-strategy", "greedy|optimal|off",
  "How operators are put into groups for the target's pipeline and into "
  "kernels (default: greedy)",
  [CompileVerb, CompareVerb, BisectVerb, ExplainVerb, ReduceVerb,
   ReportVerb]>;
defm graph_kernels : Value<"graph-kernels", "on|off",
  "Make kernels of what no pipeline takes, so that less is read and written "
  "(default: off)", [CompileVerb, CompareVerb, BisectVerb, ExplainVerb, ReduceVerb,
   ReportVerb]>;
def strict : Flag<["--"], "strict">,
             HelpText<"Fail, listing all, when the target's pipeline does not "
                      "take an operator; for targets with a pipeline or "
                      "limits">, Verbs<[CompileVerb]>;
defm minimize : Value<"minimize", "bytes|count",
  "What counts first: bytes moved or the number of transposes "
  "(default: bytes)", [CompileVerb, ExplainVerb, ReportVerb]>;
defm io_layout : Value<"io-layout", "NAME:LAYOUT",
  "Store an input or output so, such as x:NHWC; may be repeated",
  [CompileVerb, ExplainVerb, ReportVerb]>;
defm expand : Value<"expand", "all|OPERATOR,...",
  "Write what composite operators consist of in their place: all of them, "
  "operators of ONNX by name, or both (for tests of expansions)", [CompileVerb]>;
defm verify : Value<"verify", "auto|on|off",
  "Execute the model before and after and compare (default: auto, where it "
  "takes a few seconds at most)", [CompileVerb, ReduceVerb]>;
defm emit : Value<"emit", "onnx|mlir|library|NAME",
  "What to write (default: mlir when the file is named .mlir, a library of "
  "machine code when it is named .so, else onnx); NAME is a back end that "
  "--backend loads",
  [CompileVerb, ReduceVerb]>;
defm cpu : Value<"cpu", "native|generic|NAME",
  "The CPU that a library is for: this one, the least of its kind, or "
  "x86-64-v3, x86-64-v4, armv8-a (default: native)", [CompileVerb]>;
defm triple : Value<"triple", "x86_64-linux-gnu|aarch64-linux-gnu",
  "The machine that a library is for (default: this one)", [CompileVerb]>;
defm prefix : Value<"prefix", "NAME",
  "What the functions of a library begin with (default: the file's name)",
  [CompileVerb]>;
defm weights : Value<"weights", "auto|file|inside",
  "Where a library has its weights (default: auto, in a file from 16 MB on)",
  [CompileVerb]>;
defm backend : Value<"backend", "LIB.so",
  "Load a back end from a shared library; may be repeated",
  [CompileVerb, ReduceVerb]>;

defm stop_after : Value<"stop-after", "PASS[:N]",
  "Write the module as MLIR after this pass, or its Nth; the module says which "
  "passes are left", [CompileVerb]>;
def print_pipeline : Flag<["--"], "print-pipeline">,
  Visibility<[CompileVerb]>,
  HelpText<"Print the passes that would run, for inlay-opt --pass-pipeline">;

defm input : Value<"input", "NAME=FILE|FILE|random:SEED",
  "A value for an input from a .npy, .npz or .pb file, or random values for "
  "all others (default: random:0); may be repeated",
  [RunVerb, CompareVerb, BenchVerb, BisectVerb, ReduceVerb]>;
def native : Flag<["--"], "native">, Verbs<[RunVerb, CompareVerb, BisectVerb, ReduceVerb]>,
  HelpText<"Compile the model for this machine, in memory, and run that">;
def check : Flag<["--"], "check">, Verbs<[RunVerb]>,
  HelpText<"Evaluate what each kernel computes on the same tensors, too; exit "
           "1 when one is wrong">;
defm dump_to : Value<"dump", "DIR",
  "Write what every node computes to a file of its own in that folder",
  [RunVerb]>;
defm only : Value<"only", "NAME,...",
  "With --dump, these tensors or nodes only; may be repeated", [RunVerb]>;
defm threads : Value<"threads", "N[,N...]",
  "Threads that run a kernel together (default: 1); bench takes several numbers",
  [RunVerb, CompareVerb, BenchVerb, BisectVerb]>;
defm cache : Value<"cache", "DIR|off",
  "Where machine code is kept for the next time (default: 'inlay' in the "
  "user's cache folder)", [CompileVerb, RunVerb, CompareVerb, BenchVerb, BisectVerb]>;
defm jobs : Value<"jobs", "N",
  "Parts of machine code that are compiled at once (default: one per core)",
  [CompileVerb, RunVerb, CompareVerb, BenchVerb, BisectVerb]>;
defm winograd : Value<"winograd", "on|off",
  "Compute convolutions of 3 x 3 taps by Winograd's products where that is "
  "faster (default: on)",
  [CompileVerb, RunVerb, CompareVerb, BenchVerb, BisectVerb]>;
defm memory : Value<"memory", "BYTES",
  "Bytes that weights and tensors may take, such as 64MB (default: no limit)",
  [CompileVerb, RunVerb, CompareVerb, BenchVerb, BisectVerb]>;
defm rounds : Value<"rounds", "N",
  "How often to run (default: for a second, three times at least)",
  [BenchVerb]>;
// A flag: `report` has an option of that name, which no other kind may stand
// beside. What is joined to it is refused.
def profile : Joined<["--"], "profile">, MetaVarName<"">, Verbs<[BenchVerb]>,
  HelpText<"Say where the time goes, step by step">;
defm profile_file : Value<"profile", "FILE",
  "Show the times, too, that 'inlay bench --profile --format json' printed",
  [ReportVerb]>;
defm tolerance : Value<"tolerance", "X",
  "Largest max|a-b| / max|a| of floats that counts as equal (default: 1e-6; "
  "two units in the last place for 16-bit floats)", [CompareVerb, BisectVerb, ReduceVerb]>;
def layers : Flag<["--"], "layers">, Verbs<[CompareVerb]>,
  HelpText<"Compare what both models compute on the way, tensor by tensor">;

// Also "--check CMD": CommandLine.cpp joins the two, because the flag of run has
// the name.
def check_command : Joined<["--"], "check=">, MetaVarName<"CMD">,
  Verbs<[ReduceVerb]>,
  HelpText<"The fault is that this command of the shell fails: it finds the "
           "model in $MODEL and inputs in $INPUTS">;
defm differs : Value<"differs", "B",
  "The fault is that this model computes something else", [ReduceVerb]>;
def crashes : Flag<["--"], "crashes">, Verbs<[ReduceVerb]>,
  HelpText<"The fault is that compiling ends by an error of inlay itself or a "
           "signal; takes options of compile">;

defm inputs : Value<"inputs", "NAME,...",
  "Tensors that the part takes (default: the model's own inputs); may be "
  "repeated", [ExtractVerb]>;
defm outputs : Value<"outputs", "NAME,...",
  "Tensors that the part gives; may be repeated", [ExtractVerb]>;

defm format : Value<"format", "text|json",
  "How to print the result (default: text)",
  [CompileVerb, InspectVerb, RunVerb, CompareVerb, ExplainVerb, TargetsVerb,
   RewritesVerb, BenchVerb, ExtractVerb, BisectVerb, DoctorVerb,
   ReduceVerb, ReportVerb]>;
defm report_json : Value<"report-json", "FILE",
  "Write the report there as JSON, too", [CompileVerb]>;
def cost : Flag<["--"], "cost">, Verbs<[InspectVerb]>,
  HelpText<"Say what nodes compute, read and write; with the rates of a target "
           "how long that takes">;
def all : Flag<["--"], "all">, Verbs<[ExplainVerb]>,
  HelpText<"List every operator, every value between groups and how groups "
           "grew">;
def quiet : Flag<["--"], "quiet">, OfAll,
  HelpText<"Print errors and what was asked for only: no notes, no progress, "
           "and no report where -o has what was asked for, unless --format "
           "asks for one">;
def q : Flag<["-"], "q">, Alias<quiet>, HelpText<"Short for --quiet">, OfAll;
defm log_level : Value<"log-level", "error|warning|info|debug",
  "How much is said on stderr: errors, also warnings, also notes and progress, "
  "also when each phase begins (default: info)",
  [CompileVerb, InspectVerb, RunVerb, CompareVerb, ExplainVerb, TargetsVerb,
   RewritesVerb, BenchVerb, ExtractVerb, BisectVerb, DoctorVerb,
   ReduceVerb, ReportVerb]>;
def verbose : Flag<["--"], "verbose">, HelpText<"List everything">,
              Verbs<[CompileVerb, InspectVerb]>;
def help : Flag<["--"], "help">, HelpText<"Print this help">, OfAll;
def h : Flag<["-"], "h">, Alias<help>, OfAll;
