//===- inlay-mutation-test.cpp - Damaged models end in orderly errors -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   inlay-mutation-test COUNT FINDINGS MODEL...
//
// Truncates each model or changes some of its bytes, COUNT times, and takes
// what is left through import, simplification and export. That must end in an
// orderly error or in a file that can be imported again; a crash, a wait of
// `maxSeconds` or memory beyond `maxBytes` fails. A child process works on the
// mutants of one model, so that the parent can tell which one ended it; that
// mutant is saved in the folder FINDINGS under its seed.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModelStats.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace inlay;
using namespace mlir;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr unsigned maxSeconds = 20;
static constexpr uint64_t maxBytes = uint64_t(2) << 30;
/// Of one model; the others still get their turn.
static constexpr unsigned maxFindings = 5;
/// More than any model of ours refers to; the file is a hole.
static constexpr uint64_t weightBytes = uint64_t(64) << 20;

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

static char chooseByte(std::mt19937_64 &random, char old) {
  static constexpr char edges[] = {'\0', '\x01', '\x7f', '\x80', '\xff'};
  switch (random() % 3) {
  case 0:
    return char(old ^ (1 << (random() % 8)));
  case 1:
    return edges[random() % std::size(edges)];
  default:
    return char(random());
  }
}

/// The same bytes for the same seed on every machine.
static std::string damage(StringRef model, uint64_t seed) {
  std::mt19937_64 random(seed);
  if (random() % 4 == 0)
    return model.take_front(random() % model.size()).str();
  std::string bytes = model.str();
  for (uint64_t i = 0, e = uint64_t(1) << (random() % 5); i != e; ++i) {
    char &byte = bytes[random() % bytes.size()];
    byte = chooseByte(random, byte);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// One mutant
//===----------------------------------------------------------------------===//

static llvm::Error simplify(ModuleOp module) {
  PassManager passes(module->getName());
  passes.addPass(createSimplify());
  ErrorCollector errors(module.getContext());
  if (failed(passes.run(module)))
    return errors.take(ExitCode::Model);
  return llvm::Error::success();
}

/// What `inlay compile` does.
static llvm::Error compile(StringRef bytes, StringRef name, StringRef output) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  registerEvaluation(context);
  auto module = importModel(context, MappedFile::fromMemory(bytes, name));
  if (!module)
    return module.takeError();
  if (llvm::Error error = simplify(**module))
    return error;
  auto stats = computeModelStats(**module, getOnnxOpType);
  if (!stats)
    return stats.takeError();
  // Holes stay holes in a data file.
  auto written = exportModel(**module, output, {ExternalData::Always});
  return written ? llvm::Error::success() : written.takeError();
}

/// What is wrong with how a mutant ended, or nothing.
static std::string judge(StringRef bytes, StringRef name, StringRef output,
                         bool &isAccepted) {
  std::string message;
  isAccepted = false;
  if (llvm::Error error = compile(bytes, name, output)) {
    ExitCode code = takeError(std::move(error), message);
    bool isOrderly = code == ExitCode::Model || code == ExitCode::Unsupported;
    return isOrderly && !message.empty()
               ? ""
               : llvm::formatv("exit code {0}: {1}", int(code), message).str();
  }
  isAccepted = true;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  registerEvaluation(context);
  auto again = importModelFile(context, output);
  if (!again)
    return "the export is refused: " + llvm::toString(again.takeError());
  return "";
}

/// The most memory this process has had resident.
static uint64_t getPeakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_maxrss) * 1024;
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

namespace {
/// What the child tells the parent.
struct Progress {
  /// The mutant that it works on.
  unsigned current;
  /// Mutants that are still a model.
  unsigned numAccepted;
};

class ModelTest {
public:
  ModelTest(StringRef model, uint64_t firstSeed, StringRef scratch,
            StringRef findings);

  /// Returns how many of `count` mutants failed.
  unsigned run(unsigned count);
  unsigned getNumAccepted() const { return progress->numAccepted; }

private:
  [[noreturn]] void runChild(unsigned first, unsigned count);
  void report(unsigned index, int status);

