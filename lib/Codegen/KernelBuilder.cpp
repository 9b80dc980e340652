//===- KernelBuilder.cpp - What templates write code with -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "OpenDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace inlay;
using namespace mlir;

/// Of a line of the caches.
static constexpr int64_t floatsPerLine = 16, lineBytes = 64;
/// Smaller tensors are in a cache when they are read.
static constexpr int64_t minAskedBytes = 256 << 10;
/// Elements that are computed at once where a loop ends, at least.
static constexpr unsigned minNarrow = 4;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type inlay::getRegisterType(Type element) {
  MLIRContext *context = element.getContext();
  if (element.isF16() || element.isBF16())
    return Float32Type::get(context);
  if (isa<FloatType>(element))
    return element;
  return IntegerType::get(context, element.getIntOrFloatBitWidth());
}

Type inlay::getMemoryType(Type element) {
  if (isa<FloatType>(element) && !element.isBF16())
    return element;
  unsigned width = std::max(8u, element.getIntOrFloatBitWidth());
  return IntegerType::get(element.getContext(), width);
}

Type inlay::getWide(Type type, unsigned width) {
  return width == 1 ? type : VectorType::get({width}, type);
}

static unsigned getWidth(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getNumElements() : 1;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static func::FuncOp addFunction(OpBuilder &builder, StringRef name) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type index = builder.getI64Type();
  auto function = builder.create<func::FuncOp>(
      builder.getUnknownLoc(), name,
      builder.getFunctionType({pointer, index, index}, {}));
  function.addEntryBlock();
  return function;
}

