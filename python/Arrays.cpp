//===- Arrays.cpp - Tensors as arrays of NumPy ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "Interrupt.h"

using namespace inlay;
using namespace inlay::python;
namespace py = pybind11;

namespace {
/// An element type and NumPy's code of it, without the byte order.
struct TypeCode {
  ElementType type;
  const char *code;
};
} // namespace

static constexpr TypeCode codes[] = {
    {ElementType::Bool, "b1"},      {ElementType::Int8, "i1"},
    {ElementType::UInt8, "u1"},     {ElementType::Int16, "i2"},
    {ElementType::UInt16, "u2"},    {ElementType::Int32, "i4"},
    {ElementType::UInt32, "u4"},    {ElementType::Int64, "i8"},
    {ElementType::UInt64, "u8"},    {ElementType::Float16, "f2"},
    {ElementType::Float, "f4"},     {ElementType::Double, "f8"},
    {ElementType::Complex64, "c8"}, {ElementType::Complex128, "c16"}};

static std::string getCode(const py::dtype &type) {
  return std::string(1, type.kind()) + std::to_string(type.itemsize());
}

static ElementType findType(const py::dtype &type, llvm::StringRef input) {
  std::string code = getCode(type);
  for (const TypeCode &own : codes)
    if (code == own.code)
      return own.type;
  throw Failure{ExitCode::Usage,
                ("input '" + input + "' is an array of " +
                 std::string(py::str(type)) + ", which no tensor has")
                    .str()};
}

/// Lets go of an object of Python's from any thread.
static std::shared_ptr<const void> keepAlive(py::object object) {
  auto *held = new py::object(std::move(object));
  return {held, [](const void *own) {
            py::gil_scoped_acquire acquire;
            delete static_cast<const py::object *>(own);
          }};
}

HostTensor python::fromArray(const py::object &object, llvm::StringRef input) {
  py::module_ numpy = py::module_::import("numpy");
  py::array given = py::isinstance<py::array>(object)
                        ? py::reinterpret_borrow<py::array>(object)
                        : py::array(numpy.attr("asarray")(object));
  ElementType type = findType(given.dtype(), input);
  // Of this machine's byte order, too.
  py::dtype native = given.dtype().attr("newbyteorder")("=");
  py::array dense = numpy.attr("ascontiguousarray")(given, native)
                        .attr("reshape")(given.attr("shape"));
  llvm::SmallVector<int64_t> shape(dense.shape(), dense.shape() + dense.ndim());
  llvm::ArrayRef<char> bytes(static_cast<const char *>(dense.data()),
                             size_t(dense.nbytes()));
  return HostTensor::view(type, shape, bytes, keepAlive(dense));
}

py::array python::toArray(const HostTensor &tensor, llvm::StringRef output) {
  llvm::SmallVector<py::ssize_t> shape(tensor.getShape().begin(),
                                       tensor.getShape().end());
  for (const TypeCode &own : codes) {
    if (own.type != tensor.getType())
      continue;
    auto *held = new HostTensor(tensor);
    py::capsule owner(
        held, [](void *memory) { delete static_cast<HostTensor *>(memory); });
    return py::array(py::dtype(own.code),
                     std::vector<py::ssize_t>(shape.begin(), shape.end()),
                     held->getBytes().data(), owner);
  }
  throw Failure{ExitCode::Unsupported,
                ("output '" + output + "' is of " + getName(tensor.getType()) +
                 ", which NumPy has no type for")
                    .str()};
}