  std::string model, scratch, findings, bytes;
  uint64_t firstSeed;
  /// Shared with the child.
  volatile Progress *progress;
};
} // namespace

ModelTest::ModelTest(StringRef model, uint64_t firstSeed, StringRef scratch,
                     StringRef findings)
    : model(model), scratch(scratch), findings(findings), firstSeed(firstSeed) {
  if (auto buffer = llvm::MemoryBuffer::getFile(model))
    bytes = (*buffer)->getBuffer().str();
  void *page = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  progress = static_cast<volatile Progress *>(page);
  int file;
  std::string weights = (scratch + "/" + path::stem(model) + ".weights").str();
  if (!fs::openFileForWrite(weights, file)) {
    (void)fs::resize_file(file, weightBytes);
    ::close(file);
  }
}

void ModelTest::runChild(unsigned first, unsigned count) {
  std::string name = (scratch + "/" + path::filename(model)).str();
  for (unsigned i = first; i != count; ++i) {
    progress->current = i;
    bool isAccepted = false;
    alarm(maxSeconds);
    std::string fault = judge(damage(bytes, firstSeed + i), name,
                              scratch + "/out.onnx", isAccepted);
    progress->numAccepted = progress->numAccepted + isAccepted;
    if (getPeakBytes() > maxBytes)
      fault = llvm::formatv("took {0} MB", getPeakBytes() >> 20).str();
    if (!fault.empty()) {
      llvm::errs() << fault << '\n';
      _exit(1);
    }
  }
  _exit(0);
}

void ModelTest::report(unsigned index, int status) {
  uint64_t seed = firstSeed + index;
  std::string name = llvm::formatv("{0}/seed-{1}.onnx", findings, seed).str();
  std::error_code error;
  (void)fs::create_directories(findings);
  llvm::raw_fd_ostream(name, error) << damage(bytes, seed);
  llvm::outs() << "FAIL " << model << ", seed " << seed << ": ";
  if (!WIFSIGNALED(status))
    llvm::outs() << "see above";
  else if (WTERMSIG(status) == SIGALRM)
    llvm::outs() << "still running after " << maxSeconds << " s";
  else
    llvm::outs() << "ended by signal " << WTERMSIG(status);
  llvm::outs() << ", saved as " << name << '\n';
  llvm::outs().flush();
}

unsigned ModelTest::run(unsigned count) {
  if (bytes.empty()) {
    llvm::outs() << "FAIL " << model << ": cannot be read, or is empty\n";
    return 1;
  }
  unsigned failed = 0;
  for (unsigned first = 0; first < count; first = progress->current + 1) {
    pid_t child = fork();
    if (child == 0)
      runChild(first, count);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
      llvm::outs() << "FAIL " << model << ": cannot start a process\n";
      return failed + 1;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      break;
    report(progress->current, status);
    if (++failed == maxFindings)
      break;
  }
  return failed;
}

int main(int argc, char **argv) {
  unsigned count = 0;
  if (argc < 4 || StringRef(argv[1]).getAsInteger(10, count) || count == 0) {
    llvm::errs() << "usage: inlay-mutation-test COUNT FINDINGS MODEL...\n";
    return int(ExitCode::Usage);
  }
  llvm::SmallString<128> scratch;
  if (std::error_code error =
          fs::createUniqueDirectory("inlay-mutation", scratch)) {
    llvm::errs() << "cannot create a folder: " << error.message() << '\n';
    return int(ExitCode::IO);
  }
  unsigned failed = 0;
  uint64_t numAccepted = 0;
  llvm::ArrayRef<char *> models(argv + 3, argc - 3);
  for (auto [i, model] : llvm::enumerate(models)) {
    ModelTest test(model, uint64_t(i) << 32, scratch, argv[2]);
    failed += test.run(count);
    numAccepted += test.getNumAccepted();
  }
  fs::remove_directories(scratch);
  llvm::outs() << models.size() << " models, " << count << " mutants each, "
               << numAccepted << " still models: " << failed << " failed\n";
  return failed ? int(ExitCode::Negative) : 0;
}