KernelBuilder::KernelBuilder(ModuleOp module, StringRef name,
                             const KernelBody &body, unsigned numOthers)
    : body(body), numOthers(numOthers),
      builder(OpBuilder::atBlockEnd(module.getBody())),
      loc(builder.getUnknownLoc()), function(addFunction(builder, name)) {
  Block *entry = &function.getBody().front();
  builder.setInsertionPointToStart(entry);
  create<func::ReturnOp>();
  builder.setInsertionPointToStart(entry);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  size_t count =
      body.reads.size() + body.results.size() + numOthers + body.lengths.size();
  for (size_t i = 0; i < count; ++i) {
    Value at = create<LLVM::GEPOp>(pointer, pointer, function.getArgument(0),
                                   ArrayRef<LLVM::GEPArg>(int32_t(i)));
    pointers.push_back(create<LLVM::LoadOp>(pointer, at));
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value KernelBuilder::number(int64_t value) {
  return create<arith::ConstantIntOp>(value, 64);
}

Value KernelBuilder::constant(Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attr = isa<FloatType>(element)
                       ? TypedAttr(builder.getFloatAttr(element, value))
                       : TypedAttr(builder.getIntegerAttr(element, value));
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return create<arith::ConstantOp>(attr);
}

Value KernelBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value KernelBuilder::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value KernelBuilder::mul(Value a, int64_t factor) {
  return factor == 1
             ? a
             : builder.createOrFold<arith::MulIOp>(loc, a, number(factor));
}
Value KernelBuilder::divideUp(Value a, int64_t by) {
  return builder.createOrFold<arith::DivUIOp>(loc, add(a, number(by - 1)),
                                              number(by));
}
Value KernelBuilder::min(Value a, Value b) {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}
Value KernelBuilder::max(Value a, Value b) {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
}

Value KernelBuilder::multiplyAdd(Value a, Value b, Value sum) {
  if (isa<FloatType>(getElementTypeOrSelf(sum.getType())))
    return create<math::FmaOp>(a, b, sum);
  return create<arith::AddIOp>(sum, create<arith::MulIOp>(a, b));
}

void KernelBuilder::splitCount(ArrayRef<unsigned> dims,
                               ArrayRef<int64_t> extents, Value count,
                               MutableArrayRef<Value> variables) {
  for (size_t i = dims.size(); i-- > 0;) {
    Value extent = number(extents[dims[i]]);
    variables[dims[i]] = i == 0 ? count : create<arith::RemUIOp>(count, extent);
    if (i != 0)
      count = create<arith::DivUIOp>(count, extent);
  }
}

Value KernelBuilder::spread(Value value, unsigned width) {
  if (getWidth(value) == width)
    return value;
  return create<vector::BroadcastOp>(getWide(value.getType(), width), value);
}

//===----------------------------------------------------------------------===//
// Floats of 16 bits
//===----------------------------------------------------------------------===//

/// bfloat16 is the upper half of f32.
static Value widenBFloat(KernelBuilder &b, Value bits) {
  MLIRContext *context = bits.getContext();
  unsigned width = getWidth(bits);
  Type words = getWide(IntegerType::get(context, 32), width);
  Value high = b.create<arith::ShLIOp>(b.create<arith::ExtUIOp>(words, bits),
                                       b.constant(words, 16));
  return b.create<arith::BitcastOp>(getWide(Float32Type::get(context), width),
                                    high);
}

/// To the nearest, halves to the even one; NaN stays one.
static Value narrowBFloat(KernelBuilder &b, Value value) {
  MLIRContext *context = value.getContext();
  unsigned width = getWidth(value);
  Type words = getWide(IntegerType::get(context, 32), width);
  Value bits = b.create<arith::BitcastOp>(words, value);
  Value sixteen = b.constant(words, 16);
  Value isOdd = b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(bits, sixteen),
                                        b.constant(words, 1));
  Value rounded = b.add(bits, b.add(isOdd, b.constant(words, 0x7fff)));
  Value isNan =
      b.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, value, value);
  Value quiet = b.create<arith::OrIOp>(bits, b.constant(words, 0x400000));
  Value chosen = b.create<arith::SelectOp>(isNan, quiet, rounded);
  return b.create<arith::TruncIOp>(
      getWide(IntegerType::get(context, 16), width),
      b.create<arith::ShRUIOp>(chosen, sixteen));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelBuilder::toRegister(Value loaded, Type element) {
  Type type = getWide(getRegisterType(element), getWidth(loaded));
  if (element.isBF16())
    return widenBFloat(*this, loaded);
  if (element.isF16())
    return create<arith::ExtFOp>(type, loaded);
  if (!element.isInteger(1))
    return loaded;
  return create<arith::CmpIOp>(arith::CmpIPredicate::ne, loaded,
                               constant(loaded.getType(), 0));
}

Value KernelBuilder::toMemory(Value value, Type element) {
  Type type = getWide(getMemoryType(element), getWidth(value));
  if (element.isBF16())
    return narrowBFloat(*this, value);
  if (element.isF16())
    return create<arith::TruncFOp>(type, value);
  return element.isInteger(1) ? create<arith::ExtUIOp>(type, value) : value;
}

Value KernelBuilder::round(Value value, Type element) {
  if (!element.isF16() && !element.isBF16())
    return value;
  return toRegister(toMemory(value, element), element);
}

Value KernelBuilder::getAddress(unsigned buffer, Type memory, Value offset) {
  return create<LLVM::GEPOp>(pointers[buffer].getType(), memory,
                             pointers[buffer], ValueRange{offset});
}

static unsigned getAlignment(Type memory) {
  return memory.getIntOrFloatBitWidth() / 8;
}

/// Vectors where elements lie side by side, one for all where it is repeated.
/// Once for each line of memory that a vector has.
void KernelBuilder::askAhead(Value tensor, Value vector, Value address,
                             bool isStore) {
  int64_t distance = isStore ? ahead.stores : ahead.loads;
  auto type = cast<RankedTensorType>(tensor.getType());
  Type memory = getElementTypeOrSelf(vector.getType());
  int64_t bytes = memory.getIntOrFloatBitWidth() / 8;
  int64_t perLine = lineBytes / bytes;
  if (distance == 0 || getWidth(vector) < perLine ||
      type.getNumElements() * bytes < minAskedBytes)
    return;
  for (int64_t i = 0; i < getWidth(vector); i += perLine) {
    Value at =
        create<LLVM::GEPOp>(address.getType(), memory, address,
                            ArrayRef<LLVM::GEPArg>(int32_t(distance + i)));
    create<LLVM::Prefetch>(at, isStore, 3, 1);
  }
}

Value KernelBuilder::load(unsigned read, Value offset, int64_t stride,
                          unsigned width) {
  Type element = getElementTypeOrSelf(body.reads[read].getType());
  Type memory = getMemoryType(element);
  unsigned alignment = getAlignment(memory);
  Value address = getAddress(read, memory, offset);
  bool isVector = width > 1 && stride == 1;
  if (isVector || width == 1 || stride == 0) {
    Value loaded = create<LLVM::LoadOp>(getWide(memory, isVector ? width : 1),
                                        address, alignment);
    if (isVector)
      askAhead(body.reads[read], loaded, address, /*isStore=*/false);
    return spread(toRegister(loaded, element), width);
  }
  Value vector = constant(getWide(memory, width), 0);
  for (unsigned lane = 0; lane < width; ++lane) {
    Value at =
        create<LLVM::GEPOp>(address.getType(), memory, address,
                            ArrayRef<LLVM::GEPArg>(int32_t(stride * lane)));
    Value one = create<LLVM::LoadOp>(memory, at, alignment);
    vector = create<vector::InsertOp>(one, vector, int64_t(lane));
  }
  return toRegister(vector, element);
}

Value KernelBuilder::loadResult(unsigned result, Value offset) {
  Type element = getElementTypeOrSelf(body.results[result].getType());
  Type memory = getMemoryType(element);
  Value address = getAddress(body.reads.size() + result, memory, offset);
  return toRegister(create<LLVM::LoadOp>(memory, address, getAlignment(memory)),
                    element);
}

void KernelBuilder::store(Value element, unsigned result, Value offset,
                          int64_t stride) {
  Type type = getElementTypeOrSelf(body.results[result].getType());
  Type memory = getMemoryType(type);
  unsigned alignment = getAlignment(memory);
  Value address = getAddress(body.reads.size() + result, memory, offset);
  Value stored = toMemory(element, type);
  unsigned width = getWidth(stored);
  if (width == 1 || stride == 1) {
    create<LLVM::StoreOp>(stored, address, alignment);
    askAhead(body.results[result], stored, address, /*isStore=*/true);
    return;
  }
  for (unsigned lane = 0; lane < width; ++lane) {
    Value at =
        create<LLVM::GEPOp>(address.getType(), memory, address,
                            ArrayRef<LLVM::GEPArg>(int32_t(stride * lane)));
    Value one = create<vector::ExtractOp>(stored, int64_t(lane));
    create<LLVM::StoreOp>(one, at, alignment);
  }
}

Value KernelBuilder::allocate(int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return create<LLVM::AllocaOp>(pointer, builder.getF32Type(), number(count),
                                /*alignment=*/64);
}

Value KernelBuilder::getLength(unsigned number) {
  auto it = llvm::find(body.lengths, number);
  assert(it != body.lengths.end() && "a length that no value has");
  return create<LLVM::LoadOp>(
      builder.getI64Type(),
      getOther(numOthers + unsigned(it - body.lengths.begin())));
}

bool KernelBuilder::hasLengths(Value value) const {
  return body.open && !body.open->get(value).empty();
}

Value KernelBuilder::findLength(Value value, unsigned dim) {
  return body.open && llvm::is_contained(body.open->get(value), dim)
             ? getLength(body.open->getNumber(value, dim))
             : Value();
}

Value KernelBuilder::loadFloats(Value pointer, Value offset, unsigned width,
                                Type element) {
  if (!element)
    element = builder.getF32Type();
  Value at = create<LLVM::GEPOp>(pointer.getType(), element, pointer,
                                 ValueRange{offset});
  return create<LLVM::LoadOp>(getWide(element, width), at, /*alignment=*/4);
}

void KernelBuilder::prefetchFloats(Value pointer, Value offset, int64_t count) {
  for (int64_t i = 0; i < count; i += floatsPerLine) {
    Value at = create<LLVM::GEPOp>(pointer.getType(), builder.getF32Type(),
                                   pointer, ValueRange{add(offset, number(i))});
    // To be read, into the second cache, as data.
    create<LLVM::Prefetch>(at, 0, 2, 1);
  }
}

void KernelBuilder::keepLoadsBehind() {
  create<LLVM::InlineAsmOp>(TypeRange(), ValueRange(), /*asm_string=*/"",
                            /*constraints=*/"~{memory}",
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::AsmDialectAttr(),
                            /*operand_attrs=*/ArrayAttr());
}

void KernelBuilder::storeFloats(Value floats, Value pointer, Value offset) {
  Value at = create<LLVM::GEPOp>(pointer.getType(), builder.getF32Type(),
                                 pointer, ValueRange{offset});
  create<LLVM::StoreOp>(floats, at, /*alignment=*/4);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

ValueRange KernelBuilder::loop(Value from, Value to, int64_t step,
                               ValueRange carried, LoopBody body) {
  auto loop = create<scf::ForOp>(from, to, number(step), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    create<scf::YieldOp>(next);
  return loop.getResults();
}

void KernelBuilder::loop(Value from, Value to, int64_t step,
                         llvm::function_ref<void(Value)> body) {
  loop(from, to, step, ValueRange(), [&](Value count, ValueRange) {
    body(count);
    return SmallVector<Value>();
  });
}

void KernelBuilder::enterLoop(Value from, Value to, Value &count) {
  auto loop = create<scf::ForOp>(from, to, number(1));
  builder.setInsertionPointToStart(loop.getBody());
  count = loop.getInductionVar();
}

Value KernelBuilder::join(ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vectors.front();
  Value low = join(vectors.take_front(vectors.size() / 2)),
        high = join(vectors.drop_front(vectors.size() / 2));
  int64_t width = 2 * cast<VectorType>(low.getType()).getNumElements();
  return create<vector::ShuffleOp>(
      low, high, llvm::to_vector(llvm::seq<int64_t>(0, width)));
}

/// Where an element is has as many digits for the vector as for the place in
/// it: each round moves all of them by one.
SmallVector<Value> KernelBuilder::transpose(ArrayRef<Value> rows) {
  SmallVector<Value> all(rows);
  int64_t width = rows.size(), half = width / 2;
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < half; ++i) {
    low.append({i, width + i});
    high.append({half + i, width + half + i});
  }
  for (int64_t round = 1; round < width; round *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < half; ++i)
      for (ArrayRef<int64_t> lanes : {ArrayRef(low), ArrayRef(high)})
        next.push_back(create<vector::ShuffleOp>(all[i], all[half + i], lanes));
    all = std::move(next);
  }
  return all;
}

SmallVector<unsigned> KernelBuilder::getUnusedReads() const {
  SmallVector<unsigned> unused;
  for (unsigned i = 0; i < body.reads.size(); ++i)
    if (getRead(i).use_empty())
      unused.push_back(i);
  return unused;
}

Value KernelBuilder::getLastVector(Value from, Value to, unsigned width) {
  Value count = sub(to, from);
  Value tail = builder.createOrFold<arith::RemUIOp>(loc, count, number(width));
  return sub(to, tail);
}

unsigned KernelBuilder::getNarrower(Value from, Value to, unsigned width) {
  bool isKnown = getConstantIntValue(from) && getConstantIntValue(to);
  return isKnown && width > minNarrow ? width / 2 : 1;
}

bool KernelBuilder::areEqual(Value a, Value b) {
  std::optional<int64_t> number = getConstantIntValue(a);
  return number && number == getConstantIntValue(b);
}

void KernelBuilder::loopInVectors(
    Value from, Value to, unsigned width,
    llvm::function_ref<void(Value, unsigned)> body) {
  while (true) {
    Value end = width == 1 ? to : getLastVector(from, to, width);
    if (!areEqual(from, end))
      loop(from, end, width, [&](Value count) { body(count, width); });
    if (width == 1 || areEqual(end, to))
      return;
    width = getNarrower(end, to, width);
    from = end;
  }
}

void KernelBuilder::choose(Value condition, llvm::function_ref<void()> whenTrue,
                           llvm::function_ref<void()> whenFalse) {
  auto choice = create<scf::IfOp>(condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  whenTrue();
  builder.setInsertionPointToStart(choice.elseBlock());
  whenFalse();
}
